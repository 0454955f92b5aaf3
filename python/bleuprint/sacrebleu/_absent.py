"""Names of sacreBLEU that this package does not have, with the reason."""

#: Public names of `sacrebleu` and `sacrebleu.utils` that deal with test sets.
TEST_SETS = {
    "DATASETS",
    "SACREBLEU_DIR",
    "SUBSETS",
    "USERHOME",
    "download_file",
    "download_test_set",
    "extract_tarball",
    "filter_subset",
    "get_available_origlangs",
    "get_available_subsets",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_md5sum",
    "print_subset_results",
    "print_test_set",
}


def absent(name: str) -> str:
    """Return the error message for a name that deals with test sets."""
    return f"bleuprint.sacrebleu has no {name}: it holds and downloads no test sets; bleuprint.TestSet reads those that are there"
