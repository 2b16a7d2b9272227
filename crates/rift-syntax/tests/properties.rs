//! What holds for every language and every text.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use rift_base::{KNOWN_LANGUAGES, Language, NamePath};
use rift_syntax::{Bounds, FileFacts, ParsedFile, Problem, extract};

fn facts(text: &str, identity: &str) -> FileFacts {
    extract(text, &Language::new(identity).unwrap(), &Bounds::default()).expect("a known language has a provider")
}

/// The invariants; how many declarations there are.
fn holds(text: &str, identity: &str) -> usize {
    let found = facts(text, identity);
    let declarations = &found.outline.declarations;
    assert_eq!(declarations.len(), found.positions.len(), "{identity}: one position per declaration");
    for (at, (declaration, position)) in declarations.iter().zip(found.positions.iter()).enumerate() {
        let path = declaration.path.as_str();
        assert_eq!(NamePath::parse(path).as_ref(), Ok(&declaration.path), "{identity}: path {path:?}");
        assert!(!declaration.kind.is_empty());
        assert!(declaration.container.is_none_or(|c| (c.0 as usize) < at), "{identity}: container of {path}");
        assert!(!declaration.signature.contains(['\n', '\r']), "{identity}: signature of {path}");
        for (what, range) in [
            ("declaration", position.declaration),
            ("item", position.item),
            ("name", position.name),
            ("body", position.body),
        ] {
            let (start, end) = (range.start as usize, range.end as usize);
            assert!(start <= end && end <= text.len(), "{identity}: {what} of {path}: {range:?} in {}", text.len());
            assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{identity}: {what} of {path}");
        }
        assert!(position.declaration.covers(position.item), "{identity}: declaration of {path} covers its item");
    }
    assert_eq!(found, facts(text, identity), "{identity}: equal input, equal facts");
    declarations.len()
}

static SNIPPETS: LazyLock<Vec<(&'static str, String)>> = LazyLock::new(snippets);

/// The sources of all literate cases, by the language that their file names give.
fn snippets() -> Vec<(&'static str, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/syntax");
    let mut out = Vec::new();
    let mut folders: Vec<_> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|f| f.is_dir()) {
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        for text in files.iter().map(|f| std::fs::read_to_string(f).unwrap()) {
            out.extend(fences(&text));
        }
    }
    out
}

fn fences(text: &str) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let mut open: Option<(&str, &'static str, String)> = None;
    for line in text.split_inclusive('\n') {
        let marks = line.trim_end().trim_end_matches(|c: char| c != '`');
        match &mut open {
            Some((mark, identity, source)) if line.trim_end() == *mark => {
                out.push((*identity, std::mem::take(source)));
                open = None;
            }
            Some((_, _, source)) => source.push_str(line),
            None if marks.len() >= 3 && line.starts_with("```") => {
                let name = line.split_whitespace().last().unwrap_or("");
                let extension = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
                let known = KNOWN_LANGUAGES.iter().find(|l| l.extensions.contains(&extension.as_str()));
                open = Some((marks, known.map_or("", |l| l.identity), String::new()));
            }
            None => {}
        }
    }
    out.retain(|(identity, _)| !identity.is_empty());
    out
}

fn identities() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(KNOWN_LANGUAGES.iter().map(|l| l.identity).collect::<Vec<_>>())
}

/// Text made of what grammars care about.
fn soup() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "fn",
        "struct",
        "class",
        "def",
        "impl",
        "pub",
        "export",
        "const",
        "type",
        "trait",
        "enum",
        "mod",
        "macro ",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        ";",
        ":",
        ",",
        "=",
        "=>",
        "->",
        "\"",
        "'",
        "`",
        "#",
        "//",
        "/*",
        "*/",
        "///",
        "@",
        "!",
        "- ",
        "? ",
        ": ",
        "a",
        "é",
        "名",
        "x1",
        "0",
        "\n",
        "\n  ",
        "\t",
        "\r\n",
        "---\n",
        "# ",
        "[[",
        "]]",
        "macro_rules! m",
        "x! {",
        "template<",
        "package",
        "func",
        "\u{feff}",
        "\0",
    ];
    let word = proptest::sample::select(WORDS);
    proptest::collection::vec((word, proptest::bool::ANY), 0..120)
        .prop_map(|words| words.iter().map(|(w, space)| format!("{w}{}", if *space { " " } else { "" })).collect())
}

