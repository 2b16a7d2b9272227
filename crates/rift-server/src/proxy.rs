//! `rift mcp`: MCP over standard input and output, forwarded to the workspace's server.
//!
//! Only a server of the proxy's own executable and schemas is ever adopted, so the proxy itself answers what both would
//! answer alike: introduction, ping and listings. Tool calls and resource reads go to the server.

use std::sync::Arc;

use rift_host::{HostError, Root};
use rift_protocol::Failure;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ResourceContents, ResultType, ServerConfig, Tool,
};
use rmcp::service::{Peer, RequestContext, RoleServer, ServerInitializeError};
use rmcp::{ErrorData as McpError, ServerHandler, ServiceExt as _};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::catalog::tools;
use crate::listing;
use crate::service::{JSON, resource_failure};
use crate::upstream::{Upstream, UpstreamError};

/// Which representations of an answer a client receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    /// Compact text alone.
    #[default]
    Text,
    /// Compact text and structured content, with output schemas.
    All,
}

/// The MCP side of one client. The selection holds for its lifetime.
struct Proxy {
    upstream: Arc<Upstream>,
    output: Output,
    tools: Vec<Tool>,
}

/// Serves one client over standard input and output until it goes.
///
/// # Errors
/// When the transport fails before the handshake is complete.
pub async fn serve_stdio(
    root: Result<Root, HostError>,
    output: Output,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let upstream = Arc::new(Upstream::new(root));
    let connecting = upstream.clone();
    // The handshake waits for no server.
    tokio::spawn(async move { connecting.connect().await });
    let proxy = Proxy { upstream, output, tools: tools(output == Output::All) };
    match proxy.serve(rmcp::transport::stdio_pipes()).await {
        Ok(running) => drop(running.waiting().await?),
        // A client may look (`server/discover`, `ping`) and go.
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

impl Proxy {
    /// Forwards a request. The client's cancellation drops it, which closes its connection to the server.
    async fn forward<T: DeserializeOwned>(
        &self,
        method: &str,
        mut params: Value,
        context: &RequestContext<RoleServer>,
    ) -> Result<T, UpstreamError> {
        if let Some(token) = context.meta.get_progress_token() {
            params["_meta"] = json!({ "progressToken": token });
        }
        let (sender, mut notes) = unbounded_channel();
        let mut forwarded = std::pin::pin!(self.upstream.request(method, &params, &sender));
        let forwarded = loop {
            tokio::select! {
                // What came before the response is passed on before it.
                biased;
                Some(note) = notes.recv() => pass_on(&context.peer, note).await,
                forwarded = &mut forwarded => break forwarded,
                () = context.ct.cancelled() => return Err(UpstreamError::Failed(Failure::cancelled())),
            }
        };
        while let Ok(note) = notes.try_recv() {
            pass_on(&context.peer, note).await;
        }
        let forwarded = forwarded?;
        serde_json::from_value(forwarded)
            .map_err(|error| UpstreamError::Failed(Failure::internal("forwarding", &error.to_string())))
    }
}

/// Hands a progress notification to the client. It names the client's own token, since that went to the server.
async fn pass_on(peer: &Peer<RoleServer>, mut message: Value) {
    if message["method"] != "notifications/progress" {
        return;
    }
    if let Ok(note) = serde_json::from_value::<ProgressNotificationParam>(message["params"].take()) {
        // A client that is gone hears nothing.
        let _ = peer.notify_progress(note).await;
    }
}

/// What the text selection leaves of a resource: structured contents go where another content stays.
fn select_contents(contents: &mut Vec<ResourceContents>) {
    let is_json = |content: &ResourceContents| match content {
        ResourceContents::TextResourceContents { mime_type, .. }
        | ResourceContents::BlobResourceContents { mime_type, .. } => mime_type.as_deref() == Some(JSON),
        _ => false,
    };
    if !contents.iter().all(is_json) {
        contents.retain(|content| !is_json(content));
    }
}

impl ServerHandler for Proxy {
    fn get_info(&self) -> ServerConfig {
        listing::info()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, McpError> {
        Ok(listing::list_tools(&self.tools, &context))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, McpError> {
        let mut params = json!({ "name": request.name });
        if let Some(arguments) = request.arguments {
            params["arguments"] = Value::Object(arguments);
        }
        match self.forward::<CallToolResult>("tools/call", params, &context).await {
            Ok(mut result) => {
                // The server was asked in a revision that knows no such member; the SDK leaves it out where the client's does not.
                result.result_type = Some(ResultType::COMPLETE);
                if self.output == Output::Text {
                    result.structured_content = None;
                }
                // Proxy and server speak the older revisions; the SDK takes it away again from a client that does.
                result.result_type.get_or_insert(ResultType::COMPLETE);
                Ok(result.into())
            }
            Err(UpstreamError::Refused(error)) => Err(error),
            Err(UpstreamError::Failed(failure)) => {
                let text = rift_render::failure(&failure);
                Ok(CallToolResult::error(vec![ContentBlock::text(text)]).into())
            }
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, McpError> {
        Ok(listing::list_resources(&context))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, McpError> {
        Ok(listing::list_resource_templates(&context))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, McpError> {
        let params = json!({ "uri": request.uri });
        match self.forward::<ReadResourceResult>("resources/read", params, &context).await {
            Ok(mut result) => {
                result.result_type = Some(ResultType::COMPLETE);
                if self.output == Output::Text {
                    select_contents(&mut result.contents);
                }
                result.result_type.get_or_insert(ResultType::COMPLETE);
                Ok(result.into())
            }
            Err(UpstreamError::Refused(error)) => Err(error),
            Err(UpstreamError::Failed(failure)) => Err(resource_failure(failure)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structured_contents_go_where_another_stays() {
        let json = || ResourceContents::text("{}", "rift://x").with_mime_type(JSON);
        let text = || ResourceContents::text("text", "rift://x");
        for (mut contents, kept) in [
            (vec![text(), json()], vec![text()]),
            (vec![json()], vec![json()]),
            (vec![text()], vec![text()]),
            (vec![json(), json()], vec![json(), json()]),
            (vec![], vec![]),
        ] {
            select_contents(&mut contents);
            assert_eq!(contents, kept);
        }
    }
}
