//! The papers of these metrics.

use bleuprint_registry::Paper;

pub(crate) const LABELS: &[Paper] = &[
    Paper::new("cohen-1960-kappa", "Cohen, Jacob", "A Coefficient of Agreement for Nominal Scales", 1960)
        .at("Educational and Psychological Measurement 20(1)")
        .link("https://doi.org/10.1177/001316446002000104"),
    Paper::new(
        "gorodkin-2004-correlation",
        "Gorodkin, Jan",
        "Comparing two K-category assignments by a K-category correlation coefficient",
        2004,
    )
    .at("Computational Biology and Chemistry 28(5-6)")
    .link("https://doi.org/10.1016/j.compbiolchem.2004.09.006"),
];

pub(crate) const SPANS: &[Paper] = &[Paper::new(
    "tjong-kim-sang-de-meulder-2003-conll",
    "Tjong Kim Sang, Erik F. and De Meulder, Fien",
    "Introduction to the CoNLL-2003 Shared Task: Language-Independent Named Entity Recognition",
    2003,
)
.at("Proceedings of the Seventh Conference on Natural Language Learning at HLT-NAACL 2003")
.link("https://aclanthology.org/W03-0419/")];

pub(crate) const SQUAD2: &[Paper] = &[Paper::new(
    "rajpurkar-etal-2018-know",
    "Rajpurkar, Pranav and Jia, Robin and Liang, Percy",
    "Know What You Don't Know: Unanswerable Questions for SQuAD",
    2018,
)
.at("Proceedings of the 56th Annual Meeting of the Association for Computational Linguistics (Volume 2: Short Papers)")
.link("https://aclanthology.org/P18-2124/")];

pub(crate) const DROP: &[Paper] = &[Paper::new(
    "dua-etal-2019-drop",
    "Dua, Dheeru and Wang, Yizhong and Dasigi, Pradeep and Stanovsky, Gabriel and Singh, Sameer and Gardner, Matt",
    "DROP: A Reading Comprehension Benchmark Requiring Discrete Reasoning Over Paragraphs",
    2019,
)
.at("Proceedings of the 2019 Conference of the North American Chapter of the Association for Computational Linguistics: Human Language Technologies, Volume 1 (Long and Short Papers)")
.link("https://aclanthology.org/N19-1246/")];
