//! Generated sessions of speakers, with the simulated output of a recognizer.

use bleuprint_testkit::random::Rng;

/// Shape of a session: number of speakers, words of each speaker, and words of an utterance.
pub type Shape = (usize, usize, usize);

/// Shapes of sessions of some minutes.
pub const LONG: &[Shape] = &[(2, 200, 10), (2, 1000, 20), (3, 300, 10)];

/// Shapes of sessions that are small enough for a search over all orders of utterances.
pub const SHORT: &[Shape] = &[(2, 100, 10), (2, 60, 6)];

/// Returns sessions as lines of JSON, first the recognizer's output and then the truth. In the output, one
/// word in eight is wrong, and one utterance in 20 has another speaker.
pub fn sessions(shapes: &[Shape]) -> [Vec<String>; 2] {
    let mut rng = Rng::new(36);
    let mut sides = [Vec::new(), Vec::new()];
    for &(speakers, words, per) in shapes {
        let mut now = 0.0;
        let mut lists: [Vec<String>; 2] = Default::default();
        for _ in 0..words / per {
            for speaker in 0..speakers {
                let spoken: Vec<usize> = (0..per).map(|_| frequent(&mut rng)).collect();
                let start = now + rng.below(100) as f64 / 100.0;
                // A word takes 0.35 s, but the next utterance starts after 0.1 s per word, so speakers
                // overlap.
                let end = start + per as f64 * 0.35;
                now = start + per as f64 * 0.1;
                let heard = if rng.chance(50) { rng.below(speakers) } else { speaker };
                let late = rng.below(40) as f64 / 100.0;
                let output: Vec<usize> =
                    spoken.iter().map(|&word| if rng.chance(125) { rng.below(3000) } else { word }).collect();
                lists[0].push(utterance(heard, [start + late, end + late], &output));
                lists[1].push(utterance(speaker, [start, end], &spoken));
            }
        }
        for (side, list) in sides.iter_mut().zip(lists) {
            side.push(format!("[{}]", list.join(", ")));
        }
    }
    sides
}

/// Draws a word; frequent words are drawn most often.
fn frequent(rng: &mut Rng) -> usize {
    let most = *rng.pick(&[30, 300, 3000]);
    rng.below(most)
}

fn utterance(speaker: usize, [start, end]: [f64; 2], words: &[usize]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
    format!(
        r#"{{"speaker": "s{speaker}", "start_time": {start:.2}, "end_time": {end:.2}, "words": "{}"}}"#,
        words.join(" ")
    )
}
