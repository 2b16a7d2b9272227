//! Who wrote a file, told by rule from its name and its text.
//!
//! - Lock files are known by name.
//! - Source maps by `.map` behind a script's or style sheet's extension.
//! - Minified and bundled files by name (`*.min.js`, `*.bundle.js`), or, for the formats that minifiers
//!   write, by shape: most bytes lie in very long lines and few ordinary lines stand beside them.
//! - Compiled scripts and declaration files by the reference to their source map that ends them
//!   (<https://tc39.es/ecma426/#sec-linking-generated-code>).
//! - Other generated files by a marker in the comments that open them: Go's
//!   `Code generated … DO NOT EDIT.` (<https://go.dev/s/generatedcode>), `@generated`, and the sentences that
//!   protoc, Thrift, bison, flex, ANTLR, SWIG and others write. A marker that is only mentioned (in code, in a string,
//!   below the opening comments, in the middle of a sentence) does not count.

use rift_base::{DEFAULT_LOCKFILES, GeneratedReason, SourceKind};

/// Lines of a file's head in which a marker counts.
const HEADER_LINES: usize = 40;
/// Bytes of a file's head in which a marker counts.
const HEADER_BYTES: usize = 4096;
/// A line of at least this many bytes is long. Hand-written code has next to none.
const LONG_LINE: usize = 1000;
/// A file with this many ordinary lines is not taken for minified, however long its others are: it
/// may be hand-written code around embedded data.
const ORDINARY_LINES: usize = 64;
/// A smaller file is never taken for minified by its shape.
const MINIFIED_BYTES_MIN: usize = 2000;

/// What opens the line by which a compiled script names its source map.
const SOURCE_MAP_LINE: &str = "//# sourceMappingURL=";

/// Extensions of the formats that minifiers and bundlers write.
const MINIFIABLE: &[&str] = &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "css", "json", "html", "svg"];

/// Who wrote the file at `path` with this text.
pub fn source_kind(path: &str, text: &str) -> SourceKind {
    let name = path.rsplit('/').next().unwrap_or(path);
    let reason = if DEFAULT_LOCKFILES.contains(&name) {
        GeneratedReason::Lockfile
    } else if is_source_map(name) {
        GeneratedReason::SourceMap
    } else if is_minified_name(name) || is_minified_text(name, text) {
        GeneratedReason::Minified
    } else if has_generated_header(name, text) {
        GeneratedReason::Header
    } else if has_source_map(name, text) {
        GeneratedReason::Compiled
    } else {
        return SourceKind::Authored;
    };
    SourceKind::Generated(reason)
}

fn extension(name: &str) -> &str {
    name.rfind('.').map_or("", |dot| &name[dot + 1..])
}

fn is_source_map(name: &str) -> bool {
    name.strip_suffix(".map")
        .is_some_and(|rest| matches!(extension(rest), "js" | "mjs" | "cjs" | "css" | "ts" | "mts" | "cts"))
}

fn is_minified_name(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(extension(name)).and_then(|s| s.strip_suffix('.')) else { return false };
    match extension(name) {
        "js" | "mjs" | "cjs" => {
            [".min", "-min", ".bundle", ".bundle.min"].iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
        }
        "css" => [".min", "-min"].iter().any(|end| stem.len() > end.len() && stem.ends_with(end)),
        _ => false,
    }
}

fn is_minified_text(name: &str, text: &str) -> bool {
    if text.len() < MINIFIED_BYTES_MIN || !MINIFIABLE.contains(&extension(name)) {
        return false;
    }
    let (mut long_bytes, mut all_bytes, mut ordinary) = (0, text.len(), 0);
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        let length = end - start;
        if length >= LONG_LINE && text.as_bytes()[start..].starts_with(SOURCE_MAP_LINE.as_bytes()) {
            // A source map that a compiler put into its output says nothing about the code.
            all_bytes -= length;
        } else if length >= LONG_LINE {
            long_bytes += length;
        } else if length > 1 {
            ordinary += 1;
            if ordinary >= ORDINARY_LINES {
                return false;
            }
        }
        start = end + 1;
    }
    long_bytes * 2 > all_bytes
}

/// Whether the last line of a script refers to a source map.
fn has_source_map(name: &str, text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    matches!(extension(name), "js" | "mjs" | "cjs" | "ts" | "mts" | "cts") && last.starts_with(SOURCE_MAP_LINE)
}

/// Whether the comments that open the text hold a marker.
fn has_generated_header(name: &str, text: &str) -> bool {
    // `#` opens a heading in Markdown; its comments are those of HTML.
    let prose = matches!(extension(name), "md" | "markdown" | "mdown" | "mkd" | "mdx");
    let mut head = HEADER_BYTES.min(text.len());
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let mut generated = false;
    let mut do_not_edit = false;
    let mut block = None;
    for line in text[..head].lines().take(HEADER_LINES) {
        let line = line.trim();
        if line.is_empty() || is_preamble(line) {
            continue;
        }
        if prose && block.is_none() && !line.starts_with("<!--") {
            return false;
        }
        let Some(comment) = comment_text(line, &mut block) else { return false };
        let lower = comment.to_ascii_lowercase();
        if is_marker(&lower) {
            return true;
        }
        // "Generated by X" on one line and "DO NOT EDIT" on another make a marker together.
        generated |= lower.starts_with("generated by ")
            || lower.starts_with("generated from ")
            || lower.contains(" generated by ");
        do_not_edit |=
            ["do not edit", "do not modify", "don't edit", "do not change"].iter().any(|m| lower.contains(m));
        if generated && do_not_edit {
            return true;
        }
    }
    false
}

