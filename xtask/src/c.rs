//! `cargo xtask c`: builds the C library in an installable folder, and tests it in C, C++ and Python's ctypes
//! over the golden rows and the examples of all metrics.
//!
//! `--full` adds the sanitizers, valgrind, CMake and the check that the header is current.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::process::{self, cargo, installed, output, run as spawn};
use xtask::{Result, venv};

const FOLDER: &str = "integrations/c";

/// Version of the program that makes the header.
const CBINDGEN: &str = "0.29.4";

/// Largest number of functions of the header: callers of other languages declare each of them.
const MOST_FUNCTIONS: usize = 25;

/// Flags of the compilers of C and C++ for all tests.
const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"];
const SANITIZERS: [&str; 3] =
    ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];

/// Runs `cargo xtask c [--full | --header | --pack [OPTION OF CARGO]..]`.
pub(crate) fn run(root: &Path, target: &Path, options: &[&str]) -> Result {
    match options {
        [] => test(root, target, false),
        ["--full"] => test(root, target, true),
        ["--header"] => {
            fs::write(root.join(FOLDER).join("include/bleuprint.h"), header(root, target)?)?;
            Ok(())
        }
        ["--pack", options @ ..] => pack(root, target, options),
        _ => {
            let known = "`--full`, `--header`, `--pack`";
            Err(format!("unknown option `{}`; there are {known}", options.join(" ")).into())
        }
    }
}

/// Tests the library of the workspace's own build.
fn test(root: &Path, target: &Path, full: bool) -> Result {
    process::build(root)?;
    let prefix = stage(root, &target.join("debug/deps"), &target.join("c"))?;
    symbols(root, &prefix)?;
    let build = target.join("c/tests");
    fs::create_dir_all(&build)?;
    let rows = build.join("rows.txt");
    let python = venv::find_python()?;
    spawn(Command::new(&python).arg(root.join(FOLDER).join("tests/flatten.py")).arg(&rows))?;
    let compile = |name: &str, source: &str, linked: &[&str], flags: &[&str]| {
        compile(root, &prefix, &build.join(name), source, linked, flags)
    };
    let golden = compile("golden", "tests/golden.c", STATIC, &[])?;
    spawn(Command::new(&golden).arg(&rows))?;
    let calls = compile("calls", "tests/calls.cpp", SHARED, &[])?;
    spawn(library_path(&mut Command::new(&calls), &prefix))?;
    let mut every = Command::new(&python);
    every.arg(root.join(FOLDER).join("tests/examples.py")).arg(prefix.join("lib/libbleuprint.so"));
    spawn(&mut every)?;
    examples(root, &prefix, &build, &python)?;
    if !full {
        return Ok(());
    }
    if fs::read_to_string(root.join(FOLDER).join("include/bleuprint.h"))? != header(root, target)? {
        return Err("the header is not current: run `cargo xtask c --header`".into());
    }
    for (source, name) in [("tests/golden.c", "golden-sanitized"), ("tests/calls.cpp", "calls-sanitized")] {
        let program = compile(name, source, STATIC, &SANITIZERS)?;
        spawn(Command::new(program).arg(&rows).env("ASAN_OPTIONS", "detect_stack_use_after_return=1"))?;
    }
    let some = build.join("some-rows.txt");
    part_of(&rows, &some)?;
    for program in [&golden, &calls] {
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--error-exitcode=1", "--leak-check=full"]);
        // The pool of threads lives as long as the program.
        command.args(["--errors-for-leak-kinds=definite", "--show-leak-kinds=definite"]);
        spawn(library_path(&mut command, &prefix).arg(program).arg(&some).env("BLEUPRINT_SOME_ROWS", "1"))?;
    }
    go(root, &prefix, &build)?;
    cmake(root, &prefix, &build)
}

/// Writes every tenth row of a file: under valgrind a call takes fifty times as long.
fn part_of(rows: &Path, some: &Path) -> Result {
    let text = fs::read_to_string(rows)?;
    let mut starts: Vec<usize> = text.match_indices("\nrow ").map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    starts.push(text.len());
    let kept = starts.windows(2).step_by(10).map(|pair| &text[pair[0]..pair[1]]);
    Ok(fs::write(some, kept.collect::<String>())?)
}

const SHARED: &[&str] = &["-lbleuprint", "-lpthread", "-lm"];
const STATIC: &[&str] = &["-l:libbleuprint.a", "-lpthread", "-ldl", "-lm"];

/// Compiles a program with the library in `prefix`, and returns its path.
fn compile(
    root: &Path,
    prefix: &Path,
    program: &Path,
    source: &str,
    linked: &[&str],
    flags: &[&str],
) -> Result<PathBuf> {
    let (compiler, standard) =
        if source.ends_with(".c") { ("cc", "-std=c11") } else { ("c++", "-std=c++17") };
    let mut command = Command::new(compiler);
    command.arg(standard).args(WARNINGS).args(flags).arg("-I").arg(prefix.join("include"));
    command.arg(root.join(FOLDER).join(source)).arg("-L").arg(prefix.join("lib"));
    spawn(command.args(linked).arg("-o").arg(program))?;
    Ok(program.to_path_buf())
}

