//! Missing or damaged data files: the errors must name the file.

use std::path::Path;

use bleuprint_captions::ENTRIES;
use bleuprint_registry::{MetricOptions, Registry};
use bleuprint_testkit::Folder;
use bleuprint_text::read::option_file;

fn error(folder: &Path, others: &[(&str, &str)]) -> String {
    let mut options = MetricOptions::default();
    options.set_files(option_file);
    options.set("data", folder.to_str().unwrap());
    others.iter().for_each(|(name, value)| options.set(name, value));
    let built = Registry::from_entries(ENTRIES).unwrap().get("meteor15").unwrap().build(&options);
    built.err().map(|error| error.to_string()).unwrap_or_default()
}

fn of_synsets(synsets: &str) -> (Folder, String) {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("synonym")).unwrap();
    std::fs::create_dir(folder.path("data")).unwrap();
    folder.file("synonym/english.synsets", synsets);
    folder.file("synonym/english.exceptions", "go\nwent gone\n");
    let error = error(folder.as_ref(), &[]);
    (folder, error)
}

#[test]
fn a_folder_without_the_jar_is_refused() {
    let folder = Folder::new();
    assert!(error(folder.as_ref(), &[]).contains("meteor-1.5.jar"));
    folder.file("meteor-1.5.jar", "no jar");
    assert!(error(folder.as_ref(), &[]).contains("no archive"));
    assert!(error(folder.as_ref(), &[("lang", "de"), ("modules", "exact")]).contains("german.prefixes"));
    assert_eq!(error(folder.as_ref(), &[("modules", "exact+stem")]), "");
}

#[test]
fn a_table_that_is_absent_cut_off_or_empty_is_told_of() {
    let (folder, missing) = of_synsets("cat\n1\n");
    assert!(missing.contains("data/paraphrase-en.gz"), "{missing}");
    let table = folder.file("data/paraphrase-en.gz", "0.5\na\nb\n");
    assert!(error(folder.as_ref(), &[]).contains("its content does not"));
    assert!(error(folder.as_ref(), &[("modules", "exact+stem+synonym")]).is_empty());
    std::fs::write(&table, [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]).unwrap();
    assert!(error(folder.as_ref(), &[]).contains("cut off"));
    let plain = folder.file("table", "0.5\na\nb\n0.5\na");
    let given = [("paraphrases", plain.to_str().unwrap())];
    assert!(error(folder.as_ref(), &given).contains("table, line 4: two phrases must follow"));
    std::fs::write(&plain, "").unwrap();
    assert_eq!(error(folder.as_ref(), &given), "");
}

#[test]
fn a_damaged_list_of_synonyms_is_refused_with_its_line() {
    assert!(of_synsets("cat\n1\ndog\n").1.contains("english.synsets, line 3"));
    assert!(of_synsets("cat\nx\n").1.contains("english.synsets, line 2: `x` is no id"));
}
