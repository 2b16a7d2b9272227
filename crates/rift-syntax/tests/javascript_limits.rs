//! JavaScript texts that break naive readers: they cost little and lose only what a bound says.
#![allow(clippy::unwrap_used)]

use rift_base::Language;
use rift_syntax::{Bounds, FileFacts, Problem, extract, extract_bound};

fn facts(text: &str) -> FileFacts {
    extract(text, &Language::new("javascript").unwrap(), &Bounds::default()).unwrap()
}

fn check(text: &str, declarations: usize, problems: &[Problem]) -> FileFacts {
    let facts = facts(text);
    assert_eq!(facts.outline.problems, problems);
    assert_eq!(facts.outline.declarations.len(), declarations);
    assert_eq!(facts.positions.len(), declarations);
    facts
}

#[test]
fn a_bundle_of_one_line() {
    // Two functions each: the nested declaration and the export; local variables are none.
    let unit =
        |i: usize| format!("function a{i}(x){{return x+{i}}}var v{i}=a{i}(1);exports.q{i}=function(){{return v{i}}};");
    let body: String = (0..12_000).map(unit).collect();
    let text = format!("!function(e,t){{{body}}}(this,{{}})");
    assert!(text.len() > 1_000_000);
    let facts = check(&text, 24_000, &[]);
    assert!(facts.outline.declarations.iter().all(|d| d.signature.len() < 40));
}

#[test]
fn nested_brackets() {
    let parentheses = format!("var x = {}1{};\nfunction after() {{}}", "(".repeat(20_000), ")".repeat(20_000));
    check(&parentheses, 2, &[Problem::Depth]);
    let objects = format!("var x = {}1{};\nfunction after() {{}}", "{a:".repeat(20_000), "}".repeat(20_000));
    check(&objects, 3, &[Problem::Depth]);
}

#[test]
fn names_exported_again_and_again() {
    let unit = |i: usize| format!("function f{}(){{}}\nexport {{f{}}}\n", i % 50, i % 50);
    let text: String = (0..20_000).map(unit).collect();
    let facts = check(&text, 20_000, &[]);
    assert!(facts.outline.declarations.iter().all(|d| d.visibility.as_deref() == Some("export")));
}

#[test]
fn members_past_the_bound() {
    let members: String = (0..70_000).map(|i| format!("k{i}:{i},")).collect();
    check(&format!("export const t={{{members}}}"), 65_536, &[Problem::Declarations]);
}

/// Binding recurses, and stops at its own bound: what lies deeper is not bound, what stands beside it is.
#[test]
fn nesting_is_bound_to_a_depth() {
    let forms = [
        ("a.ts", "x = ", "(", ")"),
        ("a.ts", "x = ", "[", "]"),
        ("a.ts", "x = ", "{a:", "}"),
        ("a.ts", "x = ", "f(", ")"),
        ("a.ts", "x = ", "() => (", ")"),
        ("a.ts", "", "{", "}"),
        ("a.ts", "", "if (x) ", ";"),
        ("a.ts", "", "function f() {", "}"),
        ("a.ts", "let t: ", "A<", ">"),
        ("a.ts", "let t: ", "{a: ", "}"),
        ("a.ts", "", "namespace n {", "}"),
        ("a.tsx", "x = ", "<A>", "</A>"),
        ("a.js", "x = ", "class { a() {", "}}"),
        ("a.js", "const ", "{a:", "}"),
    ];
    for (name, head, open, close) in forms {
        let language = match name {
            "a.ts" => Language::new("typescript"),
            "a.tsx" => Language::new("typescript:tsx"),
            _ => Language::new("javascript"),
        };
        let depth = 10_000;
        let text = format!("{head}{}{};\nseen.used();", open.repeat(depth), close.repeat(depth));
        let (_, found) = extract_bound(&text, &language.unwrap(), &Bounds::default()).unwrap();
        let found = found.unwrap_or_default();
        assert!(found.uses.references.len() < 4_000, "{open}: {}", found.uses.references.len());
    }
    let chain = format!("seen.used();\na{};\nlast.used();", ".b()".repeat(5_000));
    let (_, found) = extract_bound(&chain, &Language::new("javascript").unwrap(), &Bounds::default()).unwrap();
    let found = found.unwrap();
    let names: Vec<&str> = found.sites.iter().map(|site| site.of(&chain)).collect();
    assert_eq!(names.iter().filter(|name| ["seen", "last"].contains(*name)).count(), 2, "{names:?}");
}