fn library_path<'c>(command: &'c mut Command, prefix: &Path) -> &'c mut Command {
    command.env("LD_LIBRARY_PATH", prefix.join("lib"))
}

/// Compiles and runs the examples as their first lines say.
fn examples(root: &Path, prefix: &Path, build: &Path, python: &str) -> Result {
    let flags = |library: &str| -> Result<Vec<String>> {
        let mut command = Command::new("pkg-config");
        command.args(["--cflags", "--libs", library]).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        Ok(output(&mut command)?.split_whitespace().map(str::to_owned).collect())
    };
    let flags = flags("bleuprint")?;
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let ranks = compile(root, prefix, &build.join("ranks"), "examples/ranks.c", &flags, &[])?;
    expect(library_path(&mut Command::new(ranks), prefix), "BLEU 89.22 of 3 segments")?;
    let lines = compile(root, prefix, &build.join("lines"), "examples/lines.cpp", &flags, &[])?;
    let data = root.join("examples/data");
    let mut command = Command::new(lines);
    library_path(&mut command, prefix)
        .arg("bleu")
        .args([data.join("en.sys-a.txt"), data.join("en.ref1.txt")]);
    expect(&mut command, "\"signature\":\"BLEU|nrefs:1|")?;
    let mut scores = Command::new(python);
    scores.arg(root.join(FOLDER).join("examples/scores.py")).arg(prefix.join("lib/libbleuprint.so"));
    expect(&mut scores, "did you mean `bleu`?")
}

fn expect(command: &mut Command, words: &str) -> Result {
    let printed = output(command)?;
    if printed.contains(words) {
        return Ok(());
    }
    Err(format!("{command:?} prints `{}`, without `{words}`", printed.trim_end()).into())
}

/// Compares the functions of the header with the functions of the shared library.
fn symbols(root: &Path, prefix: &Path) -> Result {
    let header = fs::read_to_string(root.join(FOLDER).join("include/bleuprint.h"))?;
    let code = header.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    let declared: BTreeSet<String> = code.filter_map(function).map(str::to_owned).collect();
    let mut nm = Command::new("nm");
    let printed = output(nm.args(["-D", "--defined-only"]).arg(prefix.join("lib/libbleuprint.so")))?;
    let names = printed.lines().filter_map(|line| line.split(' ').next_back());
    let exported: BTreeSet<String> =
        names.filter(|name| name.starts_with("bleuprint_")).map(str::to_owned).collect();
    if declared != exported {
        let differ: Vec<&String> = declared.symmetric_difference(&exported).collect();
        return Err(format!("the header and the library differ: {differ:?}; `cargo xtask c --header`").into());
    }
    if declared.len() > MOST_FUNCTIONS {
        return Err(
            format!("the header has {} functions, the limit is {MOST_FUNCTIONS}", declared.len()).into()
        );
    }
    println!("  {} functions", declared.len());
    Ok(())
}

/// Returns the name of the function that a line of the header declares.
fn function(line: &str) -> Option<&str> {
    let before = line.split('(').next().filter(|_| line.contains('('))?;
    let name = before.rsplit([' ', '*']).next()?;
    name.starts_with("bleuprint_").then_some(name)
}

/// Returns the header as cbindgen makes it.
fn header(root: &Path, target: &Path) -> Result<String> {
    let program = installed(root, target, "cbindgen", CBINDGEN)?;
    output(Command::new(program).arg("--quiet").current_dir(root.join(FOLDER)))
}