/// Lines that may stand before the opening comments.
fn is_preamble(line: &str) -> bool {
    line.starts_with("#!")
        || line.starts_with("<?xml")
        || line.starts_with("<!DOCTYPE")
        || line.starts_with("\"use strict\"")
        || line.starts_with("'use strict'")
        || line.starts_with("<?php")
}

/// The text of a line of comment, without its markers; none when the line is no comment. `block` is
/// the end marker of the block comment that the line begins in.
fn comment_text<'a>(line: &'a str, block: &mut Option<&'static str>) -> Option<&'a str> {
    const BLOCKS: [(&str, &str); 5] =
        [("/*", "*/"), ("<!--", "-->"), ("\"\"\"", "\"\"\""), ("'''", "'''"), ("(*", "*)")];
    const LINES: [&str; 8] = ["//", "#", "--", ";", "%", "'", "dnl ", "REM "];
    let mut rest = line;
    if block.is_none() {
        if let Some((start, end)) = BLOCKS.into_iter().find(|(start, _)| line.starts_with(start)) {
            *block = Some(end);
            rest = &line[start.len()..];
        } else {
            let start = LINES.into_iter().find(|start| line.starts_with(start))?;
            return Some(line[start.len()..].trim_matches(['/', '#', '!', '*', '-', ';', ' ', '\t', '=']));
        }
    }
    if let Some(end) = *block
        && let Some(at) = rest.find(end)
    {
        *block = None;
        rest = &rest[..at];
    }
    Some(rest.trim_matches(['*', '!', '#', '-', ' ', '\t', '=']))
}

