//! Property test of ids for pieces of text: equal pieces have equal ids, and each new piece gets the next id.

use bleuprint_ngram::ByteInterner;
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// Texts with the start and end of each token.
type Texts = Vec<(Vec<u8>, Vec<(u32, u32)>)>;

/// Random texts cut into pieces of all lengths near 8 and 16 bytes, many of them equal or nearly equal.
#[derive(Debug, Clone)]
struct Cut(Texts);

impl Arbitrary for Cut {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, limit: usize| usize::arbitrary(g) % limit;
        let text = |g: &mut Gen| {
            let len = *g.choose(&[0, 7, 40, 200]).unwrap();
            let mut text: Vec<u8> = (0..len).map(|at| b"aab\0"[at * at % 4]).collect();
            for _ in 0..below(g, 4) {
                let at = below(g, len + 1);
                text.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1);
            }
            let span = |g: &mut Gen| {
                let start = below(g, len + 1);
                (start as u32, (start + below(g, 40).min(len - start)) as u32)
            };
            let spans = (0..below(g, 60)).map(|_| span(g)).collect();
            (text, spans)
        };
        Cut((0..below(g, 5)).map(|_| text(g)).collect())
    }
}

fn expected(texts: &Texts) -> Vec<Vec<u32>> {
    let mut known: Vec<&[u8]> = Vec::new();
    let mut all = Vec::new();
    for (text, spans) in texts {
        let mut ids = Vec::new();
        for &(start, end) in spans {
            let piece = &text[start as usize..end as usize];
            let id = known.iter().position(|known| *known == piece).unwrap_or(known.len());
            if id == known.len() {
                known.push(piece);
            }
            ids.push(id as u32);
        }
        all.push(ids);
    }
    all
}

#[test]
fn equal_pieces_have_equal_ids() {
    let mut interner = ByteInterner::default();
    let mut check = |texts: &Texts| {
        interner.clear();
        texts.iter().for_each(|(text, spans)| interner.append(text, spans));
        let ids: Vec<Vec<u32>> = (0..interner.len()).map(|text| interner.ids(text).to_vec()).collect();
        let distinct = ids.iter().flatten().max().map_or(0, |&id| id as usize + 1);
        assert_eq!(interner.distinct(), distinct);
        ids == expected(texts)
    };
    // One interner for all, so that it holds remains of earlier texts.
    let mut generator = Gen::new(100);
    for _ in 0..5000 {
        let Cut(texts) = Cut::arbitrary(&mut generator);
        assert!(check(&texts), "{texts:?}");
    }
    fn law(Cut(texts): Cut) -> bool {
        let mut interner = ByteInterner::default();
        texts.iter().for_each(|(text, spans)| interner.append(text, spans));
        (0..texts.len()).all(|text| interner.ids(text) == expected(&texts)[text])
    }
    QuickCheck::new().tests(1000).quickcheck(law as fn(Cut) -> bool);
}

/// Interns so many distinct pieces, some of them long, that the table grows meanwhile.
#[test]
fn tables_grow() {
    let text: Vec<u8> = (0..60_000_u32).flat_map(|number| format!("{number:0>30}").into_bytes()).collect();
    let spans: Vec<(u32, u32)> = (0..60_000).map(|at| (30 * at, 30 * at + 30)).collect();
    let short: Vec<(u32, u32)> = spans.iter().map(|&(start, end)| (start.max(end - 16), end)).collect();
    let mut interner = ByteInterner::default();
    for _ in 0..3 {
        interner.clear();
        for spans in [&spans, &short] {
            spans.chunks(1000).for_each(|spans| interner.append(&text, spans));
        }
        assert_eq!(interner.distinct(), 120_000);
        for chunk in 0..120 {
            let first = 1000 * chunk as u32;
            assert!(interner.ids(chunk).iter().copied().eq(first..first + 1000));
        }
    }
}

#[test]
fn spans_beyond_the_text_are_cut() {
    let mut interner = ByteInterner::default();
    interner.append(b"ab", &[(0, 2), (0, 9), (5, 9), (2, 1), (1, u32::MAX)]);
    assert_eq!(interner.ids(0), [0, 0, 1, 1, 2]);
    assert_eq!((interner.ids(1), interner.is_empty()), (&[][..], false));
}
