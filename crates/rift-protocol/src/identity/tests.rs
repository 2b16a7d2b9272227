use std::fmt::{Debug, Display};
use std::num::NonZeroU32;

use proptest::prelude::*;
use rift_base::{ByteRange, Language, NamePath, ProjectPath};

use super::*;
use crate::Violation::{self, *};

const REV: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

fn refuses<T: Debug>(parse: fn(&str) -> Result<T, Violation>, table: &[(&str, Violation)]) {
    for (text, violation) in table {
        assert_eq!(parse(text).expect_err(text), *violation, "{text}");
    }
}

fn accepts<T: Debug + Display>(parse: fn(&str) -> Result<T, Violation>, texts: &[&str]) {
    for text in texts {
        let parsed = parse(text).unwrap_or_else(|violation| panic!("{text}: {violation}"));
        assert_eq!(parsed.to_string(), *text);
    }
}

#[test]
fn symbols_of_the_documented_forms() {
    accepts(
        SymbolId::parse,
        &[
            "rift://symbol/local/rust/example_project/config/load_config",
            "rift://symbol/local:docs/typescript/page/beacon",
            "rift://symbol/local@cloud:docs/typescript/page/beacon",
            "rift://symbol/local@sdk/rust/docs_sdk/load_config",
            "rift://symbol/stdlib/node@26.11.1/javascript/fs/readFile",
            "rift://symbol/stdlib/cpython@3.12.9/python/builtins/len",
            "rift://symbol/npm/npmjs.org/prettier@3.8.5/typescript/prettier/format",
            "rift://symbol/npm/npmjs.org/@types/node@26.6.4/typescript/node/buffer/Buffer",
            "rift://symbol/cargo/crates.io/demo@1.0.0/rust/demo/beacon",
            "rift://symbol/pypi/pypi/django@5.2a1/python/django/setup",
            "rift://symbol/local/typescript:tsx/View",
            "rift://symbol/local/cpp/ns/operator%3C%3C",
            "rift://symbol/local/markdown/README.md/a%20%2F%20b",
            &format!("rift://symbol/local/rust/demo/f~12?rev={REV}"),
        ],
    );
}

#[test]
fn symbols_refused_by_rule() {
    let long = format!("rift://symbol/local/rust/{}", "x".repeat(8192));
    let upper = REV.to_uppercase();
    refuses(
        SymbolId::parse,
        &[
            // The malformed example of the reference: the form of old versions, a language where the owner stands.
            ("rift://symbol/rust/src/lib.rs/load_config", Owner),
            ("", Length),
            (&long, Length),
            ("rift://file/local/rust/demo", Structure),
            ("RIFT://symbol/local/rust/demo", Structure),
            ("rift://symbol/local", Structure),
            ("rift://symbol/local/rust", Structure),
            ("rift://symbol/local/rust/", QualifiedPath),
            ("rift://symbol/local/rust//f", QualifiedPath),
            ("rift://symbol/local/rust/f/", QualifiedPath),
            ("rift://symbol/local/rust/./f", QualifiedPath),
            ("rift://symbol/local/rust/%2E%2E/f", QualifiedPath),
            ("rift://symbol/local/rust/%0A", QualifiedPath),
            ("rift://symbol/local/Rust/f", Language),
            ("rift://symbol/local/rust:/f", Language),
            ("rift://symbol/global/rust/f", Owner),
            ("rift://symbol/local:Docs/rust/f", Owner),
            ("rift://symbol/local:all/rust/f", Owner),
            ("rift://symbol/local@/rust/f", Owner),
            ("rift://symbol/local:a:b/rust/f", Owner),
            ("rift://symbol/localx/rust/f", Owner),
            ("rift://symbol/stdlib/node/javascript/f", Owner),
            ("rift://symbol/stdlib/node@26/javascript/f", Owner),
            ("rift://symbol/stdlib/Node@26.0.0/javascript/f", Owner),
            ("rift://symbol/cargo/crates.io/demo/rust/f", Owner),
            ("rift://symbol/cargo/crates.io/demo@^1.0/rust/f", Noncanonical),
            ("rift://symbol/cargo/crates.io/demo@1.0/rust/f", Owner),
            ("rift://symbol/cargo/crates.io/@scope/demo@1.0.0/rust/f", Owner),
            ("rift://symbol/npm/npmjs.org/@/node@1.0.0/typescript/f", Owner),
            ("rift://symbol/pypi/pypi/a@1.0-1/python/f", Owner),
            // Escapes: lowercase, needless, missing, cut, not UTF-8.
            ("rift://symbol/local/rust/a%2fb", Noncanonical),
            ("rift://symbol/local/rust/%61", Noncanonical),
            ("rift://symbol/local/rust/a b", Noncanonical),
            ("rift://symbol/local/rust/é", Noncanonical),
            ("rift://symbol/local/rust/a#b", Noncanonical),
            ("rift://symbol/local/rust/a~b/f", Noncanonical),
            ("rift://symbol/local/rust/a%2", Encoding),
            ("rift://symbol/local/rust/a%GG", Encoding),
            ("rift://symbol/local/rust/%FF", Encoding),
            // Occurrences.
            ("rift://symbol/local/rust/f~2", Occurrence),
            (&format!("rift://symbol/local/rust/f?rev={REV}"), Occurrence),
            (&format!("rift://symbol/local/rust/f~0?rev={REV}"), Occurrence),
            (&format!("rift://symbol/local/rust/f~01?rev={REV}"), Occurrence),
            (&format!("rift://symbol/local/rust/f~+1?rev={REV}"), Occurrence),
            (&format!("rift://symbol/local/rust/f~4294967296?rev={REV}"), Occurrence),
            (&format!("rift://symbol/local/rust/f~?rev={REV}"), Occurrence),
            (&format!("rift://symbol/local/rust/f~1?rev={upper}"), Revision),
            ("rift://symbol/local/rust/f~1?rev=0123abcd", Revision),
            (&format!("rift://symbol/local/rust/f~1?revision={REV}"), Revision),
            (&format!("rift://symbol/local/rust/~1?rev={REV}"), QualifiedPath),
        ],
    );
}

