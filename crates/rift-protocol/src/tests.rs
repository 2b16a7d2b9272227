//! The form of requests and answers, and the schemas.

use serde_json::{Map, Value, json};

use crate::*;

fn refused<T: Request + std::fmt::Debug>(arguments: Value, field: &str, violation: &str) {
    let failure = T::parse(arguments.clone()).expect_err(&arguments.to_string());
    let expected = format!(
        "the request does not match the documented form: field {field}, violation {violation}; correct the reported \
         field and resend the request"
    );
    assert_eq!(failure.data.message, expected, "{arguments}");
    assert_eq!(failure.code(), ErrorCode::InvalidRequest);
}

#[test]
fn search_requests_refused_by_field() {
    let view = "a".repeat(64);
    let seed = "rift://symbol/local/rust/a/b";
    for (arguments, field, violation) in [
        (json!({}), "query", "missing"),
        (json!({"query": " "}), "query", "empty"),
        (json!({"query": "a".repeat(4097)}), "query", "too_long"),
        (json!({"query": 1}), "query", "type"),
        (json!({"query": "a", "limit": 0}), "limit", "zero"),
        (json!({"query": "a", "limit": 10001}), "limit", "above_maximum"),
        (json!({"query": "a", "limit": -1}), "limit", "out_of_range"),
        (json!({"query": "a", "limit": "5"}), "limit", "type"),
        (json!({"query": "a", "page_index": 1u64 << 53}), "page_index", "above_maximum"),
        (json!({"query": "a", "text": "b"}), "text", "unknown_field"),
        (json!({"query": "a", "paths": {"inclde": []}}), "paths.inclde", "unknown_field"),
        (json!({"query": "a", "paths": {"include": ["a", "/b"]}}), "paths.include[1]", "absolute"),
        (json!({"query": "a", "target": "node"}), "target", "unknown_value"),
        (json!({"query": "a", "include": ["code"]}), "include[0]", "unknown_value"),
        (json!({"query": "a", "scope": "locals"}), "scope", "unknown_value"),
        (json!({"query": "a", "rev": "HEAD@{1}"}), "rev", "charset_forbidden"),
        (json!({"query": "a", "view": "abc"}), "view", "hex"),
        (json!({"pattern": "a".repeat(1025)}), "pattern", "too_long"),
        (json!({"pattern": "a", "query": "b"}), "pattern", "conflict, beside query"),
        (json!({"pattern": "a", "rev": "main"}), "pattern", "conflict, beside rev"),
        (json!({"traversal": {}}), "traversal.seed", "missing"),
        (json!({"traversal": {"seed": "rift://symbol/rust/src/lib.rs/load_config"}}), "traversal.seed", "owner"),
        (json!({"traversal": {"seed": seed, "depth": 3}}), "traversal.depth", "above_maximum"),
        (json!({"traversal": {"seed": seed}, "scope": "global"}), "traversal", "conflict, beside scope"),
        (json!({"change": {"base": "main"}, "rev": "main"}), "change", "conflict, beside rev"),
        (json!({"change": {"base": "main"}, "query": "a"}), "change", "conflict, beside query"),
        (json!({"query": "a", "packages": [{"manager": "cargo", "name": "x"}]}), "packages", "conflict, beside scope"),
        (
            json!({"query": "a", "scope": "all", "packages": [{"manager": "", "name": "x"}]}),
            "packages[0].manager",
            "empty",
        ),
        (json!({"query": "a", "rev": "main", "scope": "all"}), "rev", "conflict, beside scope"),
        (json!({"query": "a", "rev": "main", "view": view}), "rev", "conflict, beside view"),
        (
            json!({"query": "a", "rev": "main", "paths": {"force_include": ["x"]}}),
            "rev",
            "conflict, beside paths.force_include",
        ),
        (json!({"target": "commit"}), "query", "missing"),
        (json!({"target": "commit", "query": "a", "paths": {}}), "paths", "conflict, beside target"),
        (json!([]), "arguments", "type"),
    ] {
        refused::<SearchParams>(arguments, field, violation);
    }
}

