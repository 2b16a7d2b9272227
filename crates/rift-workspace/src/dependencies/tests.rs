use super::*;

/// What a file states, one line a package: `name selector source`.
fn read(name: &str, text: &str) -> Vec<String> {
    let stated = parse_dependencies(name, text).expect("a file of dependencies");
    let mut out: Vec<String> = stated.lack.iter().map(|lack| format!("! {lack}")).collect();
    out.extend(stated.declared.iter().map(|d| format!("{} {} {:?}", d.name, d.requirement, d.source)));
    out.extend(stated.renamed.iter().map(|(name, package)| format!("{name} is {package}")));
    out.extend(stated.inherited.iter().map(|(key, d)| format!("{key}: {} {} {:?}", d.name, d.requirement, d.source)));
    let version = |p: &PinnedPackage| p.version.clone().unwrap_or_else(|| "-".to_owned());
    out.extend(stated.pinned.iter().map(|p| format!("{}@{} {:?}", p.name, version(p), p.source)));
    out.extend(stated.runtimes.iter().map(|(library, selector)| format!("{library:?} {selector:?}")));
    if !stated.covers.is_empty() {
        out.push(format!("covers {:?}", stated.covers));
    }
    out
}

#[test]
fn cargo_manifests() {
    let text = "
        [package]
        name = 'app'
        rust-version = '1.85'
        [dependencies]
        serde = '1.0'
        renamed = { package = 'real', version = '=2.0.0', optional = true }
        local = { path = '../local', version = '0.1' }
        forked = { git = 'https://example.com/forked', branch = 'main' }
        inner = { version = '3', registry = 'company' }
        public = { version = '3', registry = 'crates-io' }
        shared = { workspace = true, features = ['x'] }
        any = {}
        broken = 1
        [target.'cfg(unix)'.dependencies]
        libc = '0.2'
        [dev-dependencies.proptest]
        version = ' 1 '
        [workspace.dependencies]
        shared = { package = 'shared-real', version = '4' }
    ";
    let expected = [
        "any * Registry",
        "forked * Git",
        "inner 3 PrivateRegistry",
        "local 0.1 Path(\"../local\")",
        "public 3 Registry",
        "real =2.0.0 Registry",
        "serde 1.0 Registry",
        "shared * Inherited",
        "proptest 1 Registry",
        "libc 0.2 Registry",
        "renamed is real",
        "shared: shared-real 4 Registry",
        "Rust Requirement(\">=1.85\")",
    ];
    let mut found = read("Cargo.toml", text);
    found[..8].sort();
    assert_eq!(found, expected);
    assert_eq!(read("Cargo.toml", "[package"), ["! does not parse"]);
    assert_eq!(read("Cargo.toml", "dependencies = 1"), Vec::<String>::new());
}

#[test]
fn cargo_locks() {
    let text = "
        version = 4
        [[package]]
        name = 'app'
        version = '0.1.0'
        dependencies = ['serde']
        [[package]]
        name = 'serde'
        version = '1.0.228'
        source = 'registry+https://github.com/rust-lang/crates.io-index'
        [[package]]
        name = 'sparse'
        version = '1.0.0'
        source = 'sparse+https://index.crates.io/'
        [[package]]
        name = 'inner'
        version = '2.0.0'
        source = 'sparse+https://crates.example.com/index/'
        [[package]]
        name = 'forked'
        version = '3.0.0'
        source = 'git+https://example.com/forked?branch=main#0123456789abcdef'
    ";
    let expected = [
        "app@0.1.0 Unnamed",
        "serde@1.0.228 Registry",
        "sparse@1.0.0 Registry",
        "inner@2.0.0 PrivateRegistry",
        "forked@3.0.0 Git",
        "covers [\"app\"]",
    ];
    assert_eq!(read("Cargo.lock", text), expected);
}

#[test]
fn python_projects() {
    let text = "
        [project]
        name = 'My_App'
        requires-python = '>=3.10, <4'
        dependencies = ['Requests[socks]>=2.0', 'lib', 'tool @ git+https://example.com/tool', 'here']
        [project.optional-dependencies]
        docs = ['sphinx ; python_version > \"3.11\"']
        [dependency-groups]
        dev = ['pytest==8.*', { include-group = 'lint' }]
        [tool.uv]
        dev-dependencies = ['old']
        [tool.uv.sources]
        lib = { workspace = true }
        here = [{ path = '../here', marker = 'x' }, { index = 'corp' }]
        pytest = { index = 'pypi' }
        [[tool.uv.index]]
        name = 'corp'
        url = 'https://pypi.example.com/simple'
        [[tool.uv.index]]
        name = 'pypi'
        url = 'https://pypi.org/simple'
    ";
    let expected = [
        "requests >=2.0 Registry",
        "lib >=0 Member",
        "tool >=0 Git",
        "here >=0 Path(\"../here\")",
        "here >=0 PrivateRegistry",
        "sphinx >=0 Registry",
        "pytest ==8.* Registry",
        "old >=0 Registry",
        "Python Requirement(\">=3.10,<4\")",
    ];
    assert_eq!(read("pyproject.toml", text), expected);
    assert_eq!(parse_dependencies("pyproject.toml", text).and_then(|stated| stated.package).as_deref(), Some("my-app"));
    let private =
        "[project]\nname = 'a'\ndependencies = ['b']\n[[tool.uv.index]]\nurl = 'https://x.example'\ndefault = true\n";
    assert_eq!(read("pyproject.toml", private), ["b >=0 PrivateRegistry"]);
}

