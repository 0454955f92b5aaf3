//! The overlap of boxes, over your own struct in place of tokens: intersection over union with the best reference.

use bleuprint::*;

#[derive(Clone)]
pub struct Overlap;

#[derive(Debug, Clone)]
pub struct Box {
    pub x: [u64; 2],
    pub y: [u64; 2],
}

columns! { pub struct Areas { shared <= covered, covered } }

impl Metric for Overlap {
    type Stats = Areas;
    type Score = f64;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("overlap", 1, Scale::UNIT)
    }
    fn finalize(&self, areas: &Areas, _: &SegmentCounts) -> Result<f64> {
        Ok(areas.shared as f64 / areas.covered.max(1) as f64)
    }
}

impl Observe<Box> for Overlap {
    fn observe(&self, _: &mut (), areas: &mut Areas, segment: Segment<'_, Box>) -> Result<()> {
        let side = |a: [u64; 2], b: [u64; 2]| a[1].min(b[1]).saturating_sub(a[0].max(b[0]));
        let shared = |a: &Box, b: &Box| side(a.x, b.x) * side(a.y, b.y);
        let of = |reference: &&Box| {
            let hypothesis = segment.hypothesis();
            let shared_area = shared(hypothesis, reference);
            let covered = shared(hypothesis, hypothesis) + shared(reference, reference) - shared_area;
            Areas { shared: shared_area, covered }
        };
        // By cross-multiplication, so that equal quotients compare equal; then the smaller area.
        let best = segment.references()?.iter().map(of).max_by_key(|one| {
            (
                u128::from(one.shared) * u128::from(u64::MAX) / u128::from(one.covered.max(1)),
                u64::MAX - one.covered,
            )
        });
        areas.merge(&best.unwrap_or_default())
    }
}

#[test]
fn obeys_the_laws() {
    let corner = |raw: &[u8], at: usize| u64::from(raw.get(at).copied().unwrap_or(0) % 4);
    let of = |raw: &[u8]| Box { x: [corner(raw, 0), 4], y: [corner(raw, 1), 4] };
    laws::check_sequences::<Box, Box, _>(&Overlap, of, laws::Equality::Exact);
}
