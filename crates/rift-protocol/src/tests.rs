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
fn words_of_a_schema_are_one_enum() {
    let schema = Value::Object(schema::of::<SearchParams>());
    let target = &schema["properties"]["target"];
    assert_eq!(target["enum"], json!(["symbol", "file", "documentation", "commit", "all"]));
    assert_eq!((&target["type"], &target["default"]), (&json!("string"), &json!("all")));
    let description = target["description"].as_str().expect("described");
    assert!(description.starts_with("What a hit is. `symbol`: Declarations; `file`: "), "{description}");
    let head = &schema["properties"]["change"]["properties"]["head"]["anyOf"];
    assert_eq!(head[1]["properties"]["kind"]["const"], "working_tree");
    let text = schema.to_string();
    assert!(!text.contains("oneOf") && !text.contains("in file text, in place\\nof"), "{text}");
}

#[test]
fn answer_schemas_are_objects_whose_references_resolve() {
    for schema in [
        schema::of_answer::<SearchAnswer>(),
        schema::of_answer::<GetSymbolResult>(),
        schema::of_answer::<GetSourceResult>(),
        schema::of_answer::<NodesResult>(),
        schema::of_answer::<WorkspaceMap>(),
        schema::of_answer::<WorkspaceResourcePage>(),
    ] {
        assert_eq!(schema["type"], "object");
        let schema = Value::Object(schema);
        let text = schema.to_string();
        assert!(!text.contains("\"null\"") && !text.contains("uint64"));
        let references: Vec<&str> = text.split("\"$ref\":\"#").skip(1).filter_map(|r| r.split('"').next()).collect();
        assert!(!references.is_empty());
        for reference in references {
            assert!(schema.pointer(reference).is_some(), "{reference}");
        }
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
fn every_warning_carries_its_code() {
    let (file, digest) = ("rift://file/a", "01234567");
    let package = json!({"manager": "cargo", "name": "a", "version": "1.0.0"});
    let entry = json!({"manager": "cargo", "name": "a", "requirement": "^1", "availability": "path"});
    let documentation =
        json!({"source": {"kind": "project", "path": "a.md"}, "stage": "extract", "failure": "f", "omitted": 1});
    let payloads = [
        ("framework_context_unresolved", json!({"unit": file, "framework": "angular", "detail": "d"})),
        ("symbol_not_found", json!({"name": "n", "detail": "d"})),
        ("documentation", json!({"warning": documentation})),
        ("documentation_unavailable", json!({"detail": "d"})),
        ("stale_index", json!({"index_tree_revision": digest, "captured_tree_revision": digest, "detail": "d"})),
        ("vector_index_preparing", json!({"prepared": 1, "total": 2, "ready_in": "1s", "detail": "d"})),
        ("local_index_preparing", json!({"prepared": 1, "total": 2, "detail": "d"})),
        ("vector_ranking_unavailable", json!({"detail": "d"})),
        ("lexical_ranking_unavailable", json!({"detail": "d"})),
        ("query_narrowed", json!({"terms_max": 64})),
        ("lexical_ranking_truncated", json!({"matches_max": 1000})),
        ("results_truncated", json!({"results_max": 1000})),
        ("pattern_matches_truncated", json!({"matches_per_file": 9, "files": [file]})),
        ("pattern_index_preparing", json!({"prepared": 1, "total": 2, "detail": "d"})),
        ("source_unavailable", json!({"unit": file, "detail": "d"})),
        ("large_file_skipped", json!({"skipped": 1, "detail": "d"})),
        ("large_file_unparsed", json!({"files": [file], "detail": "d"})),
        ("lockfile_excluded", json!({"files": [file], "detail": "d"})),
        ("symbol_disagreement", json!({"symbol": "rift://symbol/local/rust/a/b", "providers": ["p"], "detail": "d"})),
        ("traversal_truncated", json!({"visited": 1, "detail": "d"})),
        ("relationship_coverage_missing", json!({"facets": ["has_type"], "detail": "d"})),
        ("engine_analysis_unavailable", json!({"language": "rust", "detail": "d"})),
        ("callees_dropped", json!({"callees": 1, "detail": "d"})),
        ("engine_readiness_unconfirmed", json!({"processes": ["rust"], "detail": "d"})),
        ("history_store_filling", json!({"analyzed": 1, "total": 2, "detail": "d"})),
        ("change_truncated", json!({"paths_max": 512, "detail": "d"})),
        ("global_access_disabled", json!({})),
        ("global_api_unavailable", json!({"failure_class": "retry_exhausted"})),
        ("global_publication_incompatible", json!({"failure_class": "corpus_revision"})),
        ("global_response_invalid", json!({"failure_class": "invalid_response"})),
        ("global_page_warning", json!({"warning_code": "result_truncated", "detail": "d"})),
        ("package_absent", json!({"package": package})),
        ("package_requirement_absent", json!({"entry": entry})),
        ("package_substituted", json!({"entry": entry, "package": package})),
        ("package_unavailable", json!({"entry": entry, "reason": "r"})),
        ("package_context_degraded", json!({"resolver": "cargo", "reason": "r"})),
    ];
    for (code, mut wire) in payloads {
        wire["code"] = code.into();
        let warning: ReadWarning = serde_json::from_value(wire.clone()).expect(code);
        assert_eq!(warning.code(), code);
        round_trip::<ReadWarning>(wire.clone());
        wire["unknown"] = 1.into();
        assert!(serde_json::from_value::<ReadWarning>(wire).is_err(), "{code} takes an unknown member");
    }
}

#[test]
fn words_are_the_wire_values() {
    macro_rules! words {
        ($($type:ident: $($word:literal)*;)*) => {$($(
            let value: $type = serde_json::from_value(json!($word)).expect($word);
            assert_eq!(value.word(), $word);
        )*)*};
    }
    words! {
        UnavailableReason: "exact_release" "index_preparing" "read_failed" "corrupt_publication"
            "insufficient_coverage" "view_expired" "view_context";
        MatchedField: "name" "signature" "documentation" "content" "ranked" "path" "relationship" "change";
        MatchContext: "owner" "language" "module" "container" "form" "name" "version";
        OriginLocation: "project" "dependency" "stdlib" "external";
        SourceKind: "authored" "generated" "synthetic";
        RegionRole: "selection" "name" "header" "body" "content" "documentation" "enclosing";
        LspState: "stopped" "starting" "analyzing" "ready" "failed";
        Severity: "error" "warning" "info" "hint";
        Retry: "never" "same_request" "operator_action";
        Availability: "canonical" "path" "git" "private_registry" "url";
        SymbolVersionKind: "introduced" "signature_changed" "body_changed" "decorators_changed" "moved" "removed";
        Framework: "angular" "tailwind";
        ReferenceEvidence: "provider" "authored_link" "qualified_name" "unique_name";
        DocumentationStage: "source" "extract" "resolve" "index";
        GlobalWarningCode: "query_narrowed" "source_truncated" "publication_changed" "capability_unavailable"
            "result_truncated" "unknown";
        GlobalFailureClass: "connection" "timeout" "retry_exhausted" "authentication" "credential_configuration"
            "non_success_response" "invalid_response" "response_truncated" "publication_format" "corpus_revision"
            "required_field_set";
    }
    for facet in RelationshipFacet::ALL {
        assert_eq!(serde_json::to_value(facet).expect("serializes"), facet.word());
    }
    assert_eq!(RelationshipFacet::ALL.len(), 29);
    assert_eq!(RelationshipFacet::HasType.inverse(), "type of");
    for facet in rift_base::Facet::ALL {
        let value: rift_base::Facet = serde_json::from_value(json!(facet.wire())).expect("a facet");
        assert_eq!((value, serde_json::to_value(value).expect("serializes")), (*facet, json!(facet.wire())));
    }
}