#[test]
fn uv_locks() {
    let text = "
        version = 1
        [[package]]
        name = 'my-app'
        version = '0.1.0'
        source = { virtual = '.' }
        [[package]]
        name = 'idna'
        version = '3.10'
        source = { registry = 'https://pypi.org/simple' }
        [[package]]
        name = 'corp'
        version = '1'
        source = { registry = 'https://pypi.example.com/simple' }
        [[package]]
        name = 'wheel'
        version = '1'
        source = { registry = 'wheels' }
        [[package]]
        name = 'tool'
        version = '2'
        source = { git = 'https://example.com/tool?rev=1#0123' }
        [[package]]
        name = 'archive'
        version = '3'
        source = { url = 'https://example.com/a.whl' }
        [[package]]
        name = 'dynamic'
        source = { editable = '../dynamic' }
    ";
    let expected = [
        "my-app@0.1.0 Path(\".\")",
        "idna@3.10 Registry",
        "corp@1 PrivateRegistry",
        "wheel@1 Path(\"wheels\")",
        "tool@2 Git",
        "archive@3 Url",
        "dynamic@- Path(\"../dynamic\")",
        "covers [\"my-app\", \"dynamic\"]",
    ];
    assert_eq!(read("uv.lock", text), expected);
}

#[test]
fn npm_manifests() {
    let text = r#"{
        "name": "app",
        "workspaces": {"packages": ["packages/*"]},
        "engines": {"node": ">=20"},
        "volta": {"node": "22.1.0"},
        "dependencies": {
            "react": "^19.0.0", "any": "", "ui": "workspace:*", "alias": "npm:@scope/real@^2", "alias2": "npm:real",
            "fork": "github:owner/fork#main", "short": "owner/repo", "git": "git+ssh://git@example.com/x.git",
            "hub": "https://example.com/x.git#v1", "tar": "https://example.com/x.tgz", "near": "file:../near",
            "tag": "latest", "range": "1.x || >=2.5.0", "scoped/odd": "1 - 2"
        },
        "peerDependencies": {"peer": "*"},
        "devDependencies": {"bad": 1}
    }"#;
    let expected = [
        "any * Registry",
        "fork github:owner/fork#main Git",
        "git git+ssh://git@example.com/x.git Git",
        "hub https://example.com/x.git#v1 Git",
        "near file:../near Path(\"../near\")",
        "peer * Registry",
        "range 1.x || >=2.5.0 Registry",
        "react ^19.0.0 Registry",
        "real * Registry",
        "@scope/real ^2 Registry",
        "scoped/odd 1 - 2 Registry",
        "short owner/repo Git",
        "tag latest Registry",
        "tar https://example.com/x.tgz Url",
        "ui workspace:* Member",
        "Node Version(\"22.1.0\")",
        "Node Requirement(\">=20\")",
    ];
    let mut found = read("package.json", text);
    let mut expected: Vec<String> = expected.map(str::to_owned).into();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(read("package.json", "[]"), ["! does not parse"]);
}

#[test]
fn npm_locks() {
    let text = r#"{
        "lockfileVersion": 3,
        "packages": {
            "": {"name": "app", "dependencies": {"a": "^1"}},
            "packages/ui": {"name": "@acme/ui", "version": "0.1.0"},
            "../outside": {"name": "outside", "version": "9.0.0"},
            "node_modules/@acme/ui": {"resolved": "packages/ui", "link": true},
            "node_modules/outside": {"resolved": "../outside", "link": true},
            "node_modules/a": {"version": "1.2.3", "resolved": "https://registry.npmjs.org/a/-/a-1.2.3.tgz"},
            "node_modules/a/node_modules/@s/b": {"version": "2.0.0", "resolved": "https://npm.example.com/@s/b/-/b-2.0.0.tgz"},
            "packages/ui/node_modules/c": {"name": "real-c", "version": "3.0.0"},
            "node_modules/d": {"version": "4.0.0", "resolved": "git+ssh://git@github.com/o/d.git#0123"},
            "node_modules/e": {"version": "5.0.0", "resolved": "https://example.com/e.tgz"},
            "node_modules/f": {"version": "6.0.0", "resolved": "file:vendor/f.tgz"}
        }
    }"#;
    let mut found = read("package-lock.json", text);
    found.sort();
    let expected = [
        "@acme/ui@0.1.0 Path(\"packages/ui\")",
        "@s/b@2.0.0 PrivateRegistry",
        "a@1.2.3 Registry",
        "covers [\"\", \"../outside\", \"packages/ui\"]",
        "d@4.0.0 Git",
        "e@5.0.0 Url",
        "f@6.0.0 Path(\"vendor/f.tgz\")",
        "outside@9.0.0 Path(\"../outside\")",
        "real-c@3.0.0 Registry",
    ];
    assert_eq!(found, expected);
    let old = r#"{"lockfileVersion": 1, "dependencies": {
        "a": {"version": "1.0.0", "resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz", "dependencies": {
            "b": {"version": "npm:real@2.0.0"}}},
        "g": {"version": "github:o/g#0123"}, "l": {"version": "file:../l"}}}"#;
    let expected = [
        "a@1.0.0 Registry",
        "real@2.0.0 Registry",
        "g@github:o/g#0123 Git",
        "l@file:../l Path(\"../l\")",
        "covers [\"\"]",
    ];
    assert_eq!(read("package-lock.json", old), expected);
}