/// Copies header and libraries into the folders that compilers and package managers expect.
fn stage(root: &Path, built: &Path, prefix: &Path) -> Result<PathBuf> {
    let from = root.join(FOLDER);
    let copy = |from: PathBuf, to: &str| -> Result {
        let to = prefix.join(to);
        fs::create_dir_all(to.parent().ok_or("a file without a folder")?)?;
        if to.exists() {
            fs::remove_file(&to)?;
        }
        // The libraries of tests have 250 MB; a link takes no time.
        fs::hard_link(&from, &to)
            .or_else(|_| fs::copy(&from, &to).map(drop))
            .map_err(|error| format!("cannot copy {from:?}: {error}"))?;
        Ok(())
    };
    copy(from.join("include/bleuprint.h"), "include/bleuprint.h")?;
    copy(from.join("include/bleuprint.hpp"), "include/bleuprint.hpp")?;
    copy(from.join("cmake/bleuprint-config.cmake"), "lib/cmake/bleuprint/bleuprint-config.cmake")?;
    let mut libraries = 0;
    for (made, name) in [
        ("libbleuprint_c.a", "lib/libbleuprint.a"),
        ("libbleuprint_c.so", "lib/libbleuprint.so.0"),
        ("libbleuprint_c.dylib", "lib/libbleuprint.0.dylib"),
        ("bleuprint_c.dll", "bin/bleuprint.dll"),
        ("bleuprint_c.dll.lib", "lib/bleuprint.dll.lib"),
        ("bleuprint_c.lib", "lib/bleuprint.lib"),
    ] {
        if built.join(made).exists() {
            copy(built.join(made), name)?;
            libraries += 1;
        }
    }
    if libraries < 2 {
        return Err(format!("{built:?} has no shared and static library of bleuprint-c").into());
    }
    #[cfg(unix)]
    for (library, name) in
        [("libbleuprint.so.0", "libbleuprint.so"), ("libbleuprint.0.dylib", "libbleuprint.dylib")]
    {
        let link = prefix.join("lib").join(name);
        if prefix.join("lib").join(library).exists() && !link.exists() {
            std::os::unix::fs::symlink(library, link)?;
        }
    }
    let package = fs::read_to_string(from.join("bleuprint.pc.in"))?;
    fs::create_dir_all(prefix.join("lib/pkgconfig"))?;
    let version = env!("CARGO_PKG_VERSION");
    fs::write(prefix.join("lib/pkgconfig/bleuprint.pc"), package.replace("@VERSION@", version))?;
    Ok(prefix.to_path_buf())
}

/// Builds the library of a release, and packs its folder.
fn pack(root: &Path, target: &Path, options: &[&str]) -> Result {
    let build = ["build", "--profile", "dist", "--locked", "--package", "bleuprint-c"];
    spawn(cargo(root, &build).args(options))?;
    let (built, system) = match options {
        ["--target", triple, ..] => (target.join(triple).join("dist"), *triple),
        _ => (target.join("dist"), "host"),
    };
    let name = format!("libbleuprint-{system}");
    let below = target.join("c-packed");
    if below.exists() {
        fs::remove_dir_all(&below)?;
    }
    let prefix = stage(root, &built, &below.join(&name))?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(file), prefix.join(file))?;
    }
    let archive = below.join(format!("{name}.tar.gz"));
    spawn(Command::new("tar").arg("-czf").arg(&archive).arg("-C").arg(&below).arg(&name))?;
    println!("  {}: {} bytes", archive.display(), fs::metadata(&archive)?.len());
    Ok(())
}

/// Runs the Go example, if Go is there.
fn go(root: &Path, prefix: &Path, build: &Path) -> Result {
    if output(Command::new("go").arg("version")).is_err() {
        println!("  skipped: Go is not here");
        return Ok(());
    }
    let libraries = prefix.join("lib");
    let mut command = Command::new("go");
    command.arg("run").arg(root.join(FOLDER).join("examples/scores.go"));
    command.env("CGO_CFLAGS", format!("-I{}", prefix.join("include").display()));
    command.env("CGO_LDFLAGS", format!("-L{} -lbleuprint", libraries.display()));
    command.env("GOCACHE", build.join("go"));
    expect(library_path(&mut command, prefix), "did you mean `bleu`?")
}

/// Builds the C++ example with CMake, if CMake is there.
fn cmake(root: &Path, prefix: &Path, build: &Path) -> Result {
    if output(Command::new("cmake").arg("--version")).is_err() {
        println!("  skipped: CMake is not here");
        return Ok(());
    }
    let folder = build.join("cmake");
    fs::create_dir_all(&folder)?;
    let example = root.join(FOLDER).join("examples/lines.cpp");
    let project = format!(
        "cmake_minimum_required(VERSION 3.16)\nproject(lines CXX)\nset(CMAKE_CXX_STANDARD 17)\nfind_package(bleuprint REQUIRED)\n\
         foreach(kind shared static)\n  add_executable(lines-${{kind}} \"{}\")\n  \
         target_link_libraries(lines-${{kind}} bleuprint::${{kind}})\nendforeach()\n",
        example.display()
    );
    fs::write(folder.join("CMakeLists.txt"), project)?;
    let made = folder.join("made");
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    output(Command::new("cmake").arg("-S").arg(&folder).arg("-B").arg(&made).arg(prefix))?;
    output(Command::new("cmake").arg("--build").arg(&made)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_a_header_are_found() {
        assert_eq!(
            function("enum bleuprint_status bleuprint_state_clear(struct bleuprint_state *state);"),
            Some("bleuprint_state_clear")
        );
        assert_eq!(function("const char *bleuprint_version(void);"), Some("bleuprint_version"));
        assert_eq!(function("typedef struct bleuprint_state bleuprint_state;"), None);
        assert_eq!(function("                 struct bleuprint_bytes *out);"), None);
    }

    #[test]
    fn unknown_options_are_errors() {
        let root = Path::new("nowhere");
        assert!(run(root, root, &["--fast"]).unwrap_err().to_string().contains("--full"));
    }
}