/// Whether one line of comment, in lower case, says that the file is generated.
fn is_marker(line: &str) -> bool {
    const STARTS: [&str; 10] = [
        "@generated",
        "autogenerated by ",
        "auto-generated by ",
        "auto generated by ",
        "automatically generated by ",
        "automatically generated from ",
        "this file is @generated",
        "<auto-generated",
        "a bison parser, made by gnu bison",
        "a lexical scanner generated by flex",
    ];
    const SENTENCES: [&str; 4] = ["this file", "this code", "this module", "this source file"];
    const VERBS: [&str; 3] = [" is ", " was ", " has been "];
    const ADVERBS: [&str; 7] = ["", "automatically ", "auto-", "auto ", "auto", "machine ", "machine-"];
    if STARTS.iter().any(|start| line.starts_with(start)) {
        return true;
    }
    if let Some(rest) = line.strip_prefix("code generated ")
        && rest.contains("do not edit")
    {
        return true;
    }
    if let Some(rest) = line.strip_prefix("automatically generated file")
        && !rest.starts_with(char::is_alphanumeric)
    {
        return true;
    }
    if line.contains("generated by the protocol buffer compiler")
        || (line.starts_with("generated from ") && line.contains(" by antlr"))
    {
        return true;
    }
    SENTENCES.iter().filter_map(|s| line.strip_prefix(s)).any(|rest| {
        VERBS.iter().filter_map(|v| rest.strip_prefix(v)).any(|rest| {
            ADVERBS.iter().filter_map(|a| rest.strip_prefix(a)).any(|rest| {
                let Some(rest) = rest.strip_prefix("generated") else { return false };
                !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use GeneratedReason::{Compiled, Header, Lockfile, Minified, SourceMap};

    fn check(path: &str, text: &str, expected: Option<GeneratedReason>) {
        let expected = expected.map_or(SourceKind::Authored, SourceKind::Generated);
        assert_eq!(source_kind(path, text), expected, "{path}: {}", &text[..text.len().min(200)]);
    }

    #[test]
    fn headers() {
        for (path, text) in [
            ("a.pb.go", "// Code generated by protoc-gen-go. DO NOT EDIT.\n// source: a.proto\npackage a\n"),
            ("a.go", "// Copyright 2020.\n//\n// Apache.\n\n// Code generated by MockGen. DO NOT EDIT.\n\npackage a\n"),
            (
                "a_pb2.py",
                "# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n# source: a.proto\n",
            ),
            ("a.java", "/**\n * Autogenerated by Thrift Compiler (0.13.0)\n *\n * DO NOT EDIT\n */\npackage a;\n"),
            ("a.rs", "// @generated by prost-build\nfn a() {}\n"),
            ("a.rs", "// This file is @generated by prost-build.\n"),
            ("bindings.rs", "/* automatically generated by rust-bindgen 0.69.4 */\n\npub type a = u8;\n"),
            ("a.js", "/**\n * @generated SignedSource<<0123>>\n * @flow\n */\n'use strict';\n"),
            ("a.c", "/* A Bison parser, made by GNU Bison 3.8.2.  */\n"),
            ("a.java", "// Generated from A.g4 by ANTLR 4.9\npackage a;\n"),
            ("a.cs", "//------\n// <auto-generated>\n//     This code was generated by a tool.\n"),
            ("a.h", "/*\n * WARNING: do not edit!\n * Generated by crypto/objects/obj_dat.pl\n *\n * Copyright\n */\n"),
            ("a.ts", "// This file was automatically generated from an API schema.\nexport {};\n"),
            ("a.py", "#!/usr/bin/env python\n\"\"\"This file is auto-generated by make_tables.\"\"\"\n"),
            ("a.md", "<!-- This file is generated. Do not edit. -->\n# Title\n"),
            ("configure", "#! /bin/sh\n# This file was autogenerated.\n"),
            ("a.c", "/* Automatically generated file; DO NOT EDIT */\n"),
        ] {
            check(path, text, Some(Header));
        }
    }

    #[test]
    fn a_mention_is_no_marker() {
        let deep = format!("{}// @generated\n", "let a = 1;\n".repeat(10));
        let below_the_window = format!("{}// @generated\n", "// words\n".repeat(HEADER_LINES));
        for (path, text) in [
            ("a.rs", deep.as_str()),
            ("a.rs", below_the_window.as_str()),
            ("a.rs", "//! Skips files that hold `@generated` in their first lines.\nfn a() {}\n"),
            ("a.rs", "const MARK: &str = \"@generated\";\n"),
            ("a.py", "# Tests that this file is generatedly odd\n"),
            ("a.py", "# Handles automatically generated keys of a table.\n"),
            ("a.py", "# Generated by Django 3.2 on 2021-04-06 14:00\n\nfrom django.db import migrations\n"),
            ("a.go", "// Package gen writes files that say Code generated ... DO NOT EDIT.\npackage gen\n"),
            ("a.md", "# Automatically generated files\n\nText.\n"),
            ("a.md", "# @generated\n"),
            ("a.rs", "//! Code generated by the derive macros used to trip a lint.\n"),
            ("a.c", "/* do not edit the table by hand */\nint a;\n"),
            ("a.txt", ""),
            ("a.rs", "é"),
        ] {
            check(path, text, None);
        }
        // The window ends inside a character: no panic, no marker.
        check("a.rs", &format!("//{}", "é".repeat(HEADER_BYTES)), None);
    }

    #[test]
    fn compiled() {
        let map = "//# sourceMappingURL=a.js.map";
        for path in ["a.js", "lib/a.mjs", "a.cjs", "a.d.ts"] {
            check(path, &format!("export const a = 1;\n{map}\n"), Some(Compiled));
            check(path, &format!("export const a = 1;\n{map}"), Some(Compiled));
        }
        check("a.js", &format!("{map}\nexport const a = 1;\n"), None);
        check("a.js", &format!("const line = \"{map}\";\n"), None);
        check("a.py", &format!("a = 1\n{map}\n"), None);
    }

    #[test]
    fn minified() {
        let bundle = format!("!function(){{{}}}();", "var a=1;".repeat(1000));
        check("dist/app.js", &bundle, Some(Minified));
        check("app.css", &"a{b:c}".repeat(1000), Some(Minified));
        check("app.min.js", "a()", Some(Minified));
        check("app.bundle.js", "a()", Some(Minified));
        check("app.min.css", "a{}", Some(Minified));
        check("app.js.map", "{}", Some(SourceMap));
        check("app.d.ts.map", "{}", Some(SourceMap));
        let with_licence = format!("/*\n{}*/\n{bundle}", " * words of a licence\n".repeat(20));
        check("app.js", &with_licence, Some(Minified));
        // Not a format that minifiers write; too small; code around embedded data; one long line among many; names that only look alike.
        check("table.py", &bundle, None);
        check("a.js", &"a();".repeat(100), None);
        check(
            "decoder.js",
            &format!("{}const data = \"{}\";\n", "let a = f(1);\n".repeat(70), "QUFB".repeat(9000)),
            None,
        );
        check("a.js", &format!("{}{}\n", "let a = f(1);\n".repeat(200), "x".repeat(1500)), None);
        check("hex.js", &format!("let a = f(1);\n//# sourceMappingURL=data:{}", "QUFB".repeat(9000)), Some(Compiled));
        check(".min.js", "a()", None);
        check("admin.js", "a()", None);
        check("world.map", "text", None);
    }

    #[test]
    fn lockfiles() {
        for name in [
            "Cargo.lock",
            "sub/package-lock.json",
            "x/uv.lock",
            "poetry.lock",
            "bun.lock",
            "yarn.lock",
            "pnpm-lock.yaml",
        ] {
            check(name, "{}", Some(Lockfile));
        }
        check("Cargo.toml", "[package]\n", None);
        check("lock.json", "{}", None);
    }
}
