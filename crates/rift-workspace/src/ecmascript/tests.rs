//! What the three kinds of files say, in the shapes that real projects have.

use super::*;

#[test]
fn packages() {
    let package = parse_npm_package(
        r##"{
            "name": "@acme/ui", "main": "./dist/index.js", "types": "dist/index.d.ts",
            "exports": {
                ".": { "import": { "types": "./dist/index.d.mts", "default": "./dist/index.mjs" }, "require": "./dist/index.cjs" },
                "./button": "./src/button.ts",
                "./*": ["./src/*.ts", "./src/*/index.ts"],
                "./icons/*": { "browser": "./no.js", "default": "./icons/*.js" },
                "./secret/*": null
            },
            "imports": { "#lib/*": "./src/lib/*.js" },
            "workspaces": { "packages": ["packages/*", "!packages/old"] }
        }"##,
    )
    .unwrap();
    assert_eq!(package.name.as_deref(), Some("@acme/ui"));
    assert_eq!(package.main, ["dist/index.d.ts", "./dist/index.js"]);
    assert_eq!(package.workspaces, ["packages/*", "!packages/old"]);
    let exports = package.exports.unwrap();
    for (name, expected) in [
        (".", &["./dist/index.d.mts", "./dist/index.mjs", "./dist/index.cjs"][..]),
        ("./button", &["./src/button.ts"]),
        ("./card", &["./src/card.ts", "./src/card/index.ts"]),
        ("./icons/arrow", &["./icons/arrow.js"]),
        ("./secret/key", &[]),
        ("button", &[]),
    ] {
        assert_eq!(exports.apply(name), expected, "{name}");
    }
    assert_eq!(package.imports.apply("#lib/a/b"), ["./src/lib/a/b.js"]);
    let plain =
        parse_npm_package(r#"{"exports": {"import": "./a.mjs", "default": "./a.js"}, "workspaces": ["a"]}"#).unwrap();
    assert_eq!(plain.exports.unwrap().apply("."), ["./a.mjs", "./a.js"]);
    assert_eq!(plain.workspaces, ["a"]);
    assert_eq!(parse_npm_package(r#"{"exports": "./x.js"}"#).unwrap().exports.unwrap().apply("."), ["./x.js"]);
    assert_eq!(parse_npm_package("[]"), None);
    assert_eq!(parse_npm_package(&"[".repeat(100_000)), None);
}

#[test]
fn configurations() {
    let config = parse_typescript_config(
        r#"{
            // Comments and trailing commas are allowed.
            "extends": ["./base.json", "@acme/tsconfig/app.json"],
            "compilerOptions": { "baseUrl": "./src", "paths": { "@/*": ["./*"], "@/deep/*": ["deep/*", "other/*"], "lib": ["lib.ts"], } },
            "references": [{ "path": "./tsconfig.app.json" }],
        }"#,
    )
    .unwrap();
    assert_eq!(config.extends, ["@acme/tsconfig/app.json", "./base.json"]);
    assert_eq!(config.base_url.as_deref(), Some("./src"));
    assert_eq!(config.references, ["./tsconfig.app.json"]);
    let paths = config.paths.unwrap();
    assert_eq!(paths.apply("@/a"), ["./a"]);
    assert_eq!(paths.apply("@/deep/a"), ["deep/a", "other/a"]);
    assert_eq!(paths.apply("lib"), ["lib.ts"]);
    assert_eq!(paths.apply("library"), [""; 0]);
    assert_eq!(parse_typescript_config("{}"), Some(TypeScriptConfig::default()));
    assert_eq!(parse_typescript_config("nothing"), None);
}

#[test]
fn pnpm_workspaces() {
    let text =
        "# packages\npackages:\n  # all\n  - 'packages/*'  # the most\n  - \"apps/**\"\n- tools\n\ncatalog:\n  - no\n";
    assert_eq!(parse_pnpm_workspace(text), ["packages/*", "apps/**", "tools"]);
    assert_eq!(parse_pnpm_workspace("packages: [a, 'b/*']\n"), ["a", "b/*"]);
    assert_eq!(parse_pnpm_workspace("other: 1\n"), [""; 0]);
}
