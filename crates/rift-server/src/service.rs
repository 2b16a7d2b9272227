//! The MCP service of a server: every answer in both representations.

use std::sync::Arc;
use std::time::Duration;

use rift_base::Deadline;
use rift_protocol::{ErrorCode as FailureCode, Failure};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ResourceContents, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData as McpError, ServerHandler};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::activity::Activity;
use crate::calls::{Completed, call, failed, read_map, read_workspace};
use crate::catalog::{MAP_URI, WORKSPACE_URI};
use crate::listing;
use crate::slots::Slots;
use crate::workspace::Workspace;

/// How often a waiting caller hears how far preparation has got.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);
/// How long work that was told to stop may take to notice before its caller is answered without it.
const NOTICE: Duration = Duration::from_millis(300);

/// What all requests of one server share.
pub(crate) struct Shared {
    pub(crate) workspace: Workspace,
    pub(crate) slots: Slots,
    pub(crate) activity: Activity,
    pub(crate) tools: Vec<Tool>,
    /// How long one request may work.
    pub(crate) budget: Duration,
    /// Tells all running work to stop.
    pub(crate) hurry: CancellationToken,
}

/// One request's service.
#[derive(Clone)]
pub(crate) struct Service(pub(crate) Arc<Shared>);

impl Service {
    /// Runs `work` in a slot, on a blocking thread. Its deadline learns when the client cancels, when the time is up and
    /// when the server stops. The slot is free again when the work has ended, whoever has stopped waiting for it.
    async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Workspace, &Deadline) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let shared = self.0.clone();
        let _active = shared.activity.enter();
        let slot = tokio::select! {
            slot = shared.slots.enter() => slot?,
            () = context.ct.cancelled() => return Err(Failure::cancelled()),
            () = shared.hurry.cancelled() => return Err(Failure::temporarily_unavailable("the server is stopping")),
        };
        let mut progress = Progress::of(context);
        progress.send(context, &shared.workspace).await;
        let deadline = Deadline::within(shared.budget);
        let (inner, working) = (deadline.clone(), shared.clone());
        let mut running = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            work(&working.workspace, &inner)
        });
        let expired = tokio::time::sleep(shared.budget + NOTICE);
        tokio::pin!(expired);
        let ended = loop {
            tokio::select! {
                ended = &mut running => break Some(ended),
                () = &mut expired => break None,
                () = context.ct.cancelled() => break stop(&deadline, &mut running).await,
                () = shared.hurry.cancelled() => break stop(&deadline, &mut running).await,
                () = progress.due() => progress.send(context, &shared.workspace).await,
            }
        };
        deadline.cancel();
        match ended {
            Some(Ok(value)) => Ok(value),
            Some(Err(_)) => Err(Failure::internal("request", "its thread stopped")),
            None if context.ct.is_cancelled() => Err(Failure::cancelled()),
            None => Err(Failure::deadline_exceeded()),
        }
    }

    fn result(completed: Completed) -> CallToolResult {
        let content = vec![ContentBlock::text(completed.text)];
        let mut result =
            if completed.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = completed.structured;
        result
    }
}

/// Tells `running` to stop and gives it a moment to do so.
async fn stop<T>(
    deadline: &Deadline,
    running: &mut tokio::task::JoinHandle<T>,
) -> Option<Result<T, tokio::task::JoinError>> {
    deadline.cancel();
    tokio::time::timeout(NOTICE, running).await.ok()
}

/// The notifications of one request whose caller asked for them.
struct Progress {
    next: Option<Instant>,
    sent: Option<u64>,
}

impl Progress {
    fn of(context: &RequestContext<RoleServer>) -> Self {
        Self { next: context.meta.get_progress_token().map(|_| Instant::now()), sent: None }
    }

    /// The next time to send; never for a caller that did not ask.
    async fn due(&self) {
        match self.next {
            Some(next) => tokio::time::sleep_until(next).await,
            None => std::future::pending().await,
        }
    }

    /// Says how far preparation has got, when it has moved. The last step is the answer's to tell.
    async fn send(&mut self, context: &RequestContext<RoleServer>, workspace: &Workspace) {
        let Some(token) = context.meta.get_progress_token() else { return };
        let Some(preparation) = workspace.preparation() else {
            self.next = None;
            return;
        };
        self.next = Some(Instant::now() + PROGRESS_EVERY);
        if self.sent.is_some_and(|sent| sent >= preparation.prepared) {
            return;
        }
        self.sent = Some(preparation.prepared);
        let mut note = ProgressNotificationParam::new(token, preparation.prepared as f64)
            .with_message("files are being read for the index");
        if let Some(total) = preparation.total {
            note = note.with_total(total as f64);
        }
        // A client that is gone hears nothing.
        let _ = context.peer.notify_progress(note).await;
    }
}

impl ServerHandler for Service {
    fn get_info(&self) -> ServerConfig {
        listing::info()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, McpError> {
        Ok(listing::list_tools(&self.0.tools, &context))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, McpError> {
        if self.get_tool(&request.name).is_none() {
            return Err(McpError::invalid_params(format!("unknown tool: {}", request.name), None));
        }
        let name = request.name.to_string();
        let arguments = serde_json::Value::Object(request.arguments.unwrap_or_default());
        let ended = self.run(&context, move |workspace, deadline| call(workspace, &name, arguments, deadline)).await;
        match ended {
            Ok(Some(completed)) => Ok(Self::result(completed).into()),
            Ok(None) => Err(McpError::internal_error("the tool is listed and not served", None)),
            Err(failure) => Ok(Self::result(failed(failure)).into()),
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
        let uri = request.uri;
        let ended = self.run(&context, move |workspace, deadline| read(workspace, &uri, deadline)).await;
        let contents = ended.map_err(resource_failure)??;
        Ok(ReadResourceResult::new(contents).into())
    }
}

fn read(workspace: &Workspace, uri: &str, deadline: &Deadline) -> Result<Vec<ResourceContents>, McpError> {
    let json = |value: serde_json::Result<String>| {
        let text = value.map_err(|e| McpError::internal_error(e.to_string(), None))?;
        Ok::<_, McpError>(ResourceContents::text(text, uri).with_mime_type(JSON))
    };
    if uri == MAP_URI {
        let map = read_map(workspace, deadline).map_err(resource_failure)?;
        return Ok(vec![json(serde_json::to_string(&map))?]);
    }
    let Some(page_index) = workspace_page(uri) else {
        return Err(McpError::resource_not_found(format!("unknown resource: {uri}"), None));
    };
    let (text, page) = read_workspace(workspace, page_index, deadline).map_err(resource_failure)?;
    Ok(vec![ResourceContents::text(text, uri), json(serde_json::to_string(&page))?])
}

/// The media type of structured contents.
pub(crate) const JSON: &str = "application/json";

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
pub(crate) fn resource_failure(failure: Failure) -> McpError {
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

#[cfg(test)]
mod tests;
