//! The overlap of boxes, over your own struct in place of tokens: intersection over union with the reference that shares
//! the largest area.

use bleuprint::contract::*;

#[derive(Clone)]
pub struct Overlap;

/// The ends in both directions.
#[derive(Debug, Clone)]
pub struct Box(pub [u16; 2], pub [u16; 2]);

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
        let side = |a: [u16; 2], b: [u16; 2]| u64::from(a[1].min(b[1]).saturating_sub(a[0].max(b[0])));
        let area = |a: &Box, b: &Box| side(a.0, b.0) * side(a.1, b.1);
        let of = |reference: &&Box| {
            let (own, shared) = (segment.hypothesis(), area(segment.hypothesis(), reference));
            Areas { shared, covered: area(own, own) + area(reference, reference) - shared }
        };
        // Among equals the smaller area, so that the order of references does not matter.
        let best =
            segment.references()?.iter().map(of).max_by_key(|one| (one.shared, u64::MAX - one.covered));
        areas.merge(&best.unwrap_or_default())
    }
}

#[test]
fn obeys_the_laws() {
    let corner = |raw: &[u8], at: usize| u16::from(raw.get(at).copied().unwrap_or(0) % 4);
    let of = |raw: &[u8]| Box([corner(raw, 0), 4], [corner(raw, 1), 4]);
    laws::check_sequences::<Box, Box, _>(&Overlap, of, laws::Equality::Exact);
}
