//! A language of the example data: word lists and templates, and how they become a sentence.
//!
//! Template notation: `{slot}` is filled from the frame, `<a|b>` is a choice, `«` and `»` are quotation marks of
//! the style that the sentence drew (plain, `&quot;` as scraped text has it, or typographic).

use bleuprint_testkit::random::Rng;
use serde::Deserialize;

use super::frame::{Frame, SHOPS};

/// Words and templates; the lists are as long as the constants of `frame` say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Language {
    /// ISO code, the first part of the file names.
    pub(crate) code: String,
    pub(crate) spaced: bool,
    pub(crate) thousands: char,
    pub(crate) decimal: char,
    /// Between hours and minutes.
    pub(crate) clock: String,
    /// Between the goals of a match.
    pub(crate) goals: String,
    pub(crate) marks: Vec<(String, String)>,
    pub(crate) people: Vec<String>,
    pub(crate) towns: Vec<String>,
    pub(crate) items: Vec<String>,
    /// Two forms each, `subject|where`.
    pub(crate) places: Vec<String>,
    pub(crate) days: Vec<String>,
    pub(crate) reasons: Vec<String>,
    pub(crate) quotes: Vec<String>,
    /// Templates of the main sentence, by kind.
    pub(crate) kinds: Vec<Vec<String>>,
    /// Templates of the second sentence, by tail.
    pub(crate) tails: Vec<Vec<String>>,
    /// What a bad system writes instead of a word (or character, where there are no spaces).
    pub(crate) slips: Vec<(String, String)>,
}

impl Language {
    /// One way of saying the frame. `favourite` is the template that this voice prefers and takes `loyalty`
    /// times in a thousand.
    pub(crate) fn say(&self, frame: &Frame, favourite: usize, loyalty: usize, rng: &mut Rng) -> String {
        let mut choose = |templates: &[String]| {
            let loyal = rng.chance(loyalty);
            let any = rng.below(templates.len());
            templates[if loyal { favourite % templates.len() } else { any }].clone()
        };
        let mut template = choose(&self.kinds[frame.kind]);
        if let Some(tail) = frame.tail {
            template += &choose(&self.tails[tail]);
        }
        let chosen = choices(&template, rng);
        // Most text has plain quotation marks; the other styles are as rare as they are in real files.
        let style = if rng.chance(700) { 0 } else { rng.below(self.marks.len()) };
        let ampersand = if rng.chance(300) { "&amp;" } else { "&" };
        capitalise(&self.fill(&chosen, frame, &self.marks[style], ampersand))
    }

    fn fill(&self, template: &str, frame: &Frame, marks: &(String, String), ampersand: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            out.push_str(&rest[..open]);
            let close = rest[open..].find('}').map_or(rest.len(), |at| open + at);
            out.push_str(&self.slot(&rest[open + 1..close], frame, ampersand));
            rest = &rest[(close + 1).min(rest.len())..];
        }
        out.push_str(rest);
        out.replace('«', &marks.0).replace('»', &marks.1)
    }

    fn slot(&self, name: &str, frame: &Frame, ampersand: &str) -> String {
        let form = |entry: &str, number: usize| entry.split('|').nth(number).unwrap_or(entry).to_owned();
        match name {
            "person" => self.people[frame.person].clone(),
            "town" => self.towns[frame.town].clone(),
            "town2" => self.towns[frame.other_town].clone(),
            "item" => self.items[frame.item].clone(),
            "place" => form(&self.places[frame.place], 0),
            "at" => form(&self.places[frame.place], 1),
            "day" => self.days[frame.day].clone(),
            "reason" => self.reasons[frame.reason].clone(),
            "quote" => self.quotes[frame.quote].clone(),
            "shop" => SHOPS[frame.shop].replace('&', ampersand),
            "count" => self.grouped(frame.count),
            "money" => format!("{}{}{:02}", self.grouped(frame.cents / 100), self.decimal, frame.cents % 100),
            "dec" | "percent" => format!("{}{}{}", frame.tenths / 10, self.decimal, frame.tenths % 10),
            "low" => frame.low.to_string(),
            "high" => frame.high.to_string(),
            "time" => format!("{}{}{:02}", frame.hour, self.clock, frame.minute),
            "goals" => format!("{}{}{}", frame.goals.0, self.goals, frame.goals.1),
            "phone" => frame.phone.to_string(),
            unknown => format!("{{{unknown}}}"),
        }
    }

    fn grouped(&self, number: usize) -> String {
        match number / 1000 {
            0 => number.to_string(),
            thousands => format!("{}{}{:03}", self.grouped(thousands), self.thousands, number % 1000),
        }
    }
}

/// Replaces every `<a|b>` by one of its sides.
fn choices(template: &str, rng: &mut Rng) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let close = rest[open..].find('>').map_or(rest.len(), |at| open + at);
        let sides: Vec<&str> = rest[open + 1..close].split('|').collect();
        out.push_str(sides[rng.below(sides.len())]);
        rest = &rest[(close + 1).min(rest.len())..];
    }
    out + rest
}

/// The first letter of the text as a capital, whatever stands before it.
fn capitalise(text: &str) -> String {
    match text.char_indices().next() {
        Some((_, first)) if first.is_lowercase() => {
            first.to_uppercase().collect::<String>() + &text[first.len_utf8()..]
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::{DAYS, Frame, ITEMS, KINDS, PEOPLE, PLACES, QUOTES, REASONS, TAILS, TOWNS};
    use super::super::languages;
    use super::*;

    #[test]
    fn every_language_has_every_list_and_template() {
        for language in &languages() {
            let lists = [
                (language.people.len(), PEOPLE),
                (language.towns.len(), TOWNS),
                (language.items.len(), ITEMS),
                (language.places.len(), PLACES),
                (language.days.len(), DAYS),
                (language.reasons.len(), REASONS),
                (language.quotes.len(), QUOTES),
                (language.kinds.len(), KINDS),
                (language.tails.len(), TAILS),
            ];
            assert!(lists.iter().all(|(have, want)| have == want), "{}: {lists:?}", language.code);
        }
    }

    #[test]
    fn no_notation_is_left_in_a_sentence() {
        let mut rng = Rng::new(1);
        for _ in 0..3000 {
            let frame = Frame::random(&mut rng);
            for language in &languages() {
                let text = language.say(&frame, 0, 300, &mut rng);
                assert!(!text.contains(['{', '}', '<', '>', '|', '«', '»']), "{text}");
                assert!(!text.contains("  ") && text == text.trim(), "{text:?}");
            }
        }
    }

    #[test]
    fn thousands_are_grouped() {
        let english = &languages()[0];
        assert_eq!(english.grouped(999), "999");
        assert_eq!(english.grouped(1000), "1,000");
        assert_eq!(english.grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn choices_take_one_side() {
        let mut rng = Rng::new(0);
        assert!(["a b", "a c"].contains(&choices("a <b|c>", &mut rng).as_str()));
        assert_eq!(choices("plain", &mut rng), "plain");
    }
}
