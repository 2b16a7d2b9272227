//! Package manifests: what they say about names, which module prefixes of identities are made from.
//! Nothing is run and nothing else is read; a manifest that does not parse says nothing.

use toml::de::DeTable;

/// A manifest that names something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Manifest {
    /// `Cargo.toml`.
    Cargo(CargoManifest),
    /// `package.json`: its `name`.
    Npm {
        /// The package's name with its scope: `@types/node`.
        name: String,
    },
    /// `go.mod`: its `module` line.
    Go {
        /// The module path: `example.com/a/b`.
        module: String,
    },
    /// `pyproject.toml` or `setup.cfg`: the project's name.
    Python {
        /// As written.
        name: String,
    },
}

/// A `Cargo.toml` that has a `[package]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CargoManifest {
    /// `package.name`.
    pub name: String,
    /// `[lib]` as far as it is written.
    pub lib: Option<CargoTarget>,
    /// `[[bin]]`, `[[example]]`, `[[test]]` and `[[bench]]`, in that order and then as written.
    pub targets: Vec<CargoTarget>,
    /// The kinds of targets that Cargo does not infer from file names (`autotests = false` and its like).
    pub explicit: Vec<CargoTargetKind>,
}

impl CargoManifest {
    /// The library crate's name in code: that of `[lib]`, else the package's, with `_` for `-`.
    pub fn crate_name(&self) -> String {
        self.lib.as_ref().and_then(|lib| lib.name.as_deref()).unwrap_or(&self.name).replace('-', "_")
    }
}

/// A target of a Cargo package as written: what is not written is inferred by Cargo from file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CargoTarget {
    /// What it is.
    pub kind: CargoTargetKind,
    /// Its name.
    pub name: Option<String>,
    /// Its root source file, relative to the manifest.
    pub path: Option<String>,
}

/// The kinds of Cargo targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CargoTargetKind {
    /// `[lib]`
    Lib,
    /// `[[bin]]`
    Bin,
    /// `[[example]]`
    Example,
    /// `[[test]]`
    Test,
    /// `[[bench]]`
    Bench,
}

/// The names of manifests that [`parse_manifest`] understands.
pub const MANIFEST_NAMES: [&str; 5] = ["Cargo.toml", "package.json", "go.mod", "pyproject.toml", "setup.cfg"];

/// Whether a file of this name is a manifest that [`parse_manifest`] understands.
pub fn is_manifest_name(name: &str) -> bool {
    MANIFEST_NAMES.contains(&name)
}

/// Reads the manifest at `path`. None when the file name is no manifest's, when the text does not
/// parse, or when it names nothing (a virtual Cargo workspace).
pub fn parse_manifest(path: &str, text: &str) -> Option<Manifest> {
    match path.rsplit('/').next()? {
        "Cargo.toml" => cargo(text).map(Manifest::Cargo),
        "package.json" => npm(text).map(|name| Manifest::Npm { name }),
        "go.mod" => go_module(text).map(|module| Manifest::Go { module }),
        "pyproject.toml" => pyproject(text).map(|name| Manifest::Python { name }),
        "setup.cfg" => setup_cfg(text).map(|name| Manifest::Python { name }),
        _ => None,
    }
}

pub(crate) fn table<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Option<&'a DeTable<'i>> {
    table.get(key)?.get_ref().as_table()
}

/// A string that is not empty.
pub(crate) fn text(table: &DeTable<'_>, key: &str) -> Option<String> {
    table.get(key)?.get_ref().as_str().filter(|s| !s.is_empty()).map(str::to_owned)
}

