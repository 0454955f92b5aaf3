//! Lookup of metrics by their names in SQL, such as `bleu` or `wer:tokenize=char`, for the types of the
//! columns.

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
    /// State key, which must be equal to merge states.
    pub(crate) key: String,
    /// Signature, which must be equal to finish states in the same way.
    pub(crate) signature: String,
    /// Columns of counts, with [`LEADING`] first; `None` if the statistics are a set.
    pub(crate) columns: Option<Vec<String>>,
    /// Observer of segments; `None` for a metric that is known only from its states.
    pub(crate) panel: Option<Panel>,
    pub(crate) view: View,
}

impl Chosen {
    fn new(name: &str, metric: AnyMetric, header: Header, view: View, panel: Option<Panel>) -> Self {
        // The empty statistics already tell whether a metric is a row of counts, so no segment is needed.
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
                "the statistics of {} are not a row of counts; use metric_state and metric_merge instead",
                self.name
            )
        })
    }
}

/// Available metrics, and those built so far: every metric is built once.
pub(crate) struct Catalogue {
    registry: Registry,
    tokens: ChosenTokens,
    observing: Mutex<HashMap<(String, View), Arc<Chosen>>>,
}

impl Catalogue {
    pub(crate) fn new(registry: Registry, tokens: ChosenTokens) -> Self {
        Catalogue { registry, tokens, observing: Mutex::default() }
    }

    /// Returns a metric over columns of these types.
    pub(crate) fn over(&self, function: &str, name: &str, kinds: &[DataType]) -> Result<Arc<Chosen>> {
        let (view, _) = coerced(function, kinds)?;
        let chosen = self.observing(name, view)?;
        if view == View::Own && chosen.view != view { Err(refused(function, kinds)) } else { Ok(chosen) }
    }

    /// Returns a metric that observes such columns, or data of the metric's own form. If the name ends in `
    /// @ KEY`, its state key must be KEY.
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
        // The lock is not held while a metric is built, because building may take long. Two threads may
        // build the same metric; the first is kept.
        let lock = || self.observing.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (name.to_owned(), view);
        if let Some(chosen) = lock().get(&place) {
            return Ok(chosen.clone());
        }
        let built =
            self.build(name, view).map_err(|error| plan_datafusion_err!("metric '{name}': {error}"))?;
        // A second pass over the rows is impossible, because an aggregate sees each row once.
        if built.learns() {
            return plan_err!(
                "metric '{name}' learns from all references first, but a function of SQL sees every row once: count it \
                 elsewhere, as by `bleuprint score --save-learned`, or `.learn` in Python"
            );
        }
        Ok(lock().entry(place).or_insert(Arc::new(built)).clone())
    }

    /// Returns `true` if a metric must learn from all references first.
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
            // A metric with its own form reads its columns as JSON values, whatever their types look
            // like.
            _ if !own.is_empty() => View::Own,
            View::Own => View::Text,
            view => view,
        };
        let panel = match (view, space) {
            (View::Text, Some(_)) => {
                return conflict("`space` names the vocabulary of ids, but the columns are text");
            }
            (View::Own, Some(_)) => {
                return conflict(
                    "`space` names the vocabulary of ids, but the metric takes data of another form",
                );
            }
            (View::Own, None) => Panel::for_own(own.into_iter().map(|(_, metric)| metric))?,
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
                Panel::for_ids(request.metrics(&self.registry)?, &space)?
            }
        };
        let Some(metric) = panel.metrics().next().cloned() else {
            return conflict("no column has the data that the metric takes");
        };
        let header = Header::of_metric(spec.name(), &metric);
        let header = header.map_err(|error| ConfigError::Conflict(error.to_string()))?;
        Ok(Chosen::new(name, metric, header, view, Some(panel)))
    }

    /// Returns the metric that counted states or rows: the metric of their header or, if a name is given, a
    /// metric that finishes them differently.
    pub(crate) fn finishing(&self, name: Option<&str>, header: &Header) -> Result<Arc<Chosen>> {
        let [stored] = &header.metrics[..] else {
            return Err(exec_datafusion_err!(
                "the state has {} metrics, but must have one",
                header.metrics.len()
            ));
        };
        let Some(name) = name else {
            let metric = metrics_of(&self.registry, header).map_err(external)?.remove(0);
            let header = Header { each: true, ..header.clone() };
            return Ok(Arc::new(Chosen::new(&stored.spec, metric, header, View::Text, None)));
        };
        // Tokens are ids if their key has no name, or a name that `space` gave.
        let names_none = |key: StateKey| key.parts.iter().any(|part| part.space == TokenSpace::default());
        let ids = without_space(name).1.is_some() || stored.key.parse().is_ok_and(names_none);
        let chosen = self.observing(name, if ids { View::Ids } else { View::Text })?;
        if chosen.key == stored.key { Ok(chosen) } else { Err(unlike(&chosen, &stored.key)) }
    }

    /// Returns the names of each metric.
    pub(crate) fn names(&self) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        self.registry.entries().iter().map(|entry| entry.names())
    }
}

/// Separator between the name of a metric and the state key that it must have.
const PIN: &str = " @ ";

/// Returns the name with the state key, so that an executor whose metric has another key is rejected.
pub(crate) fn pinned(name: &str, chosen: &Chosen) -> String {
    if name.contains(PIN) { name.to_owned() } else { format!("{name}{PIN}{}", chosen.key) }
}

/// Returns the error for states with another key, in the library's words.
pub(crate) fn unlike(chosen: &Chosen, key: &str) -> DataFusionError {
    match key.parse().map(|key| chosen.metric.state_key().require_equal(&key)) {
        Ok(Err(error)) => external(error),
        _ => exec_datafusion_err!("unlike states: `{}` and `{key}`", chosen.key),
    }
}

/// Splits a name such as `bleu:space=gpt2` into the metric and the vocabulary of its ids.
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
