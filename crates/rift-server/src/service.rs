//! The MCP service.

use std::sync::Arc;

use rift_base::Deadline;
use rift_protocol::{ErrorCode as FailureCode, Failure};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, Implementation,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData as McpError, ServerHandler, ServiceExt as _};

use crate::calls::{Completed, Workspace, call, read_map, read_workspace};
use crate::catalog::{INSTRUCTIONS, MAP_URI, WORKSPACE_URI, resource_templates, resources, tools};

/// Which representations of an answer a client receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    /// Compact text alone.
    #[default]
    Text,
    /// Compact text and structured content, with output schemas.
    All,
}

/// The MCP side of one workspace. The selection holds for its lifetime.
struct Service {
    workspace: Arc<Workspace>,
    output: Output,
    tools: Vec<Tool>,
}

/// Serves `workspace` over standard input and output until the client goes.
///
/// # Errors
/// When the transport fails before the handshake is complete.
pub async fn serve_stdio(
    workspace: Arc<Workspace>,
    output: Output,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let service = Service { workspace, output, tools: tools(output == Output::All) };
    let running = service.serve(rmcp::transport::stdio()).await?;
    running.waiting().await?;
    Ok(())
}

/// Runs `work` on a blocking thread. When the client cancels, the work's deadline learns of it.
async fn blocking<T: Send + 'static>(
    context: &RequestContext<RoleServer>,
    work: impl FnOnce(&Deadline) -> T + Send + 'static,
) -> Result<T, McpError> {
    let deadline = Deadline::never();
    let inner = deadline.clone();
    let mut running = tokio::task::spawn_blocking(move || work(&inner));
    let finished = tokio::select! {
        finished = &mut running => finished,
        () = context.ct.cancelled() => {
            deadline.cancel();
            running.await
        }
    };
    finished.map_err(|_| McpError::internal_error("the request's thread stopped", None))
}

impl ServerHandler for Service {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let mut info = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
        info.server_info = Implementation::new("rift", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, McpError> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, McpError> {
        let workspace = self.workspace.clone();
        let name = request.name.to_string();
        let arguments = serde_json::Value::Object(request.arguments.unwrap_or_default());
        let completed = blocking(&context, move |deadline| call(&workspace, &name, arguments, deadline)).await?;
        match completed {
            Some(completed) => Ok(self.result(completed).into()),
            None => Err(McpError::invalid_params(format!("unknown tool: {}", request.name), None)),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, McpError> {
        Ok(ListResourcesResult::with_all_items(resources()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, McpError> {
        Ok(ListResourceTemplatesResult::with_all_items(resource_templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, McpError> {
        let workspace = self.workspace.clone();
        let uri = request.uri;
        let output = self.output;
        let contents = blocking(&context, move |deadline| read(&workspace, &uri, output, deadline)).await??;
        Ok(ReadResourceResult::new(contents).into())
    }
}

impl Service {
    fn result(&self, completed: Completed) -> CallToolResult {
        let content = vec![ContentBlock::text(completed.text)];
        let mut result =
            if completed.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        if self.output == Output::All {
            result.structured_content = completed.structured;
        }
        result
    }
}

fn read(
    workspace: &Workspace,
    uri: &str,
    output: Output,
    deadline: &Deadline,
) -> Result<Vec<ResourceContents>, McpError> {
    let json = |value: serde_json::Result<String>| {
        let text = value.map_err(|e| McpError::internal_error(e.to_string(), None))?;
        Ok::<_, McpError>(ResourceContents::text(text, uri).with_mime_type("application/json"))
    };
    if uri == MAP_URI {
        let map = read_map(workspace, deadline).map_err(resource_failure)?;
        return Ok(vec![json(serde_json::to_string(&map))?]);
    }
    let Some(page_index) = workspace_page(uri) else {
        return Err(McpError::resource_not_found(format!("unknown resource: {uri}"), None));
    };
    let (text, page) = read_workspace(workspace, page_index, deadline).map_err(resource_failure)?;
    let text = ResourceContents::text(text, uri);
    match output {
        Output::Text => Ok(vec![text]),
        Output::All => Ok(vec![text, json(serde_json::to_string(&page))?]),
    }
}

/// The page that a workspace address names.
fn workspace_page(uri: &str) -> Option<u64> {
    let rest = uri.strip_prefix(WORKSPACE_URI)?;
    if rest.is_empty() {
        return Some(0);
    }
    let digits = rest.strip_prefix("?page_index=")?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// A resource read that failed, as a protocol failure. Only a crossed bound carries its data: the others say all in
/// their message.
fn resource_failure(failure: Failure) -> McpError {
    let data = match failure.code() {
        FailureCode::LimitExceeded => serde_json::to_value(&failure.data).ok(),
        _ => None,
    };
    let code = match failure.code() {
        FailureCode::InvalidRequest => ErrorCode::INVALID_PARAMS,
        _ => ErrorCode::INTERNAL_ERROR,
    };
    McpError::new(code, failure.data.message.clone(), data)
}