fn cargo(source: &str) -> Option<CargoManifest> {
    let document = DeTable::parse(source).ok()?;
    let document = document.get_ref();
    let package = table(document, "package").or_else(|| table(document, "project"))?;
    let name = text(package, "name")?;
    let automatic = [
        ("autobins", CargoTargetKind::Bin),
        ("autoexamples", CargoTargetKind::Example),
        ("autotests", CargoTargetKind::Test),
        ("autobenches", CargoTargetKind::Bench),
    ];
    let off = |key: &str| package.get(key).and_then(|v| v.get_ref().as_bool()) == Some(false);
    let explicit = automatic.into_iter().filter(|(key, _)| off(key)).map(|(_, kind)| kind).collect();
    let target = |kind, table: &DeTable<'_>| CargoTarget { kind, name: text(table, "name"), path: text(table, "path") };
    let lib = table(document, "lib").map(|lib| target(CargoTargetKind::Lib, lib));
    let mut targets = Vec::new();
    for (key, kind) in [
        ("bin", CargoTargetKind::Bin),
        ("example", CargoTargetKind::Example),
        ("test", CargoTargetKind::Test),
        ("bench", CargoTargetKind::Bench),
    ] {
        let written = document.get(key).and_then(|v| v.get_ref().as_array());
        let tables = written.into_iter().flatten().filter_map(|v| v.get_ref().as_table());
        targets.extend(tables.map(|t| target(kind, t)));
    }
    Some(CargoManifest { name, lib, targets, explicit })
}

fn npm(source: &str) -> Option<String> {
    let document: serde_json::Value = serde_json::from_str(source).ok()?;
    document.get("name")?.as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}

fn pyproject(source: &str) -> Option<String> {
    let document = DeTable::parse(source).ok()?;
    let document = document.get_ref();
    let poetry = || table(document, "tool").and_then(|tool| table(tool, "poetry"));
    table(document, "project").and_then(|p| text(p, "name")).or_else(|| poetry().and_then(|p| text(p, "name")))
}

/// `name` in `[metadata]` of the INI dialect of Python's configparser.
fn setup_cfg(source: &str) -> Option<String> {
    let mut inside = false;
    for line in source.lines() {
        let trimmed = line.trim();
        if let Some(section) = trimmed.strip_prefix('[').and_then(|s| s.strip_suffix(']')) {
            inside = section == "metadata";
        } else if inside
            && !line.starts_with([' ', '\t', '#', ';'])
            && let Some((key, value)) = trimmed.split_once(['=', ':'])
            && key.trim().eq_ignore_ascii_case("name")
        {
            let value = value.trim();
            return (!value.is_empty()).then(|| value.to_owned());
        }
    }
    None
}

/// The module path of a `go.mod` (<https://go.dev/ref/mod#go-mod-file-module>): `module path`, the path bare, in
/// `"…"` or in `` `…` ``, or as the one line of a `module ( … )` block; comments start with `//`.
fn go_module(source: &str) -> Option<String> {
    let mut block = false;
    for line in source.lines() {
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        let spelled = if block {
            line
        } else {
            let Some(rest) = line.strip_prefix("module") else { continue };
            if !rest.starts_with([' ', '\t', '"', '`', '(']) {
                continue;
            }
            let rest = rest.trim();
            if rest == "(" {
                block = true;
                continue;
            }
            rest
        };
        return unquote(spelled)
            .filter(|path| !path.is_empty() && !path.contains(char::is_whitespace))
            .map(str::to_owned);
    }
    None
}

/// A line up to its `//` comment. The marker starts one only at the line's start or behind a space, and not in quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '"' | '`') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '/')
                if line[at..].starts_with("//") && line[..at].chars().next_back().is_none_or(char::is_whitespace) =>
            {
                return &line[..at];
            }
            _ => {}
        }
    }
    line
}