#[test]
fn bun_locks() {
    let text = r#"{
      "lockfileVersion": 1,
      "workspaces": {
        "": { "name": "app", "dependencies": { "a": "^1", }, },
        "packages/ui": { "name": "@acme/ui", },
      },
      "packages": {
        "@acme/ui": ["@acme/ui@workspace:packages/ui"],
        "a": ["a@1.2.3", "", { "dependencies": { "b": "2" } }, "sha512-x=="],
        "a/b": ["@s/b@2.0.0", "https://npm.example.com/@s/b/-/b-2.0.0.tgz", {}, "sha512-y=="],
        "g": ["g@github:o/g#0123", {}, "o-g-0123"], // a repository
        "t": ["t@https://example.com/t.tgz", {}],
        "l": ["l@link:../l", {}],
        "app": ["app@root:", {}],
      },
    }"#;
    let expected = [
        "@acme/ui@workspace:packages/ui Member",
        "a@1.2.3 Registry",
        "@s/b@2.0.0 PrivateRegistry",
        "app",
        "g@github:o/g#0123 Git",
        "l@link:../l Path(\"../l\")",
        "t@https://example.com/t.tgz Url",
        "covers [\"\", \"packages/ui\"]",
    ];
    let expected: Vec<&str> = expected.into_iter().filter(|line| *line != "app").collect();
    assert_eq!(read("bun.lock", text), expected);
}

#[test]
fn pins() {
    for (name, text, expected) in [
        ("rust-toolchain.toml", "[toolchain]\nchannel = '1.80.1'\n", "Rust Version(\"1.80.1\")"),
        ("rust-toolchain", "1.80\n", "Rust Line(\"1.80\")"),
        ("rust-toolchain", "[toolchain]\nchannel = '1.80.1-x86_64-unknown-linux-gnu'\n", "Rust Version(\"1.80.1\")"),
        ("rust-toolchain.toml", "[toolchain]\nchannel = 'stable'\n", ""),
        ("rust-toolchain", "nightly-2026-01-01\n", ""),
        (".nvmrc", "# ours\nv22.3.1\n", "Node Version(\"22.3.1\")"),
        (".nvmrc", "lts/*\n", ""),
        (".node-version", "20\n", "Node Line(\"20\")"),
        (".python-version", "3.12\n3.11\n", "Python Line(\"3.12\")"),
        (".python-version", "cpython-3.12.4\n", "Python Version(\"3.12.4\")"),
        (".python-version", "pypy3.10\n", ""),
        (".tool-versions", "ruby 3\nnodejs 20.1.0 # x\n", "Node Version(\"20.1.0\")"),
    ] {
        assert_eq!(read(name, text).join("; "), expected, "{name} {text:?}");
    }
}

#[test]
fn bounds_are_told() {
    let entries: String = (0..=DEPENDENCY_FILE_PACKAGES_MAX).map(|n| format!("p{n} = '1'\n")).collect();
    let stated = parse_dependencies("Cargo.toml", &format!("[dependencies]\n{entries}")).expect("a manifest");
    assert_eq!(stated.declared.len(), DEPENDENCY_FILE_PACKAGES_MAX);
    assert_eq!(stated.lack.as_deref(), Some("states 20001 packages, the first 20000 are read"));
    let huge = parse_dependencies("package.json", &" ".repeat(DEPENDENCY_FILE_BYTES_MAX + 1)).expect("a manifest");
    assert_eq!(huge.lack.as_deref(), Some("holds more than 16777216 bytes"));
    assert_eq!(
        parse_dependencies("package.json", &"[".repeat(100_000)).and_then(|s| s.lack).as_deref(),
        Some("does not parse")
    );
    assert_eq!(parse_dependencies("Cargo.toml.bak", ""), None);
}