#[test]
fn search_requests_accepted() {
    let params = SearchParams::parse(json!({"query": "test_fit"})).expect("valid");
    assert_eq!(params, SearchParams { query: Some("test_fit".to_owned()), ..SearchParams::default() });
    assert_eq!((params.limit, params.page_index, params.scope.as_str()), (20, 0, "local"));
    for arguments in [
        json!({"query": "test_fit", "paths": {"include": ["tests/**"], "force_include": ["tests/legacy/test_solver.py"]}}),
        json!({"pattern": "tokio::\\w+", "paths": {"include": ["src/**"]}, "target": "file", "include": ["source"]}),
        json!({"traversal": {"seed": "rift://symbol/local/rust/a/b", "direction": "outgoing", "depth": 2}, "target": "symbol"}),
        json!({"change": {"base": "HEAD", "head": {"kind": "working_tree"}}, "target": "symbol"}),
        json!({"change": {"base": "HEAD~1", "head": "main"}}),
        json!({"target": "commit", "query": "change path bound", "limit": 10}),
        json!({"query": "spawn_blocking", "scope": "all", "packages": [{"manager": "cargo", "name": "tokio", "version": "1.47.1"}]}),
    ] {
        let params = SearchParams::parse(arguments.clone()).expect("valid");
        let again = SearchParams::parse(serde_json::to_value(&params).expect("serializes")).expect("valid");
        assert_eq!(again, params, "{arguments}");
    }
}

#[test]
fn exact_reads_refused_by_field() {
    let id = "rift://symbol/local/rust/a/b";
    let unit = "rift://source/project/README.md";
    let view = "a".repeat(64);
    for (arguments, field, violation) in [
        (json!({}), "id", "missing"),
        (json!({"id": "rift://symbol/rust/src/lib.rs/load_config"}), "id", "owner"),
        (json!({"id": id, "name": "b"}), "name", "unknown_field"),
        (json!({"id": id, "include": ["score"]}), "include[0]", "unknown_value"),
        (json!({"id": id, "declaration_limit": 0}), "declaration_limit", "zero"),
        (json!({"id": id, "declaration_cursor": ""}), "declaration_cursor", "empty"),
        (json!({"id": id, "rev": "main", "view": view}), "rev", "conflict, beside view"),
        (
            json!({"id": "rift://symbol/cargo/crates.io/demo@1.0.0/rust/demo/x", "rev": "main"}),
            "rev",
            "conflict, beside id",
        ),
    ] {
        refused::<GetSymbolParams>(arguments, field, violation);
    }
    for (arguments, field, violation) in [
        (json!({"unit": "README.md"}), "unit", "length"),
        (json!({"unit": unit, "range": {"start": 9, "end": 3}}), "range", "reversed"),
        (json!({"unit": unit, "range": {"start": 9}}), "range.end", "missing"),
        (json!({"unit": "rift://source/stdlib/node@26.11.1/lib/fs.js", "rev": "main"}), "rev", "conflict, beside unit"),
    ] {
        refused::<GetSourceParams>(arguments, field, violation);
    }
    for (arguments, field, violation) in [
        (json!({"path": "", "position": 0}), "path", "empty"),
        (json!({"path": "../a", "position": 0}), "path", "dot_segment"),
        (json!({"path": "a"}), "position", "missing"),
        (json!({"path": "a", "position": 0.5}), "position", "type"),
        (json!({"path": "a", "position": 0, "view": view}), "view", "unknown_field"),
    ] {
        refused::<NodesParams>(arguments, field, violation);
    }
    let params = GetSymbolParams::parse(json!({"id": id})).expect("valid");
    assert_eq!(params, GetSymbolParams::new(SymbolId::parse(id).expect("valid")));
    assert_eq!((params.include, params.declaration_limit), (vec![SymbolInclude::Source], 5));
    assert_eq!(GetSymbolParams::parse(json!({"id": id, "include": []})).expect("valid").include, []);
}

