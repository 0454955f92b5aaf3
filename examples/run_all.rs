//! Every example, run as a test: an example that no longer holds fails here.
#![allow(clippy::print_stdout, reason = "examples speak to whoever runs them")]

mod characters;
mod custom_metric;
mod custom_token;
mod merge_shards;
mod quickstart;
mod token_ids;
mod vectors;

#[test]
fn every_example_runs() {
    characters::main();
    custom_metric::main();
    custom_token::main();
    merge_shards::main();
    quickstart::main();
    token_ids::main();
    vectors::main();
}