proptest! {
    // 256 cases, or as many as PROPTEST_CASES says.
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn any_string(text in ".*", identity in identities()) {
        holds(&text, identity);
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400), identity in identities()) {
        holds(&String::from_utf8_lossy(&bytes), identity);
    }

    #[test]
    fn any_soup(text in soup(), identity in identities()) {
        holds(&text, identity);
    }

    #[test]
    fn any_yaml_nesting(lines in proptest::collection::vec((0usize..400, proptest::sample::select(&["a:", "- ", "- a: b", "? x", "- - - -", "[", "|", "\"", "a: b: c:"][..])), 1..400), sorted in proptest::bool::ANY) {
        let mut lines = lines;
        if sorted {
            lines.sort();
        }
        let text: String = lines.iter().map(|(indent, line)| format!("{}{line}\n", " ".repeat(*indent))).collect();
        holds(&text, "yaml");
    }

    #[test]
    fn mutated_snippets(which in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>(), length in 0usize..40, put in soup()) {
        let (identity, source) = &SNIPPETS[which.index(SNIPPETS.len())];
        let chars: Vec<char> = source.chars().collect();
        let at = cut.index(chars.len() + 1);
        let mutated: String =
            chars[..at].iter().copied().chain(put.chars()).chain(chars.iter().copied().skip(at + length)).collect();
        holds(&mutated, identity);
    }
}

#[test]
fn the_snippets_hold_declarations() {
    for identity in ["rust", "json", "yaml", "toml", "markdown"] {
        let count: usize = SNIPPETS.iter().filter(|(i, _)| *i == identity).map(|(i, source)| holds(source, i)).sum();
        assert!(count > 8, "{identity}: {count}");
    }
}

#[test]
fn deep_nesting_is_walked_without_recursion() {
    for known in KNOWN_LANGUAGES {
        let parens = format!("x = {}1{};\n", "(".repeat(20_000), ")".repeat(20_000));
        holds(&parens, known.identity);
    }
    let arrays = format!("{{\"a\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(holds(&arrays, "json"), 1);
    assert_eq!(facts(&arrays, "json").outline.problems, [Problem::Depth]);
    let rust = format!("fn a() {{ let x = {}1{}; }}\nfn b() {{}}\n", "(".repeat(20_000), ")".repeat(20_000));
    assert_eq!(holds(&rust, "rust"), 2);
    let modules = format!("{}fn deep() {{}}{}\nfn last() {{}}\n", "mod m {".repeat(5_000), "}".repeat(5_000));
    let found = facts(&modules, "rust");
    assert_eq!(found.outline.declarations.last().map(|d| d.path.to_string()).as_deref(), Some("last"));
    assert!(found.outline.problems.contains(&Problem::Depth));
}

#[test]
fn deep_yaml_is_refused_before_its_scanner_gives_up() {
    let deep = |levels: usize| -> String { (0..levels).map(|i| format!("{}a:\n", " ".repeat(i))).collect() };
    assert_eq!(holds(&deep(100), "yaml"), 100);
    for text in [deep(1000), "- ".repeat(5000), "? ".repeat(5000), "a: ".repeat(5000), "-\t".repeat(5000)] {
        holds(&text, "yaml");
    }
    assert_eq!(facts(&deep(1000), "yaml").outline.problems, [Problem::Depth]);
}

#[test]
fn bounds_on_declarations_and_nodes() {
    let text = "fn a() {}\n".repeat(100);
    let rust = Language::new("rust").unwrap();
    let few = extract(&text, &rust, &Bounds { declarations: 10, ..Bounds::default() }).unwrap();
    assert_eq!((few.outline.declarations.len(), &few.outline.problems[..]), (10, &[Problem::Declarations][..]));
    let none = extract(&text, &rust, &Bounds { declarations: 0, ..Bounds::default() }).unwrap();
    assert_eq!(none.outline.declarations.len(), 0);
    let nodes = extract(&text, &rust, &Bounds { nodes: 50, ..Bounds::default() }).unwrap();
    assert_eq!((nodes.outline.declarations.len(), &nodes.outline.problems[..]), (50, &[Problem::Nodes][..]));
    let json: String = format!("{{{}}}", (0..200).map(|i| format!("\"k{i}\": {i},")).collect::<String>() + "\"z\": 1");
    let json =
        extract(&json, &Language::new("json").unwrap(), &Bounds { declarations: 10, ..Bounds::default() }).unwrap();
    assert_eq!((json.outline.declarations.len(), &json.outline.problems[..]), (10, &[Problem::Declarations][..]));
}

#[test]
fn pathological_text_is_refused() {
    let refused = |text: &str, identity: &str| facts(text, identity).outline.problems == [Problem::ParserSteps];
    // Left open, these take recovery time that grows with the square of their number.
    assert!(refused(&"a<".repeat(20_000), "java"));
    assert!(refused(&"{\"a\":".repeat(20_000), "rust"));
    assert!(!refused(&"(".repeat(1_000), "rust"));
    // Nothing but errors: xorshift over the characters of code.
    let alphabet: Vec<char> = "(){}[]<>;:,.=+-*/&|!?'\"#abcfn if else 0123\n\n  ".chars().collect();
    let mut state = 12_345u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[(state % alphabet.len() as u64) as usize]
    };
    let noise: String = (0..200_000).map(|_| next()).collect();
    assert!(refused(&noise, "typescript"));
}

