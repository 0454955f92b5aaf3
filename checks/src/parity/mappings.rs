//! Mappings of speakers, by trying all: where several have the most time in common, programs may take any of them.

/// Turns of the reference or the hypothesis: speaker, start, end.
pub(super) type Turns = [(String, f64, f64)];

/// Hypothesis speaker that a mapping assigns to each reference speaker.
type Mapping = Vec<Option<usize>>;

/// A stretch of a file in which nothing begins or ends.
struct FilePiece {
    length: i64,
    /// Speakers who speak in this stretch, in the reference and in the hypothesis.
    on: [Vec<usize>; 2],
    /// `false` within a collar, and in overlap if the comparison skips overlap.
    counts: bool,
}

/// A file cut at every border, in whole microseconds.
pub(super) struct FilePieces {
    pieces: Vec<FilePiece>,
    speakers: [usize; 2],
}

/// One of the best mappings, by the time that it has in the pieces that count.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapped {
    /// The seconds of another speaker.
    pub(super) confusion: f64,
    /// The mean over reference speakers of 1 less the shared part of both times.
    pub(super) jer: f64,
}

fn micros(seconds: f64) -> i64 {
    // Integers make equal times equal; the inputs are far below the range of `i64`.
    (seconds * 1e6).round() as i64
}

impl FilePieces {
    /// Cuts a file at every border. A collar of `half` seconds surrounds the borders of the reference; `skip`
    /// removes its overlap.
    pub(super) fn cut_at_borders(sides: [&Turns; 2], regions: &[(f64, f64)], half: f64, skip: bool) -> Self {
        let names = sides.map(|side| {
            let mut names: Vec<&str> = side.iter().map(|turn| &*turn.0).collect();
            names.sort_unstable();
            names.dedup();
            names
        });
        let half = micros(half);
        let collars: Vec<i64> = sides[0].iter().flat_map(|turn| [micros(turn.1), micros(turn.2)]).collect();
        // Between neighbouring cuts nothing changes, so each piece is scored as a whole.
        let mut cuts: Vec<i64> = collars.iter().flat_map(|at| [at - half, *at, at + half]).collect();
        cuts.extend(sides[1].iter().flat_map(|turn| [micros(turn.1), micros(turn.2)]));
        cuts.extend(regions.iter().flat_map(|region| [micros(region.0), micros(region.1)]));
        cuts.sort_unstable();
        cuts.dedup();
        let mut pieces = Vec::new();
        for cut in cuts.windows(2) {
            let within = |start: i64, end: i64| start <= cut[0] && cut[1] <= end;
            if !regions.iter().any(|region| within(micros(region.0), micros(region.1))) {
                continue;
            }
            let on = [0, 1].map(|side: usize| {
                let on = sides[side].iter().filter(|turn| within(micros(turn.1), micros(turn.2)));
                on.filter_map(|turn| names[side].iter().position(|name| *name == turn.0)).collect::<Vec<_>>()
            });
            let in_collar = collars.iter().any(|at| within(at - half, at + half));
            let counts = !(in_collar || skip && on[0].len() > 1);
            pieces.push(FilePiece { length: cut[1] - cut[0], on, counts });
        }
        FilePieces { pieces, speakers: names.map(|names| names.len()) }
    }

    /// Returns all mappings with the most time in common; `counting` uses only the pieces that count.
    pub(super) fn best(&self, counting: bool) -> Vec<Mapped> {
        let common = |mapping: &Mapping| -> i64 {
            let mapped = self.pieces.iter().filter(|piece| piece.counts || !counting);
            mapped.map(|piece| piece.length * right(piece, mapping) as i64).sum()
        };
        let all = self.mappings();
        let most = all.iter().map(common).max();
        all.iter().filter(|mapping| Some(common(mapping)) == most).map(|one| self.mapped(one)).collect()
    }

    fn mappings(&self) -> Vec<Mapping> {
        // All mappings are tried: the cases have few speakers, and the search must not share an error with ours.
        let partners = || (0..self.speakers[1]).map(Some).chain([None]);
        (0..self.speakers[0]).fold(vec![Mapping::new()], |all, _| {
            let longer = |one: &Mapping| {
                let free = partners().filter(|partner| partner.is_none() || !one.contains(partner));
                free.map(|partner| [&one[..], &[partner]].concat()).collect::<Vec<_>>()
            };
            all.iter().flat_map(longer).collect()
        })
    }

    fn mapped(&self, mapping: &[Option<usize>]) -> Mapped {
        let time = |is: &dyn Fn(&FilePiece) -> usize| {
            let pieces = self.pieces.iter().filter(|piece| piece.counts);
            pieces.map(|piece| piece.length * is(piece) as i64).sum::<i64>() as f64 / 1e6
        };
        let confusion = time(&|piece| piece.on[0].len().min(piece.on[1].len()) - right(piece, mapping));
        let mut jer = 0.0;
        let mut speakers = 0.0;
        for (speaker, partner) in mapping.iter().enumerate() {
            let own = |piece: &FilePiece| piece.on[0].contains(&speaker);
            let other = |piece: &FilePiece| partner.is_some_and(|partner| piece.on[1].contains(&partner));
            let shared = time(&|piece| usize::from(own(piece) && other(piece)));
            if time(&|piece| usize::from(own(piece))) > 0.0 {
                speakers += 1.0;
                // Speakers without common time are not a pair: the error of the reference speaker is then 1.
                let all = time(&|piece| usize::from(own(piece) || other(piece)));
                jer += if shared > 0.0 { 1.0 - shared / all } else { 1.0 };
            }
        }
        Mapped { confusion, jer: if speakers > 0.0 { jer / speakers } else { 1.0 } }
    }
}

/// Returns the number of reference speakers whose partner is speaking.
fn right(piece: &FilePiece, mapping: &[Option<usize>]) -> usize {
    piece.on[0]
        .iter()
        .filter(|&&speaker| mapping[speaker].is_some_and(|partner| piece.on[1].contains(&partner)))
        .count()
}