#[test]
fn parts_of_a_symbol() {
    let id =
        SymbolId::parse(&format!("rift://symbol/local@sdk:docs/typescript:tsx/a/b%20c~3?rev={REV}")).expect("valid");
    assert_eq!(id.owner_str(), "local@sdk:docs");
    assert_eq!(id.owner(), super::Owner::Local { registration: Some("sdk".into()), profile: Some("docs".into()) });
    assert_eq!((id.language_str(), id.path_str(), id.key()), ("typescript:tsx", "a/b%20c", "typescript:tsx/a/b%20c"));
    assert_eq!(id.path().name(), "b c");
    assert_eq!(id.occurrence().map(|o| (o.number.get(), o.revision.hex())), Some((3, REV.to_owned())));
    let id = SymbolId::parse("rift://symbol/npm/npmjs.org/@types/node@26.6.4/typescript/node/f").expect("valid");
    assert!(!id.is_local());
    let name = "@types/node".to_owned();
    let (registry, version) = ("npmjs.org".to_owned(), "26.6.4".to_owned());
    assert_eq!(id.owner(), super::Owner::Package { manager: PackageManager::Npm, registry, name, version });
    assert_eq!((id.path_str(), id.occurrence()), ("node/f", None));
}

#[test]
fn the_length_bound_counts_the_whole_text() {
    let rust = Language::new("rust").expect("valid");
    let head = "rift://symbol/local/rust/".len();
    let id = |names: usize| SymbolId::local(&rust, &NamePath::from_names(["x".repeat(names).as_str()]));
    assert_eq!(id(8192 - head).map(|id| id.as_str().len()), Ok(8192));
    assert_eq!(id(8193 - head), Err(Length));
    let revision = rift_base::Digest::of(b"");
    let occurrence = super::Occurrence { number: NonZeroU32::MIN, revision };
    assert_eq!(id(8192 - head).and_then(|id| id.with_occurrence(occurrence)), Err(Length));
    assert_eq!(SymbolId::local(&rust, &NamePath::default()), Err(QualifiedPath));
}

#[test]
fn sources_of_the_documented_forms() {
    accepts(
        SourceUnitId::parse,
        &[
            "rift://source/project/README.md",
            "rift://source/project/src/a%20b/%C3%A9%25.rs",
            "rift://source/project/~x/c%23.cs",
            "rift://source/cargo/crates.io/demo@1.0.0/src/lib.rs",
            "rift://source/npm/npmjs.org/@types/node@26.6.4/fs.d.ts",
            "rift://source/stdlib/node@26.11.1/lib/fs.js",
            "rift://source/fixture/a/b",
        ],
    );
    refuses(
        SourceUnitId::parse,
        &[
            ("rift://source/a/", Length),
            ("rift://source/project", Structure),
            ("rift://source/project/", Path),
            ("rift://source/project/a/../b", Path),
            ("rift://source/project//a", Path),
            ("rift://source/project/C:/x", Path),
            ("rift://source/project/a%5Cb", Path),
            ("rift://source/project/a%2Fb", Noncanonical),
            ("rift://source/project/a%c3%a9", Noncanonical),
            ("rift://source/project/a#b", Noncanonical),
            ("rift://source/project/a%", Encoding),
            ("rift://source/cargo/crates.io/demo@1.0.0", Structure),
            ("rift://source/cargo/crates.io/demo/src/lib.rs", Owner),
            ("rift://source/Fixture/a", Owner),
            ("rift://symbol/project/a.rs", Structure),
        ],
    );
    let id = SourceUnitId::parse("rift://source/project/src/a%20b.rs").expect("valid");
    assert_eq!(id.project_path().as_ref().map(ProjectPath::as_str), Some("src/a b.rs"));
    let id = SourceUnitId::parse("rift://source/stdlib/node@26.11.1/lib/fs.js").expect("valid");
    let node = super::Owner::Stdlib { runtime: "node".into(), version: "26.11.1".into() };
    let path = ProjectPath::new("lib/fs.js").expect("valid");
    assert_eq!(id.unit(), SourceUnit::Released(node, path));
}