fn unquote(text: &str) -> Option<&str> {
    for quote in ['"', '`'] {
        if let Some(rest) = text.strip_prefix(quote) {
            return rest.strip_suffix(quote).filter(|inner| !inner.contains(['\\', quote]));
        }
    }
    (!text.starts_with(['(', ')'])).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_names_and_targets() {
        let text = r#"
            [package]
            name = "my-app"
            [lib]
            name = "my_lib"
            path = "lib/root.rs"
            [[bench]]
            name = "b"
            [[bin]]
            name = "tool"
            path = "tools/main.rs"
        "#;
        let Some(Manifest::Cargo(cargo)) = parse_manifest("a/Cargo.toml", text) else { panic!("a package") };
        assert_eq!((cargo.name.as_str(), cargo.crate_name().as_str()), ("my-app", "my_lib"));
        let target = |kind, name: &str, path: Option<&str>| CargoTarget {
            kind,
            name: Some(name.to_owned()),
            path: path.map(str::to_owned),
        };
        assert_eq!(cargo.lib, Some(target(CargoTargetKind::Lib, "my_lib", Some("lib/root.rs"))));
        let expected = vec![
            target(CargoTargetKind::Bin, "tool", Some("tools/main.rs")),
            target(CargoTargetKind::Bench, "b", None),
        ];
        assert_eq!(cargo.targets, expected);
        let text = "[package]\nname = 'a'\nautotests = false\nautobins = true";
        let Some(Manifest::Cargo(cargo)) = parse_manifest("Cargo.toml", text) else { panic!("a package") };
        assert_eq!(cargo.explicit, [CargoTargetKind::Test]);
        let Some(Manifest::Cargo(cargo)) = parse_manifest("Cargo.toml", "package.name = 'a-b-c'") else {
            panic!("a package")
        };
        assert_eq!(cargo.crate_name(), "a_b_c");
        for nothing in
            ["[workspace]\nmembers = []\n", "[package]\nname = ''\n", "[package", "[package]\nname = 1\n", ""]
        {
            assert_eq!(parse_manifest("Cargo.toml", nothing), None, "{nothing}");
        }
    }

    #[test]
    fn other_ecosystems() {
        let npm = |name: &str| Some(Manifest::Npm { name: name.to_owned() });
        let python = |name: &str| Some(Manifest::Python { name: name.to_owned() });
        for (path, text, expected) in [
            ("package.json", r#"{"name": "@types/node", "version": "1.0.0"}"#, npm("@types/node")),
            ("web/package.json", r#"{"private": true}"#, None),
            ("package.json", r#"{"name": 1}"#, None),
            ("package.json", "{", None),
            ("pyproject.toml", "[project]\nname = 'My.App'\n", python("My.App")),
            ("pyproject.toml", "[tool.poetry]\nname = 'app'\n", python("app")),
            ("pyproject.toml", "[tool.black]\nline-length = 1\n", None),
            ("setup.cfg", "# x\n[metadata]\nversion = 1\nname = app\n[options]\nname = other\n", python("app")),
            ("setup.cfg", "[options]\nname = other\n[metadata]\n  name = continuation\n", None),
            ("my.json", r#"{"name": "x"}"#, None),
        ] {
            assert_eq!(parse_manifest(path, text), expected, "{path}: {text}");
        }
        assert_eq!(parse_manifest("package.json", &"[".repeat(100_000)), None);
        assert!(is_manifest_name("go.mod") && !is_manifest_name("go.sum"));
    }

    #[test]
    fn go_module_lines() {
        for (text, expected) in [
            ("module example.com/a/b\n\ngo 1.22\n", Some("example.com/a/b")),
            ("// Deprecated: use v2\nmodule example.com/a // v1\n", Some("example.com/a")),
            ("module \"example.com/a\"\r\n", Some("example.com/a")),
            ("module `example.com/a`", Some("example.com/a")),
            ("go 1.22\nmodule\texample.com/a", Some("example.com/a")),
            ("module (\n\t// why\n\texample.com/a // x\n)\n", Some("example.com/a")),
            ("module gopkg.in/yaml.v3\n", Some("gopkg.in/yaml.v3")),
            ("modules example.com/a\n", None),
            ("module\n", None),
            ("module a b\n", None),
            ("module \"a\n", None),
            ("module ()\n", None),
            ("// module example.com/a\n", None),
            ("", None),
        ] {
            let expected = expected.map(|module| Manifest::Go { module: module.to_owned() });
            assert_eq!(parse_manifest("x/go.mod", text), expected, "{text:?}");
        }
    }
}
