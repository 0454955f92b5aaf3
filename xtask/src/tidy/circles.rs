//! The rule of cycles: at most two files of a package use each other, directly or through others.
//!
//! A file uses another by a path of its code (`crate::`, `super::`, `self::`), in a `use` or elsewhere, whose
//! item is declared there. Exports are followed to the declaration, and are not a use themselves.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Finding, SourceTree, TreeFile};

/// Packages that may still have cycles; a package without cycles must be removed from this list.
const NOT_YET: &[&str] = &[];

/// Names of modules, from the root of the package.
type Place = Vec<String>;

/// Finds cycles of more than two files, except in the packages that may have them.
pub(crate) fn circles(tree: &SourceTree) -> Vec<Finding> {
    let mut packages: BTreeMap<&str, ModuleGraph<'_>> = BTreeMap::new();
    for file in tree.rust() {
        if let Some((package, below)) = file.path.split_once("/src/") {
            packages.entry(package).or_default().add(below, file);
        }
    }
    let mut findings = Vec::new();
    for (name, package) in packages {
        let circles = package.circles();
        match (NOT_YET.contains(&name), circles.first()) {
            (true, None) => findings.push(Finding {
                place: name.to_owned(),
                message: "has no circles any more: leave it out of NOT_YET in circles.rs".to_owned(),
            }),
            (false, Some(_)) => findings.extend(circles.iter().map(|circle| {
                let files: Vec<&str> =
                    circle.iter().map(|place| package.files[*place].path.as_str()).collect();
                Finding { place: files[0].to_owned(), message: format!("a circle: {}", files.join(", ")) }
            })),
            _ => {}
        }
    }
    findings
}

#[derive(Default)]
struct ModuleGraph<'t> {
    files: BTreeMap<Place, &'t TreeFile>,
    /// Paths that each module uses, and what each module exports by the last name.
    uses: BTreeMap<Place, Vec<Place>>,
    exports: BTreeMap<Place, Vec<Place>>,
}

impl<'t> ModuleGraph<'t> {
    fn add(&mut self, below: &str, file: &'t TreeFile) {
        let mut place: Place = below.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if place.last().is_some_and(|name| ["lib", "main", "mod"].contains(&name.as_str())) {
            place.pop();
        }
        let code: String = file.code().flat_map(|(_, line)| [line.trim(), "\n"]).collect();
        for statement in code.split(';') {
            // Text before the statement ends a block.
            let used =
                |line: &&str| line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ");
            let lines: Vec<&str> = statement.lines().skip_while(|line| !used(line)).collect();
            let other: String =
                statement.lines().take_while(|line| !used(line)).flat_map(|line| [line, "\n"]).collect();
            let paths = paths(&other).map(|path| absolute(&place, &path));
            self.uses.entry(place.clone()).or_default().extend(paths);
            let Some((before, path)) =
                lines.join(" ").split_once("use ").map(|(b, p)| (b.to_owned(), p.to_owned()))
            else {
                continue;
            };
            let list = if before.is_empty() { &mut self.uses } else { &mut self.exports };
            list.entry(place.clone())
                .or_default()
                .extend(names(&path).iter().map(|path| absolute(&place, path)));
        }
        self.files.insert(place, file);
    }

    fn home(&self, path: &[String], depth: usize) -> Option<Place> {
        let module = (0..=path.len()).rev().map(|end| &path[..end]).find(|m| self.files.contains_key(*m))?;
        let rest = &path[module.len()..];
        let exports = self.exports.get(module).into_iter().flatten();
        let export =
            exports.into_iter().find(|export| rest.first().is_some_and(|name| export.last() == Some(name)));
        match export {
            Some(export) if depth > 0 => self.home(&[export, &rest[1..]].concat(), depth - 1),
            _ => Some(module.to_vec()),
        }
    }

    fn circles(&self) -> Vec<BTreeSet<&Place>> {
        let reached: BTreeMap<&Place, BTreeSet<Place>> =
            self.files.keys().map(|place| (place, self.reach(place))).collect();
        let mut circles: Vec<BTreeSet<&Place>> = Vec::new();
        for (place, far) in &reached {
            let back = |other: &&&Place| far.contains(**other) && reached[*other].contains(*place);
            let circle: BTreeSet<&Place> = reached.keys().filter(back).copied().collect();
            if circle.len() > 2 && circle.first() == Some(place) {
                circles.push(circle);
            }
        }
        circles
    }

    fn reach(&self, from: &Place) -> BTreeSet<Place> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from.clone()];
        while let Some(place) = open.pop() {
            let used = self.uses.get(&place).into_iter().flatten().filter_map(|path| self.home(path, 8));
            for next in used.filter(|next| *next != place) {
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        reached
    }
}

/// Returns the paths in code that begin at the root of the package or at the module itself, such as
/// `crate::a::b`.
fn paths(code: &str) -> impl Iterator<Item = String> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    ["crate::", "super::", "self::"].into_iter().flat_map(move |root| {
        code.match_indices(root).filter_map(move |(at, _)| {
            let before = &code[..at];
            // `$crate::` belongs to the file that calls the macro, and `pub(in super::super)` uses nothing.
            let is_root = !before.ends_with(|letter| is_part(letter) || letter == '$');
            let path = code[at..].split(|letter| !is_part(letter)).next()?;
            (is_root && !before.ends_with("(in ")).then(|| path.trim_end_matches(':').to_owned())
        })
    })
}

/// Returns the paths of a group: `a::{b, c::d}` gives `a::b` and `a::c::d`.
fn names(path: &str) -> Vec<String> {
    let Some((before, group)) = path.split_once('{') else {
        return path.split(" as ").next().map(|path| path.trim().to_owned()).into_iter().collect();
    };
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for character in group.trim().trim_end_matches('}').chars() {
        depth += i32::from(character == '{') - i32::from(character == '}');
        match parts.last_mut() {
            Some(part) if character != ',' || depth > 0 => part.push(character),
            _ => parts.push(String::new()),
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(names).map(|name| format!("{}{name}", before.trim())).collect()
}

/// Returns a path from the root of the package. For another package, returns a path below the module itself,
/// which leads nowhere.
fn absolute(place: &Place, path: &str) -> Place {
    let mut names = path.split("::").filter(|name| *name != "self").peekable();
    let mut absolute = place.clone();
    if names.next_if_eq(&"crate").is_some() {
        absolute.clear();
    }
    while names.next_if_eq(&"super").is_some() {
        absolute.pop();
    }
    absolute.extend(names.map(str::to_owned));
    absolute
}