#[test]
fn files_and_nodes() {
    accepts(FileId::parse, &["rift://file/a", "rift://file/src/@x/a%3F.rs"]);
    refuses(
        FileId::parse,
        &[
            ("rift://file/", Length),
            ("rift://file//a", Path),
            ("rift://file/a%3f", Noncanonical),
            ("rift://file/d:/a", Path),
            ("rift://source/project/a", Structure),
        ],
    );
    accepts(NodeId::parse, &["rift://node/rust/a@0-9#01234567", "rift://node/typescript:tsx/a%40b/c@12-12#0a1b2c3d"]);
    refuses(
        NodeId::parse,
        &[
            ("rift://node/c/a@0-1#0123", Length),
            ("rift://node/rust/a%40b/c.rs#01234567", Structure),
            ("rift://node/rust/a@b/c@0-9#01234567", Noncanonical),
            ("rift://node/rust/src/a.rs@9-0#01234567", Range),
            ("rift://node/rust/src/a.rs@00-1#01234567", Range),
            ("rift://node/rust/src/a.rs@0-4294967296#01234567", Range),
            ("rift://node/rust/src/a.rs@+1-2#01234567", Range),
            ("rift://node/rust/src/a.rs@0-1#0123456", Witness),
            ("rift://node/rust/src/a.rs@0-1#0123456A", Witness),
            ("rift://node/rust/src/a.rs@0-1", Structure),
            ("rift://node/Rust/src/a.rs@0-1#01234567", Language),
        ],
    );
    let (rust, path) = (Language::new("rust").expect("valid"), ProjectPath::new("a@b.rs").expect("valid"));
    let id = NodeId::new(&rust, &path, ByteRange::new(3, 6), b"abc").expect("valid");
    // FIPS 180-4: SHA-256("abc") begins with ba7816bf.
    assert_eq!(id.as_str(), "rift://node/rust/a%40b.rs@3-6#ba7816bf");
    assert_eq!(id.parts(), Some((rust, path, ByteRange::new(3, 6), "ba7816bf")));
}

#[test]
fn scalars() {
    accepts(RevisionId::parse, &["main", "v0.0.6", "dd0a482", "HEAD~1", "HEAD^", "HEAD~1^2~", "feature/x-y_z"]);
    refuses(
        RevisionId::parse,
        &[
            ("", Empty),
            (&"a".repeat(129), TooLong),
            ("HEAD@{1}", CharsetForbidden),
            ("HEAD:src", CharsetForbidden),
            ("a b", CharsetForbidden),
            ("~1", AncestryInvalid),
            ("HEAD~1/src", AncestryInvalid),
            ("HEAD^x", AncestryInvalid),
        ],
    );
    accepts(PathPattern::parse, &["**", "src/**/*.rs", "a b/[é]?", ".github/**"]);
    refuses(
        PathPattern::parse,
        &[
            ("", Empty),
            ("/src", Absolute),
            ("src\\a", Backslash),
            ("a\tb", ControlCharacter),
            ("../a", DotSegment),
            ("a/./b", DotSegment),
        ],
    );
    accepts(Scope::parse, &["local", "local:docs", "local@sdk", "local@sdk:docs", "global", "all"]);
    refuses(
        Scope::parse,
        &[("", UnknownValue), ("Local", UnknownValue), ("local@all", UnknownValue), ("x", UnknownValue)],
    );
    refuses(Digest::parse, &[("ba7816b", Hex), ("BA7816BF", Hex), ("ba7816bfa", Hex)]);
    refuses(CapturedViewId::parse, &[("ba7816bf", Hex), (&REV.to_uppercase(), Hex)]);
}

#[test]
fn a_view_knows_its_context() {
    let (here, there, content) =
        (rift_base::Digest::of(b"a"), rift_base::Digest::of(b"b"), rift_base::Digest::of(b"c"));
    let view = CapturedViewId::new(&here, &content);
    assert_eq!(view.as_str(), format!("{}{}", &here.hex()[..16], &content.hex()[16..]));
    assert!(view.is_of(&here) && !view.is_of(&there));
    assert_eq!(CapturedViewId::parse(view.as_str()), Ok(view));
}

