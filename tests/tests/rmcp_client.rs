//! The client half of the official Rust SDK.

use rift_tests::{Project, rift_path};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, JsonObject, ReadResourceRequestParams, ResourceContents,
};
use rmcp::service::{PeerRequestOptions, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceError, ServiceExt};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::support::{LOAD_CONFIG, POLYGLOT};

type Connection = RunningService<RoleClient, ()>;

/// Runs `talk` with a connection to a server of its own.
fn connected<F: Future<Output = ()>>(talk: impl FnOnce(Connection) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let project = Project::copy_of(POLYGLOT);
        let mut command = Command::new(rift_path());
        command.args(["mcp", "--output", "all", "--root"]).arg(project.root());
        command.env("XDG_CACHE_HOME", project.root().with_file_name("home"));
        let transport = TokioChildProcess::new(command).expect("rift starts");
        let connection = ().serve(transport).await.expect("the server initializes");
        talk(connection).await;
    });
}

fn arguments(value: Value) -> JsonObject {
    value.as_object().expect("arguments are an object").clone()
}

fn call(tool: &'static str, value: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments(value))
}

async fn prepared(connection: &Connection) {
    loop {
        let map = connection.read_resource(ReadResourceRequestParams::new("rift://map")).await.expect("the map");
        let ResourceContents::TextResourceContents { text, .. } = &map.contents[0] else { panic!("the map is text") };
        if !text.contains("local_index_preparing") {
            return;
        }
    }
}

#[test]
fn lists_and_calls_each_tool() {
    connected(|connection| async move {
        let tools = connection.list_all_tools().await.expect("tools");
        let mut names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        names.sort_unstable();
        assert_eq!(names, ["get_source", "get_symbol", "nodes", "search"]);
        assert!(tools.iter().all(|tool| tool.output_schema.is_some()));
        prepared(&connection).await;
        for (tool, request, expected) in [
            ("search", json!({ "query": "load_config" }), LOAD_CONFIG),
            ("get_symbol", json!({ "id": LOAD_CONFIG }), "pub fn load_config"),
            ("get_source", json!({ "unit": "rift://source/project/README.md" }), "# Example shop"),
            ("nodes", json!({ "path": "src/config.rs", "position": 600 }), "rift://node/rust/src/config.rs@"),
        ] {
            let result = connection.call_tool(call(tool, request)).await.expect(tool);
            assert_ne!(result.is_error, Some(true), "{tool}: {result:?}");
            let text = result.content[0].as_text().expect("a text block");
            assert!(text.text.contains(expected), "{tool}: {}", text.text);
            assert!(result.structured_content.is_some(), "{tool}");
        }
        connection.cancel().await.expect("the connection ends");
    });
}

#[test]
fn reads_both_resources_and_the_template() {
    connected(|connection| async move {
        let resources = connection.list_all_resources().await.expect("resources");
        assert_eq!(resources.len(), 2);
        let templates = connection.list_all_resource_templates().await.expect("templates");
        assert_eq!(templates.len(), 1);
        for (uri, contents) in [("rift://map", 1), ("rift://workspace", 2), ("rift://workspace?page_index=1", 2)] {
            let read = connection.read_resource(ReadResourceRequestParams::new(uri)).await.expect(uri);
            assert_eq!(read.contents.len(), contents, "{uri}");
        }
        connection.cancel().await.expect("the connection ends");
    });
}

#[test]
fn tells_wrong_arguments_from_unknown_tools() {
    connected(|connection| async move {
        let wrong = connection.call_tool(call("search", json!({ "query": "x", "limit": 0 }))).await.expect("a result");
        assert_eq!(wrong.is_error, Some(true));
        let text = wrong.content[0].as_text().expect("a text block");
        assert!(text.text.starts_with("1 error\n\tinvalid_request · retry never\n"), "{}", text.text);
        let unknown = connection.call_tool(call("grep", json!({}))).await;
        assert!(matches!(unknown, Err(ServiceError::McpError(_))), "{unknown:?}");
        connection.cancel().await.expect("the connection ends");
    });
}

#[test]
fn cancels_a_call_and_goes_on() {
    connected(|connection| async move {
        let request = CallToolRequest::new(call("search", json!({ "query": "price shop stack", "limit": 10000 })));
        let handle = connection
            .send_cancellable_request(ClientRequest::CallToolRequest(request), PeerRequestOptions::no_options())
            .await
            .expect("the request is sent");
        handle.cancel(Some("the caller lost interest".to_owned())).await.expect("the cancellation is sent");
        prepared(&connection).await;
        let result = connection.call_tool(call("search", json!({ "query": "load_config" }))).await.expect("an answer");
        assert!(result.content[0].as_text().is_some_and(|text| text.text.contains(LOAD_CONFIG)));
        connection.cancel().await.expect("the connection ends");
    });
}
