//! Facts as text, one line per declaration, and the difference of two such texts.

use std::fmt::Write as _;

use rift_base::{ByteRange, Facet, line_of};
use rift_syntax::{DeclPosition, Declaration, FileFacts, Joins, Parameter};

/// The facts of `source` in the format of `testdata/README.md`.
pub(crate) fn dump(source: &str, facts: &FileFacts, options: &[String]) -> String {
    let mut out = String::new();
    let outline = &facts.outline;
    if let Some(package) = &outline.package {
        let _ = writeln!(out, "package: {package}");
    }
    let mut tags: Vec<u64> = Vec::new();
    for (id, declaration) in outline.iter() {
        let depth = std::iter::successors(declaration.container, |c| outline.get(*c)?.container).count();
        let indent = "  ".repeat(depth);
        let _ = writeln!(out, "{indent}{}", headline(declaration));
        let mut detail = |line: String| {
            let _ = writeln!(out, "{indent}  {}", line.trim_end());
        };
        documentation(declaration, options, &mut detail);
        if declaration.file_local {
            detail("linkage: file".to_owned());
        }
        if options.iter().any(|o| o == "parts") {
            parts(declaration, &mut detail);
        }
        if options.iter().any(|o| o == "ranges") {
            ranges(source, &facts.positions[id.0 as usize], &mut detail);
        }
        if options.iter().any(|o| o == "joins") {
            detail(format!("joins: {}", joins(declaration.joins, &mut tags)));
        }
    }
    for problem in &outline.problems {
        let _ = writeln!(out, "problem: {problem:?}");
    }
    out
}

fn headline(declaration: &Declaration) -> String {
    let facets: Vec<&str> = declaration.facets.iter().map(Facet::wire).collect();
    let mut line = format!("{} {} [{}]", declaration.kind, declaration.path, facets.join(" "));
    if let Some(visibility) = &declaration.visibility {
        let _ = write!(line, " {visibility}");
    }
    if !declaration.signature.is_empty() {
        let _ = write!(line, " | {}", declaration.signature);
    }
    line
}

fn documentation(declaration: &Declaration, options: &[String], detail: &mut impl FnMut(String)) {
    let Some(documentation) = &declaration.documentation else { return };
    let word = if documentation.markdown { "doc" } else { "doc(plain)" };
    let count = if options.iter().any(|o| o == "docs") { usize::MAX } else { 1 };
    for line in documentation.text.split('\n').take(count) {
        detail(format!("{word}: {line}"));
    }
}

fn parts(declaration: &Declaration, detail: &mut impl FnMut(String)) {
    if !declaration.modifiers.is_empty() {
        detail(format!("modifiers: {}", declaration.modifiers.join(", ")));
    }
    if let Some(value_type) = &declaration.value_type {
        detail(format!("type: {value_type}"));
    }
    let Some(callable) = &declaration.callable else { return };
    if let Some(receiver) = &callable.receiver {
        detail(format!("receiver: {}", parameter(receiver)));
    }
    for each in &callable.parameters {
        detail(format!("param: {}", parameter(each)));
    }
    for each in &callable.returns {
        detail(format!("returns: {each}"));
    }
}

fn parameter(parameter: &Parameter) -> String {
    let mut out = String::new();
    if parameter.variadic {
        out.push_str("...");
    }
    out.push_str(parameter.name.as_deref().unwrap_or("_"));
    if parameter.optional {
        out.push('?');
    }
    if let Some(annotation) = &parameter.annotation {
        let _ = write!(out, ": {annotation}");
    }
    if let Some(default) = &parameter.default {
        let _ = write!(out, " = {default}");
    }
    out
}

fn ranges(source: &str, position: &DeclPosition, detail: &mut impl FnMut(String)) {
    if position.declaration != position.item {
        detail(format!("declaration: {}", excerpt(source, position.declaration)));
    }
    detail(format!("item: {}", excerpt(source, position.item)));
    detail(format!("name: {}", excerpt(source, position.name)));
    detail(format!("body: {}", excerpt(source, position.body)));
}

fn excerpt(source: &str, range: ByteRange) -> String {
    let (first, text) = (line_of(source, range.start as usize), range.of(source));
    if text.is_empty() {
        return format!("{first} empty");
    }
    let last = line_of(source, range.end as usize - 1);
    let mut lines = text.lines();
    let head = lines.next().unwrap_or("").trim_end();
    match lines.next_back() {
        Some(tail) => format!("{first}..{last} \"{head}\" .. \"{}\"", tail.trim()),
        None => format!("{first} \"{head}\""),
    }
}

fn joins(joins: Joins, tags: &mut Vec<u64>) -> String {
    let mut number = |tag: u64| {
        let at = tags.iter().position(|t| *t == tag).unwrap_or_else(|| {
            tags.push(tag);
            tags.len() - 1
        });
        at + 1
    };
    match joins {
        Joins::Alone => "alone".to_owned(),
        Joins::Definition(tag) => format!("definition #{}", number(tag)),
        Joins::Declaration(tag) => format!("declaration #{}", number(tag)),
        Joins::Part(tag) => format!("part #{}", number(tag)),
    }
}

/// The lines of both texts: `-` only in `old`, `+` only in `new` (longest common subsequence).
pub(crate) fn diff(old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut common = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = if a[i] == b[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut out = String::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            let _ = writeln!(out, "    {}", a[i]);
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || common[i + 1][j] >= common[i][j + 1]) {
            let _ = writeln!(out, "  - {}", a[i]);
            i += 1;
        } else {
            let _ = writeln!(out, "  + {}", b[j]);
            j += 1;
        }
    }
    out
}
