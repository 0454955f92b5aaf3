//! From the name of a metric in SQL, such as `bleu` or `wer:tokenize=char`, to a metric over the columns.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bleuprint::contract::{
    AnyMetric, Case, ConfigError, Metric as _, Registry, StateKey, Stats as _, TokenSpace, column_names,
};
use bleuprint::eval::evaluation::metrics_of;
use bleuprint::eval::store::{Header, LEADING};
use bleuprint::eval::{ChosenTokens, Metrics, Panel, Request};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, plan_datafusion_err, plan_err};

use crate::columns::{View, coerced, refused};

pub(crate) struct Chosen {
    pub(crate) name: String,
    pub(crate) metric: AnyMetric,
    pub(crate) header: Header,
    /// The key that must agree to merge.
    pub(crate) key: String,
    /// The settings that must agree to finish alike.
    pub(crate) signature: String,
    /// The columns of counts, [`LEADING`] first; nothing where the statistics are a set.
    pub(crate) columns: Option<Vec<String>>,
    /// The observer; none for a metric that is only known by its states.
    pub(crate) panel: Option<Panel>,
    pub(crate) view: View,
}

impl Chosen {
    fn new(name: &str, metric: AnyMetric, header: Header, view: View, panel: Option<Panel>) -> Self {
        let rows = metric.zero().is_row().then(|| column_names(&metric));
        Chosen {
            name: name.to_owned(),
            key: metric.state_key().to_string(),
            signature: metric.identity().signature(&Default::default()).to_string(),
            columns: rows.map(|own| LEADING.map(str::to_owned).into_iter().chain(own).collect()),
            metric,
            header,
            view,
            panel,
        }
    }

    fn learns(&self) -> bool {
        self.panel.as_ref().is_some_and(|panel| panel.first_pass().is_some())
    }

    pub(crate) fn require_columns(&self) -> Result<&[String]> {
        self.columns.as_deref().ok_or_else(|| {
            plan_datafusion_err!(
                "the statistics of {} are no row of counts: use metric_state and metric_merge",
                self.name
            )
        })
    }
}

/// The metrics that can be asked for, and those that were: every metric is built once.
pub(crate) struct Catalogue {
    registry: Registry,
    tokens: ChosenTokens,
    observing: Mutex<HashMap<(String, View), Arc<Chosen>>>,
}

impl Catalogue {
    pub(crate) fn new(registry: Registry, tokens: ChosenTokens) -> Self {
        Catalogue { registry, tokens, observing: Mutex::default() }
    }

    /// A metric over columns of these types.
    pub(crate) fn over(&self, function: &str, name: &str, kinds: &[DataType]) -> Result<Arc<Chosen>> {
        let (view, _) = coerced(function, kinds)?;
        let chosen = self.observing(name, view)?;
        if view == View::Own && chosen.view != view { Err(refused(function, kinds)) } else { Ok(chosen) }
    }

    /// A metric that observes such columns, or data of its own. A name may go on ` @ KEY`: then its state key must be this.
    pub(crate) fn observing(&self, given: &str, view: View) -> Result<Arc<Chosen>> {
        let (name, key) = match given.split_once(PIN) {
            Some((name, key)) => (name, Some(key)),
            None => (given, None),
        };
        let chosen = self.built(name, view)?;
        match key {
            Some(key) if key != chosen.key => Err(exec_datafusion_err!(
                "{}, between the process that planned the query and the one that runs it",
                unlike(&chosen, key)
            )),
            _ => Ok(chosen),
        }
    }

    fn built(&self, name: &str, view: View) -> Result<Arc<Chosen>> {
        let lock = || self.observing.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (name.to_owned(), view);
        if let Some(chosen) = lock().get(&place) {
            return Ok(chosen.clone());
        }
        let built =
            self.build(name, view).map_err(|error| plan_datafusion_err!("metric '{name}': {error}"))?;
        if built.learns() {
            return plan_err!(
                "metric '{name}' learns from all references first, but a function of SQL sees every row once: count it \
                 elsewhere, as by `bleuprint score --save-learned`, or `.learn` in Python"
            );
        }
        Ok(lock().entry(place).or_insert(Arc::new(built)).clone())
    }

    /// If a metric learns from all references first.
    pub(crate) fn learns(&self, name: &str) -> bool {
        self.build(name, View::Text).is_ok_and(|built| built.learns())
    }

