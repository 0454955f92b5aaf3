//! A reference implementation of the syntax part: the parser prints every sub-tree, and the texts are
//! compared.

use std::collections::HashSet;

use bleuprint_core::Choice as _;
use bleuprint_testkit::random::Rng;
use tree_sitter::{Node, Parser};

use crate::Language;
use crate::syntax::Shapes;
use crate::tree::SyntaxTree;

fn printed(node: Node<'_>, into: &mut Vec<String>, root: bool) {
    if root || node.child_count() > 0 {
        into.push(node.to_sexp());
    }
    for child in node.children(&mut node.walk()) {
        printed(child, into, false);
    }
}

/// Pieces of programs, separated by `~`.
const PIECES: &str = concat!(
    "x~y1~=~+=~+~==~(~)~{~}~[~]~;~,~:~\n~\n    ~ ~if~else~for~while~return~def f(a, b=1):~",
    "function f(a) {~int main() {~class A {~fn f(x: i32) -> i32 {~<?php ~$a~end~do~",
    "package main\n~func f() int {~x := 1~let~var~new A()~\"s\"~'c'~`t ${x}`~// c\n~# c\n~",
    "/* c */~1.5~->~=>~i++~in~a.b~é~→~@~?~switch~case 1:~async~lambda q: q~",
    "for (int i = 0; i < n; i++) {~try {~} catch (E e) {~#include <a>\n~using System;",
);

#[test]
fn numbers_of_sub_trees_are_those_of_their_texts() {
    let pieces: Vec<&str> = PIECES.split('~').collect();
    let mut rng = Rng::new(21);
    let mut parser = Parser::new();
    for language in Language::ALL {
        let mut text = || -> String {
            (0..rng.below(30)).map(|_| pieces[rng.below(pieces.len())]).collect::<Vec<_>>().join(" ")
        };
        let mut texts: Vec<String> = (0..120).map(|_| text()).collect();
        // Both errors print as (ERROR), though one has children.
        texts.extend(["{ n = n 1; }", "{ n := = 1; }"].map(str::to_owned));
        parser.set_language(&language.grammar()).unwrap();
        let sides: Vec<(SyntaxTree, Shapes, Vec<String>)> = texts
            .iter()
            .map(|text| {
                let mut own = Vec::new();
                printed(parser.parse(text, None).unwrap().root_node(), &mut own, true);
                let tree = SyntaxTree::parse(*language, text).unwrap();
                let shapes = Shapes::from_tree(&tree);
                (tree, shapes, own)
            })
            .collect();
        for (left, (_, shapes, own)) in sides.iter().enumerate() {
            assert_eq!(shapes.total, own.len() as u64, "{}", texts[left]);
            for (right, (tree, _, theirs)) in sides.iter().enumerate() {
                let theirs: HashSet<&String> = theirs.iter().collect();
                let matched = own.iter().filter(|shape| theirs.contains(shape)).count() as u64;
                let reference = &texts[left];
                let hypothesis = &texts[right];
                assert_eq!(shapes.matched(tree), matched, "{reference:?} {hypothesis:?}");
            }
        }
    }
}