/// Walks every property of a schema.
fn properties(schema: &Value, at: &str, visit: &mut impl FnMut(&str, &Value)) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::Object(members)) = object.get("properties") {
                for (name, member) in members {
                    visit(&format!("{at}.{name}"), member);
                }
            }
            object.iter().for_each(|(key, value)| properties(value, &format!("{at}/{key}"), visit));
        }
        Value::Array(items) => items.iter().for_each(|item| properties(item, at, visit)),
        _ => {}
    }
}

fn request_schema<T: Request>(required: &[&str], defaults: Value) -> Map<String, Value> {
    let schema = schema::of::<T>();
    let tool = T::TOOL;
    assert_eq!(schema["type"], "object", "{tool}");
    assert_eq!(schema["additionalProperties"], false, "{tool}");
    assert_eq!(schema.get("required").unwrap_or(&json!([])), &json!(required), "{tool}");
    let text = Value::Object(schema.clone()).to_string();
    assert!(!text.contains("$ref") && !text.contains("\"null\"") && !text.contains("uint64"), "{tool}: {text}");
    let mut seen = 0;
    properties(&Value::Object(schema.clone()), tool, &mut |at, member| {
        seen += 1;
        let constant = member.get("const").is_some();
        assert!(constant || member["description"].as_str().is_some_and(|d| d.len() > 8), "{at} has no description");
    });
    assert!(seen >= 3, "{tool}");
    for (name, default) in defaults.as_object().expect("an object") {
        assert_eq!(&schema["properties"][name]["default"], default, "{tool}.{name}");
    }
    schema
}

#[test]
fn request_schemas() {
    let search = request_schema::<SearchParams>(
        &[],
        json!({"target": "all", "order": "relevance", "limit": 20, "page_index": 0, "scope": "local"}),
    );
    let limit = &search["properties"]["limit"];
    assert_eq!((&limit["type"], &limit["minimum"], &limit["maximum"]), (&json!("integer"), &json!(1), &json!(10000)));
    assert_eq!(search["properties"]["pattern"]["maxLength"], 1024);
    assert_eq!(search["properties"]["packages"]["maxItems"], 64);
    let depth = &search["properties"]["traversal"]["properties"]["depth"];
    assert_eq!((&depth["minimum"], &depth["maximum"], &depth["default"]), (&json!(1), &json!(2), &json!(1)));
    assert_eq!(search["properties"]["page_index"]["maximum"], limits::INTEGER_MAX);
    request_schema::<GetSymbolParams>(&["id"], json!({"include": ["source"], "declaration_limit": 5}));
    request_schema::<GetSourceParams>(&["unit"], json!({}));
    request_schema::<NodesParams>(&["path", "position"], json!({}));
}

#[test]
fn the_bounds_of_schemas_are_the_limits() {
    // Schema attributes take literals in places where a constant would not show; both must say the same.
    let search = Value::Object(schema::of::<SearchParams>());
    let bound = |pointer: &str| search.pointer(pointer).and_then(Value::as_u64).expect("stated");
    assert_eq!(bound("/properties/limit/maximum"), limits::SEARCH_LIMIT_MAX);
    assert_eq!(bound("/properties/pattern/maxLength"), limits::PATTERN_MAX as u64);
    assert_eq!(bound("/properties/query/maxLength"), limits::FREE_TEXT_MAX as u64);
    assert_eq!(bound("/properties/packages/maxItems"), limits::PACKAGES_MAX as u64);
    assert_eq!(bound("/properties/paths/properties/include/maxItems"), limits::PATH_PATTERNS_MAX as u64);
    assert_eq!(bound("/properties/traversal/properties/depth/maximum"), limits::TRAVERSAL_DEPTH_MAX);
    let symbol = Value::Object(schema::of::<GetSymbolParams>());
    let bound = |pointer: &str| symbol.pointer(pointer).and_then(Value::as_u64).expect("stated");
    assert_eq!(bound("/properties/declaration_limit/maximum"), limits::DECLARATION_LIMIT_MAX);
    assert_eq!(bound("/properties/declaration_cursor/maxLength"), limits::CURSOR_MAX as u64);
}