    fn build(&self, name: &str, view: View) -> std::result::Result<Chosen, ConfigError> {
        let (named, space) = without_space(name);
        let request = Request::new(&self.registry, [&named], self.tokens.clone())?;
        let spec = &request.specs[0];
        let conflict = |message: &str| Err(ConfigError::Conflict(message.to_owned()));
        let Metrics { panel, own, .. } = request.build(&self.registry)?;
        let view = match view {
            _ if !own.is_empty() => View::Own,
            View::Own => View::Text,
            view => view,
        };
        let panel = match (view, space) {
            (View::Text, Some(_)) => {
                return conflict("`space` says what ids stand for, but the columns are text");
            }
            (View::Own, Some(_)) => {
                return conflict("`space` says what ids stand for, but the metric takes data of its own");
            }
            (View::Own, None) => Panel::over_own(own.into_iter().map(|(_, metric)| metric))?,
            (View::Text, None) => panel,
            (View::Ids, _)
                if spec.tokenizer.is_some() || spec.lowercase.is_some() || spec.normalizer.is_some() =>
            {
                return conflict("`tokenize`, `lowercase` and `norm` change text, but the columns are ids");
            }
            (View::Ids, space) => {
                let space = match space {
                    Some(label) => TokenSpace::new(label, Case::Mixed)?,
                    None => TokenSpace::default(),
                };
                Panel::over_ids(request.metrics(&self.registry)?, &space)?
            }
        };
        let Some(metric) = panel.metrics().next().cloned() else {
            return conflict("no column holds its data");
        };
        let header = Header::of_metric(spec.name(), &metric);
        let header = header.map_err(|error| ConfigError::Conflict(error.to_string()))?;
        Ok(Chosen::new(name, metric, header, view, Some(panel)))
    }

    /// The metric that counted states or rows: the one of their header or, by a name, one that finishes them otherwise.
    pub(crate) fn finishing(&self, name: Option<&str>, header: &Header) -> Result<Arc<Chosen>> {
        let [stored] = &header.metrics[..] else {
            return Err(exec_datafusion_err!("{} metrics where one is meant", header.metrics.len()));
        };
        let Some(name) = name else {
            let metric = metrics_of(&self.registry, header).map_err(external)?.remove(0);
            let header = Header { each: true, ..header.clone() };
            return Ok(Arc::new(Chosen::new(&stored.spec, metric, header, View::Text, None)));
        };
        // Tokens without a name, or with one of `space`, are ids.
        let names_none = |key: StateKey| key.parts.iter().any(|part| part.space == TokenSpace::default());
        let ids = without_space(name).1.is_some() || stored.key.parse().is_ok_and(names_none);
        let chosen = self.observing(name, if ids { View::Ids } else { View::Text })?;
        if chosen.key == stored.key { Ok(chosen) } else { Err(unlike(&chosen, &stored.key)) }
    }

    /// Those of each metric.
    pub(crate) fn names(&self) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        self.registry.entries().iter().map(|entry| entry.names())
    }
}

/// The separator of the name of a metric and the state key that it must have.
const PIN: &str = " @ ";

/// The name with the state key, so that an executor whose metric has another key is refused.
pub(crate) fn pinned(name: &str, chosen: &Chosen) -> String {
    match name.contains(PIN) {
        true => name.to_owned(),
        false => format!("{name}{PIN}{}", chosen.key),
    }
}

/// Why states of another key are refused, in the words of the library.
pub(crate) fn unlike(chosen: &Chosen, key: &str) -> DataFusionError {
    match key.parse().map(|key| chosen.metric.state_key().require_equal(&key)) {
        Ok(Err(error)) => external(error),
        _ => exec_datafusion_err!("unlike states: `{}` and `{key}`", chosen.key),
    }
}

/// `bleu:space=gpt2`: the metric, and what its ids stand for.
fn without_space(name: &str) -> (String, Option<&str>) {
    let Some((metric, options)) = name.split_once(':') else { return (name.to_owned(), None) };
    let (space, rest): (Vec<&str>, Vec<&str>) =
        options.split(',').partition(|option| option.starts_with("space="));
    let space = space.last().and_then(|space| space.strip_prefix("space="));
    (if rest.is_empty() { metric.to_owned() } else { format!("{metric}:{}", rest.join(",")) }, space)
}

pub(crate) fn external(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::Execution(error.to_string())
}
