//! The dependency context: what the map says of the packages that manifests and lockfiles state.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use rift_base::{Deadline, ProjectPath};
use rift_host::{Following, Host, HostOptions, find_root};
use rift_testkit::{Fixture, Step};
use serde_json::Value;
use tempfile::TempDir;

/// No program is run, so that answers are those of the files alone.
const STATIC: &str = "
//- /rift.toml
[dependencies]
resolution = \"static\"
";

struct World {
    folder: TempDir,
    host: Host,
    _cache: TempDir,
}

impl World {
    fn new(fixture: &str) -> Self {
        let folder = tempfile::tempdir().expect("temp");
        for file in Fixture::parse(fixture).files {
            write(folder.path(), &file.path, &file.text);
        }
        Self::open(folder)
    }

    fn open(folder: TempDir) -> Self {
        let cache = tempfile::tempdir().expect("temp");
        let cache_base = Some(cache.path().to_owned());
        let options = HostOptions { cache_base, following: Following::Told, ..HostOptions::default() };
        let host = Host::open(find_root(folder.path()).expect("a folder"), &options).expect("opens");
        host.prepare_in_background();
        host.wait_prepared(&Deadline::never(), |_| ()).expect("no deadline").expect("prepares");
        Self { folder, host, _cache: cache }
    }

    fn map(&self) -> Value {
        serde_json::to_value(rift_tools::map(&self.host, &Deadline::never()).expect("answers")).expect("serializes")
    }

    /// The packages, one line each: `manager/name selector`, and the availability that is not canonical.
    fn packages(&self) -> Vec<String> {
        let map = self.map();
        assert!(map.get("warnings").is_none(), "{map}");
        lines(&map)
    }

    fn step(&self, step: &str) {
        for step in Fixture::parse(step).steps {
            let path = match step {
                Step::Edit(file) => {
                    write(self.folder.path(), &file.path, &file.text);
                    file.path
                }
                Step::Delete(path) => {
                    std::fs::remove_file(self.folder.path().join(&path)).expect("removes");
                    path
                }
            };
            self.host.refresh(&[ProjectPath::new(&path).expect("valid")]).expect("refreshes");
        }
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("has one")).expect("creates");
    std::fs::write(path, text).expect("writes");
}