#[test]
fn large_real_text_is_not_refused() {
    let source = "function f(a,b){return a+b*2;}var x=[1,2,{k:'v'}];if(x)f(x,1);";
    let bundle = source.repeat(1_000_000 / source.len());
    assert_eq!(facts(&bundle, "javascript").outline.problems, []);
    let lines: String = (0..9_000).map(|i| format!("pub fn f{i}(a: u32) -> u32 {{ a + {i} }}\n")).collect();
    assert_eq!(holds(&lines, "rust"), 9_000);
    assert_eq!(facts(&lines, "rust").outline.problems, []);
}

/// A node as `kind start-end [facets] role start-end …`.
fn chain(source: &str, identity: &str, offset: usize) -> Vec<String> {
    let parsed = ParsedFile::new(source, &Language::new(identity).unwrap(), &Bounds::default()).unwrap().unwrap();
    let line = |node: &rift_syntax::ChainNode| {
        let mut out = format!("{} {}-{}", node.kind, node.range.start, node.range.end);
        if !node.facets.is_empty() {
            out.push_str(&format!(" [{}]", node.facets.join(" ")));
        }
        for (role, range) in &node.regions {
            out.push_str(&format!(" {role} {}-{}", range.start, range.end));
        }
        out
    };
    parsed.chain(offset).iter().map(line).collect()
}

#[test]
fn chain_of_nodes() {
    // The published example: a function at 218-355 whose documentation begins at 162, a call at 334 inside it.
    let mut source = "//".to_owned() + &"-".repeat(159) + "\n";
    source.push_str("/// Loads the configuration and checks what it says.\n");
    source = source.replacen("says", "says, ok", 1);
    source.truncate(217);
    source.push('\n');
    source.push_str("pub fn load_config(path: &Path) -> Result<Config, ConfigError> {\n");
    source.push_str("    let text = std::fs::read_to_string(path)?;\n    parse_config(&text)\n}\n");
    let chain_at = chain(&source, "rust", 338);
    assert_eq!(
        chain_at,
        [
            "rust.source_file 0-356",
            "rust.function_item 218-355 [declaration definition] name 225-236 body 281-355",
            "rust.block 281-355 [block]",
            "rust.call_expression 334-353 [expression]",
            "rust.identifier 334-346 [identifier]",
        ]
    );
    assert_eq!(chain(&source, "rust", 356), Vec::<String>::new());
    assert_eq!(chain("", "rust", 0), Vec::<String>::new());
}