fn language() -> impl Strategy<Value = Language> {
    "[a-z][a-z0-9._-]{0,8}(:[a-z][a-z0-9._-]{0,8})?".prop_map(|text| Language::new(&text).expect("matches the form"))
}

fn owner() -> impl Strategy<Value = super::Owner> {
    let word = "[a-z][a-z0-9_-]{0,6}".prop_filter("reserved", |w| !["local", "global", "all"].contains(&w.as_str()));
    let version =
        "(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]{0,3})(-[a-z]{1,3}\\.[1-9]|\\+[a-z0-9]{1,4})?";
    prop_oneof![
        (proptest::option::of(word.clone()), proptest::option::of(word.clone()))
            .prop_map(|(registration, profile)| super::Owner::Local { registration, profile }),
        (word, version).prop_map(|(runtime, version)| super::Owner::Stdlib { runtime, version }),
        ("[a-z.]{3,9}", "(@[a-z]{1,5}/)?[A-Za-z0-9_.%é -]{3,9}", version).prop_map(|(registry, name, version)| {
            super::Owner::Package { manager: PackageManager::Npm, registry, name, version }
        }),
    ]
}

fn project_path() -> impl Strategy<Value = ProjectPath> {
    proptest::collection::vec("[^/\\\\\\p{Cc}]{1,12}", 1..4)
        .prop_map(|segments| ProjectPath::new(&segments.join("/")))
        .prop_filter_map("dot segments", Result::ok)
}

proptest! {
    #[test]
    fn printed_symbols_parse_back(
        owner in owner(),
        language in language(),
        names in proptest::collection::vec(any::<String>(), 1..5),
        number in proptest::option::of(1u32..),
    ) {
        let path = NamePath::from_names(names.iter().map(String::as_str));
        let revision = rift_base::Digest::of(path.as_str().as_bytes());
        let occurrence = number.and_then(NonZeroU32::new).map(|number| super::Occurrence { number, revision });
        let printed = SymbolId::new(&owner, &language, &path, occurrence);
        if printed.is_err() {
            // A package name such as `..` has no spelling, so it is refused rather than printed.
            let named_badly = matches!(owner, super::Owner::Package { .. });
            prop_assert!(named_badly, "{:?}", printed);
            return Ok(());
        }
        let id = printed.expect("checked");
        prop_assert_eq!(SymbolId::parse(id.as_str()), Ok(id.clone()));
        prop_assert_eq!((id.owner(), id.language()), (owner, Some(language)));
        prop_assert_eq!((id.path(), id.occurrence()), (path, occurrence));
        let json = serde_json::to_value(&id).expect("serializes");
        prop_assert_eq!(serde_json::from_value::<SymbolId>(json).expect("reads back"), id);
    }

    #[test]
    fn printed_files_sources_and_nodes_parse_back(language in language(), path in project_path(), start in 0usize..9999, length in 0usize..99) {
        let range = ByteRange::new(start, start + length);
        match (FileId::new(&path), SourceUnitId::project(&path), NodeId::new(&language, &path, range, b"x")) {
            (Ok(file), Ok(source), Ok(node)) => {
                prop_assert_eq!(FileId::parse(file.as_str()), Ok(file.clone()));
                prop_assert_eq!(SourceUnitId::parse(source.as_str()), Ok(source.clone()));
                prop_assert_eq!(NodeId::parse(node.as_str()), Ok(node.clone()));
                prop_assert_eq!(file.path(), path.clone());
                prop_assert_eq!(source.project_path(), Some(path.clone()));
                let parts = node.parts().expect("parses");
                prop_assert_eq!((parts.0, parts.1, parts.2), (language, path, range));
            }
            // Only a path that reads as a drive letter's has no identity.
            (file, ..) => {
                prop_assert_eq!(file, Err(Path));
                prop_assert_eq!(path.as_str().as_bytes().get(1), Some(&b':'));
            }
        }
    }

    #[test]
    fn no_text_makes_a_parser_fail_otherwise_than_by_refusal(text in "(rift://(symbol|source|file|node)/)?\\PC{0,40}") {
        for printed in [
            SymbolId::parse(&text).map(|id| id.to_string()),
            SourceUnitId::parse(&text).map(|id| id.to_string()),
            FileId::parse(&text).map(|id| id.to_string()),
            NodeId::parse(&text).map(|id| id.to_string()),
        ].into_iter().flatten() {
            prop_assert_eq!(&printed, &text);
        }
    }
}
