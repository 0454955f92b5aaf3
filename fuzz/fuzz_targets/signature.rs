//! Fuzzes signatures: any text, and real signatures with edits. If a recipe names a metric, it must build
//! the metric, and the metric's signature must be read as the same recipe.
#![no_main]

use bleuprint::recipe::Recipe;
use bleuprint::{Case, Metric, SegmentCounts, TokenSpace};
use bleuprint_fuzz::{REGISTRY, edited};
use libfuzzer_sys::fuzz_target;

const VALID: [&str; 5] = [
    "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1",
    "BLEU|#:1|c:lc|e:no|tok:intl|s:floor[0.25]|v:2.3.1",
    "BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14",
    "chrF2++|nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0",
    "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0",
];

fuzz_target!(|data: &[u8]| {
    let bytes = match data.split_first() {
        Some((0, bytes)) => bytes.to_vec(),
        Some((which, edits)) => edited(VALID[usize::from(*which) % VALID.len()].as_bytes(), edits),
        None => return,
    };
    let Ok(text) = String::from_utf8(bytes) else { return };
    let Ok(recipe) = text.parse::<Recipe>() else { return };
    let Ok(settings) = recipe.settings(&REGISTRY) else { return };
    let spec = settings.spec();
    let metric = REGISTRY.build(&spec).expect("settings that can be built");
    let space = TokenSpace::new("13a", Case::Mixed).expect("a name");
    let printed = metric.identity().over(&space).signature(&SegmentCounts::default()).to_string();
    let again = printed.parse::<Recipe>().and_then(|recipe| recipe.settings(&REGISTRY));
    // No signature can name the contents of files such as METEOR's synonyms, so those recipes are not
    // compared.
    if let Ok(again) = again {
        assert_eq!(again.spec(), spec, "{text}: {printed}");
    }
});
