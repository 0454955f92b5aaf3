//! Matches of n-grams against a count of one n-gram at a time.

use quickcheck::quickcheck;

use super::*;

type Segment = (Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>);

fn words(text: &[u8]) -> Vec<&'static str> {
    text.iter().map(|byte| ["a", "b", "c", "d"][usize::from(byte % 4)]).collect()
}

fn naive(segments: &[[Vec<&'static str>; 4]]) -> HashMap<Vec<String>, [u64; 3]> {
    let mut all: HashMap<Vec<String>, [u64; 3]> = HashMap::new();
    for texts in segments {
        let of =
            |text: &[&str], ngram: &[&str]| text.windows(ngram.len()).filter(|own| *own == ngram).count();
        let mut seen: Vec<&[&str]> =
            texts[2..].iter().flat_map(|text| (1..=4).flat_map(|n| text.windows(n))).collect();
        seen.sort_unstable();
        seen.dedup();
        for ngram in seen {
            let limit = of(&texts[2], ngram).max(of(&texts[3], ngram));
            let counts = all.entry(ngram.iter().map(|&word| word.to_owned()).collect()).or_default();
            for (count, own) in counts.iter_mut().zip([of(&texts[0], ngram), of(&texts[1], ngram), limit]) {
                *count += own.min(limit) as u64;
            }
        }
    }
    all
}

quickcheck! {
    fn matches_are_those_counted_one_by_one(segments: Vec<Segment>) -> bool {
        let mut matches = NgramMatches::new(3);
        let segments: Vec<[Vec<&str>; 4]> = segments
            .iter()
            .map(|(one, other, reference, second)| [one, other, reference, second].map(|text| words(text)))
            .collect();
        for [one, other, reference, second] in &segments {
            matches.add(&[one, &[], other], &[reference, second]);
        }
        let table = matches.finish();
        let mut expected = naive(&segments);
        let wins: Vec<NgramWin> = table.differing(0, 2).into_iter().map(|found| table.win(found, None)).collect();
        let differ = expected.values().filter(|[first, second, _]| first != second).count();
        let win = |win: &NgramWin| expected[&win.tokens] == [win.first, win.second, win.references];
        let listed = wins.len() == differ && wins.iter().all(win);
        expected.retain(|_, [first, second, _]| *first + *second > 0);
        let found = |ngram: usize| {
            let tokens: Vec<String> = table.tokens(ngram).into_iter().map(str::to_owned).collect();
            let [references, first, 0, second] = *table.counts(ngram) else { return false };
            expected.get(&tokens) == Some(&[first, second, references])
        };
        listed && table.ngrams.len() == expected.len() && (0..table.ngrams.len()).all(found)
    }

    fn parts_merge_to_the_whole(segments: Vec<Segment>, cut: u8) -> bool {
        let mut whole = NgramMatches::new(2);
        let mut parts = [NgramMatches::new(2), NgramMatches::new(2)];
        let cut = usize::from(cut) % (segments.len() + 1);
        for (place, (one, other, reference, second)) in segments.iter().enumerate() {
            let [one, other, reference, second] = [one, other, reference, second].map(|text| words(text));
            for matches in [&mut whole, &mut parts[usize::from(place >= cut)]] {
                matches.add(&[&one, &other], &[&reference, &second]);
            }
        }
        let [mut merged, rest] = parts;
        merged.merge(rest);
        let tables = [whole.finish(), merged.finish()].map(|table| (table.words, table.ngrams, table.counts));
        tables[0] == tables[1]
    }

    fn the_front_is_that_of_the_whole_order(texts: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>, most: u8) -> bool {
        let mut matches = NgramMatches::new(2);
        for (one, other, reference) in &texts {
            matches.add(&[&words(one), &words(other)], &[&words(reference)]);
        }
        let table = matches.finish();
        let most = 1 + usize::from(most % 5);
        let mut all: Vec<usize> = (0..table.ngrams.len()).filter(|&n| table.matches(n, 0) > table.matches(n, 1)).collect();
        let surer = |n: usize| {
            let one = table.matches(n, 0) as f64;
            let other = table.matches(n, 1) as f64;
            (one - other) / (one + other).sqrt()
        };
        all.sort_by(|&one, &other| surer(other).total_cmp(&surer(one)).then(one.cmp(&other)));
        table.surest(0, 1, most) == table.without_parts(all.into_iter(), [0, 1], most)
    }
}

#[test]
fn the_longest_come_first() {
    let mut matches = NgramMatches::new(1);
    matches.add(&[&["b", "a"]], &[&["b", "a", "c"]]);
    let table = matches.finish();
    let tokens: Vec<String> = (0..3).map(|ngram| table.tokens(ngram).join(" ")).collect();
    assert_eq!(tokens, ["b a", "a", "b"]);
    assert!(table.tokens(3).is_empty());
}

#[test]
fn wins_are_listed_by_size() {
    let mut matches = NgramMatches::new(2);
    matches.add(&[&["x", "y"], &["z"]], &[&["x", "-", "y", "-", "z"]]);
    matches.add(&[&["x"], &["z"]], &[&["x", "-", "y", "-", "z"]]);
    let table = matches.finish();
    let wins = table.differing(0, 1);
    let list: Vec<_> = wins.iter().map(|win| (table.tokens(win.ngram)[0], win.first, win.second)).collect();
    assert_eq!(list, [("x", 2, 0), ("z", 0, 2), ("y", 1, 0)]);
}

#[test]
fn the_classes_of_frequency_begin_where_they_say() {
    let classes = [0, 1, 2, 5, 6, 50, 51].map(|references| NgramWin { references, ..NgramWin::default() });
    let names = classes.each_ref().map(NgramWin::frequency);
    assert_eq!(names, ["once", "once", "rare", "rare", "medium", "medium", "frequent"]);
}
