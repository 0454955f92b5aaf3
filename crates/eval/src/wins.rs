//! [`NgramWin`]: an n-gram that one system gets right more often than the other.

/// How often an n-gram occurs in the references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Frequency {
    /// Once.
    Once,
    /// 2 to 5 times.
    Rare,
    /// 6 to 50 times.
    Medium,
    /// More often.
    Frequent,
}

impl Frequency {
    /// The class of a count.
    pub(crate) fn of(count: u64) -> Self {
        match count {
            0..=1 => Frequency::Once,
            2..=5 => Frequency::Rare,
            6..=50 => Frequency::Medium,
            _ => Frequency::Frequent,
        }
    }

    /// The name of the class, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Frequency::Once => "once",
            Frequency::Rare => "rare",
            Frequency::Medium => "medium",
            Frequency::Frequent => "frequent",
        }
    }
}

/// One n-gram that the systems match differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NgramWin {
    /// Its tokens.
    pub tokens: Vec<String>,
    /// Matches of the first system, each segment's at most as many as in the reference that has it most often.
    pub first: u64,
    /// Matches of the second.
    pub second: u64,
    /// How often the references have it: the greatest count of each segment's references, summed.
    pub references: u64,
}

impl NgramWin {
    /// How common it is in the references.
    pub fn frequency(&self) -> Frequency {
        Frequency::of(self.references)
    }
}

#[cfg(test)]
#[test]
fn the_classes_begin_where_they_say() {
    let classes = [0, 1, 2, 5, 6, 50, 51].map(|count| Frequency::of(count).name());
    assert_eq!(classes, ["once", "once", "rare", "rare", "medium", "medium", "frequent"]);
}