#[test]
fn answer_schemas_are_objects() {
    for schema in [
        schema::of::<SearchAnswer>(),
        schema::of::<GetSymbolResult>(),
        schema::of::<GetSourceResult>(),
        schema::of::<NodesResult>(),
        schema::of::<WorkspaceMap>(),
        schema::of::<WorkspaceResourcePage>(),
    ] {
        assert_eq!(schema["type"], "object");
        assert!(!Value::Object(schema).to_string().contains("\"null\""));
    }
}

fn round_trip<T: serde::Serialize + serde::de::DeserializeOwned>(wire: Value) {
    let value: T = serde_json::from_value(wire.clone()).expect("reads");
    assert_eq!(serde_json::to_value(&value).expect("writes"), wire);
}

#[test]
fn answers_leave_absent_members_out() {
    let view = json!({"id": "a".repeat(64), "expires_at": "2026-09-22T14:03:00Z"});
    let symbol = json!({"language": "rust", "name": "f", "kind": "function", "facets": ["value", "callable"]});
    round_trip::<SearchAnswer>(json!({
        "results": [
            {"hit": {"target": "symbol", "symbol": symbol}, "matched_by": ["name"], "range": {"start": 0, "end": 9},
             "line": 1, "path": "src/a.rs"},
            {"hit": {"target": "file", "size": 4}, "path": "justfile"},
        ],
        "pagination": {"page_index": 0, "total_pages": 1},
        "view": view,
        "warnings": [{"code": "local_index_preparing", "prepared": 3, "detail": "d"}, {"code": "global_access_disabled"}],
    }));
    round_trip::<SearchAnswer>(json!({"outcome": "unavailable", "reason": "view_expired"}));
    round_trip::<GetSymbolResult>(json!({
        "outcome": "found", "symbol": symbol, "view": view,
        "declarations": [{
            "origin": {"location": "project", "source_kind": "authored"}, "path": "src/a.rs",
            "range": {"start": 0, "end": 9}, "line": 1, "source_complete": false,
            "signature_indices": [0], "type_indices": [], "documentation_indices": [],
        }],
    }));
    let id = "rift://symbol/local/rust/a/b";
    round_trip::<GetSymbolResult>(json!({
        "outcome": "missing", "view": view,
        "symbol_not_found": {"id": id, "alternatives": [{"id": id, "name": "b", "match_context": ["owner", "form"]}]},
    }));
    round_trip::<GetSymbolResult>(json!({"outcome": "unavailable", "id": id, "reason": "index_preparing"}));
    round_trip::<GetSourceResult>(json!({"outcome": "missing", "unit": "rift://source/project/a", "view": view}));
    let extra = json!({"outcome": "unavailable", "id": id, "reason": "index_preparing", "x": 1});
    assert!(serde_json::from_value::<GetSymbolResult>(extra).is_err());
}

#[test]
fn warnings_carry_their_code() {
    for wire in [
        json!({"code": "query_narrowed", "terms_max": 64}),
        json!({"code": "source_unavailable", "unit": "rift://file/a", "detail": "d"}),
        json!({"code": "package_context_degraded", "resolver": "cargo", "reason": "r"}),
        json!({"code": "engine_analysis_unavailable", "language": "rust", "detail": "d"}),
        json!({"code": "documentation", "warning": {"source": {"kind": "project", "path": "a.md"}, "stage": "extract",
            "failure": "malformed", "omitted": 1}}),
    ] {
        let warning: ReadWarning = serde_json::from_value(wire.clone()).expect("reads");
        assert_eq!(warning.code(), wire["code"]);
        round_trip::<ReadWarning>(wire);
    }
}