fn lines(map: &Value) -> Vec<String> {
    let packages = map["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    packages.iter().map(line).collect()
}

fn line(entry: &Value) -> String {
    let text = |key: &str| entry[key].as_str();
    let selector = match (text("version"), text("requirement")) {
        (Some(version), None) => version.to_owned(),
        (None, Some(requirement)) => format!("({requirement})"),
        _ => panic!("exactly one of version and requirement: {entry}"),
    };
    let availability = text("availability").expect("always there");
    let shown = if availability == "canonical" { String::new() } else { format!(" {availability}") };
    format!("{}/{} {selector}{shown}", text("manager").expect("a manager"), text("name").expect("a name"))
}

const CARGO: &str = "
//- /Cargo.toml
[workspace]
members = [\"app\", \"core\"]
[workspace.dependencies]
log = \"0.4\"
core = { path = \"core\" }
elsewhere = { path = \"../elsewhere\" }
//- /app/Cargo.toml
[package]
name = \"app\"
[dependencies]
core = { workspace = true }
log = { workspace = true }
serde = \"1.0\"
elsewhere = { workspace = true }
forked = { git = \"https://example.com/forked\" }
//- /core/Cargo.toml
[package]
name = \"core\"
rust-version = \"1.85\"
//- /core/src/lib.rs
pub fn f() {}
";

#[test]
fn requirements_until_a_lockfile_pins_them() {
    let world = World::new(&format!("{STATIC}{CARGO}"));
    let declared = [
        "cargo/elsewhere (*) path",
        "cargo/forked (*) git",
        "cargo/log (0.4)",
        "cargo/serde (1.0)",
        "stdlib/rust (>=1.85)",
    ];
    assert_eq!(world.packages(), declared);
    world.step(
        "
        //= edit /Cargo.lock
        version = 4
        [[package]]
        name = \"app\"
        version = \"0.1.0\"
        [[package]]
        name = \"core\"
        version = \"0.1.0\"
        [[package]]
        name = \"elsewhere\"
        version = \"0.3.0\"
        [[package]]
        name = \"forked\"
        version = \"2.0.0\"
        source = \"git+https://example.com/forked#0123\"
        [[package]]
        name = \"log\"
        version = \"0.4.28\"
        source = \"registry+https://github.com/rust-lang/crates.io-index\"
        [[package]]
        name = \"itoa\"
        version = \"1.0.15\"
        source = \"sparse+https://crates.example.com/\"
        ",
    );
    let pinned = [
        "cargo/elsewhere 0.3.0 path",
        "cargo/forked 2.0.0 git",
        "cargo/itoa 1.0.15 private_registry",
        "cargo/log 0.4.28",
        // The lockfile is behind its manifest.
        "cargo/serde (1.0)",
        "stdlib/rust (>=1.85)",
    ];
    assert_eq!(world.packages(), pinned);
    world.step("//= delete /Cargo.lock\n");
    assert_eq!(world.packages(), declared);
}

#[test]
fn npm_and_bun() {
    let manifests = r#"
//- /package.json
{"name": "root", "private": true, "workspaces": ["packages/*", "!packages/old"], "devDependencies": {"typescript": "^5.0.0"}}
//- /packages/ui/package.json
{"name": "@acme/ui", "dependencies": {"react": "^19.0.0", "@acme/core": "^1.0.0", "old": "^1.0.0"}}
//- /packages/core/package.json
{"name": "@acme/core", "dependencies": {"out": "file:../../../out", "in": "file:../../vendor"}}
//- /packages/old/package.json
{"name": "old"}
//- /packages/core/index.ts
export function f() {}
//- /.nvmrc
22
"#;
    let world = World::new(&format!("{STATIC}{manifests}"));
    let declared = [
        "npm/old (^1.0.0)",
        "npm/out (file:../../../out) path",
        "npm/react (^19.0.0)",
        "npm/typescript (^5.0.0)",
        "stdlib/node (22)",
    ];
    assert_eq!(world.packages(), declared);
    world.step(
        r#"
        //= edit /package-lock.json
        {"lockfileVersion": 3, "packages": {
        "": {"name": "root"},
        "packages/ui": {"name": "@acme/ui"},
        "packages/core": {"name": "@acme/core"},
        "node_modules/@acme/ui": {"resolved": "packages/ui", "link": true},
        "node_modules/react": {"version": "19.1.0", "resolved": "https://registry.npmjs.org/react/-/react-19.1.0.tgz"},
        "node_modules/typescript": {"version": "5.9.2", "resolved": "https://registry.npmjs.org/typescript/-/typescript-5.9.2.tgz"},
        "packages/ui/node_modules/react": {"version": "18.0.0"}
        }}
        "#,
    );
    let expected = [
        "npm/old (^1.0.0)",
        "npm/out (file:../../../out) path",
        "npm/react 18.0.0",
        "npm/react 19.1.0",
        "npm/typescript 5.9.2",
        "stdlib/node (22)",
    ];
    assert_eq!(world.packages(), expected);
    world.step(
        r#"
        //= delete /package-lock.json
        //= edit /bun.lock
        {
          "lockfileVersion": 1,
          "workspaces": { "": {}, "packages/ui": {}, },
          "packages": {
            "@acme/core": ["@acme/core@workspace:packages/core"],
            "react": ["react@19.1.0", "", {}, "sha512-x=="],
            "typescript": ["typescript@5.9.2", "", {}, "sha512-y=="],
          },
        }
        "#,
    );
    let expected = [
        "npm/old (^1.0.0)",
        "npm/out (file:../../../out) path",
        "npm/react 19.1.0",
        "npm/typescript 5.9.2",
        "stdlib/node (22)",
    ];
    assert_eq!(world.packages(), expected);
}

#[test]
fn uv() {
    let project = "
//- /pyproject.toml
[project]
name = \"app\"
requires-python = \">=3.10\"
dependencies = [\"requests>=2\", \"lib\", \"outside\", \"app[docs]\"]
[tool.uv.sources]
lib = { workspace = true }
outside = { path = \"../outside\", editable = true }
//- /lib/pyproject.toml
[project]
name = \"lib\"
dependencies = [\"idna\"]
//- /app.py
def f(): pass
";
    let world = World::new(&format!("{STATIC}{project}"));
    let declared = ["pypi/idna (>=0)", "pypi/outside (>=0) path", "pypi/requests (>=2)", "stdlib/python (>=3.10)"];
    assert_eq!(world.packages(), declared);
    world.step(
        "
        //= edit /uv.lock
        version = 1
        [[package]]
        name = \"app\"
        version = \"0.1.0\"
        source = { editable = \".\" }
        [[package]]
        name = \"lib\"
        version = \"0.1.0\"
        source = { editable = \"lib\" }
        [[package]]
        name = \"idna\"
        version = \"3.10\"
        source = { registry = \"https://pypi.org/simple\" }
        [[package]]
        name = \"outside\"
        version = \"1.0\"
        source = { editable = \"../outside\" }
        [[package]]
        name = \"requests\"
        version = \"2.32.3\"
        source = { registry = \"https://pypi.org/simple\" }
        //= edit /.python-version
        3.12
        ",
    );
    let pinned = ["pypi/idna 3.10", "pypi/outside 1.0 path", "pypi/requests 2.32.3", "stdlib/python (==3.12.*)"];
    assert_eq!(world.packages(), pinned);
}

#[test]
fn configured_packages_take_the_place_of_stated_ones() {
    let config = "
//- /rift.toml
[dependencies]
resolution = \"static\"
[[dependencies.packages]]
manager = \"cargo\"
name = \"forked\"
version = \"9.0.0\"
[[dependencies.packages]]
manager = \"npm\"
name = \"left-pad\"
requirement = \"^1\"
[[dependencies.packages]]
manager = \"cargo\"
name = \"forked\"
version = \"8.0.0\"
";
    let world = World::new(&format!("{config}{CARGO}"));
    let expected = [
        "cargo/elsewhere (*) path",
        "cargo/forked 8.0.0",
        "cargo/forked 9.0.0",
        "cargo/log (0.4)",
        "cargo/serde (1.0)",
        "npm/left-pad (^1)",
        "stdlib/rust (>=1.85)",
    ];
    assert_eq!(world.packages(), expected);
}

#[test]
fn what_is_not_read_is_told() {
    let mut fixture = String::from(STATIC);
    for n in 0..300 {
        fixture.push_str(&format!("//- /m{n:03}/Cargo.toml\n[dependencies]\np{n:03} = \"1\"\n"));
    }
    fixture.push_str("//- /web/package.json\n{\n//- /web/bun.lock\n[,\n");
    let world = World::new(&fixture);
    let map = world.map();
    let packages = lines(&map);
    assert_eq!((packages.len(), packages.last().map(String::as_str)), (256, Some("cargo/p255 (1)")));
    let expected = serde_json::json!([
        { "code": "package_context_degraded", "resolver": "cargo",
          "reason": "300 files Cargo.toml, the first 256 in path order are read" },
        { "code": "package_context_degraded", "resolver": "npm", "reason": "web/package.json does not parse" },
        { "code": "package_context_degraded", "resolver": "bun", "reason": "web/bun.lock does not parse" },
    ]);
    assert_eq!(map["warnings"], expected);
}

/// Installed toolchains are asked for what no file pins; what a file pins needs none.
#[test]
fn installed_toolchains() {
    let world = World::new(CARGO);
    let map = world.map();
    let asked = Command::new("rustc").current_dir("/").env_remove("RUSTUP_TOOLCHAIN").arg("--version").output();
    let version = asked.ok().filter(|o| o.status.success()).and_then(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split_whitespace().nth(1).map(|word| word.split('-').next().unwrap_or(word).to_owned())
    });
    let entry = lines(&map).pop().expect("an entry");
    match version {
        Some(version) => assert_eq!(entry, format!("stdlib/rust {version}")),
        None => {
            assert_eq!(entry, "stdlib/rust (>=1.85)");
            assert_eq!(map["warnings"][0]["resolver"], "stdlib/rust");
        }
    }
    world.step("//= edit /rust-toolchain.toml\n[toolchain]\nchannel = \"1.70.0\"\n");
    assert_eq!(world.packages().last().map(String::as_str), Some("stdlib/rust 1.70.0"));
}

/// A real tree, this repository's own manifests, against what `cargo metadata` reads of them.
#[test]
fn cargo_metadata_agrees() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--no-deps"])
        .current_dir(&repository)
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let root = repository.canonicalize().expect("a folder");
    let folder = tempfile::tempdir().expect("temp");
    let copy = |path: &Path| {
        let relative = path.strip_prefix(&root).expect("a manifest of the repository");
        write(folder.path(), relative.to_str().expect("UTF-8"), &std::fs::read_to_string(path).expect("reads"));
    };
    let members = metadata["packages"].as_array().expect("packages");
    let manifest = |package: &Value| package["manifest_path"].as_str().map(str::to_owned).expect("a path");
    members.iter().for_each(|package| copy(Path::new(&manifest(package))));
    copy(&root.join("Cargo.toml"));
    write(folder.path(), "rift.toml", "[dependencies]\nresolution = \"static\"\n");

    // Without the lockfile: each requirement that a member declares on another package.
    let mut expected = BTreeSet::new();
    for dependency in members.iter().flat_map(|package| package["dependencies"].as_array().expect("dependencies")) {
        let text = |key: &str| dependency[key].as_str().unwrap_or_default();
        if dependency["path"].is_null() {
            // `cargo metadata` spells the operator that a bare version leaves out.
            expected.insert(format!("cargo/{} ({})", text("name"), text("req").trim_start_matches('^')));
        }
    }
    let world = World::open(folder);
    let found: BTreeSet<String> = world.packages().into_iter().collect();
    let bare: BTreeSet<String> = found.iter().map(|line| line.replace("(^", "(")).collect();
    assert!(bare.len() > 30 && bare == expected, "{:?}", bare.symmetric_difference(&expected));

    // With it: each package that it names with a source.
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).expect("reads");
    write(world.folder.path(), "Cargo.lock", &lock);
    world.host.refresh(&[ProjectPath::new("Cargo.lock").expect("valid")]).expect("refreshes");
    let found: BTreeSet<String> = world.packages().into_iter().collect();
    let tree = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--all-features"])
        .current_dir(&repository)
        .output()
        .expect("cargo runs");
    // Where the sources of foreign platforms are not on this machine, cargo cannot say.
    let packages: Vec<Value> = match serde_json::from_slice::<Value>(&tree.stdout) {
        Ok(metadata) => metadata["packages"].as_array().cloned().unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let resolved: BTreeSet<String> = packages
        .iter()
        .filter(|package| !package["source"].is_null())
        .map(|package| {
            format!("cargo/{} {}", package["name"].as_str().unwrap_or(""), package["version"].as_str().unwrap_or(""))
        })
        .collect();
    assert!(resolved.is_subset(&found), "{:?}", resolved.difference(&found));
    let named = lock.split("[[package]]").filter(|package| package.contains("\nsource = ")).count();
    assert_eq!(found.len(), named, "the lockfile's packages with a source");
}
