//! The same calls as in [`crate::call`], answered by the workspace's running server.

use std::sync::Arc;
use std::time::Duration;

use rift_host::{Preparation, Root};
use rift_protocol::{Failure, WorkspaceMap};
use rmcp::model::{CallToolResult, ReadResourceResult, ResourceContents};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::calls::{Completed, Outcome};
use crate::client::Client;
use crate::debug::{DebugQuestion, DebugReply};
use crate::find::find_running;
use crate::service::JSON;

/// How often a server that prepares is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A running server of this executable.
pub struct Remote {
    client: Arc<Client>,
    budget: Duration,
}

impl Remote {
    /// The server of `root`, once it has prepared the workspace; `report` hears how far it has got. Absent when none of this
    /// identity serves, or when it refuses reads.
    pub async fn find(root: &Root, mut report: impl FnMut(Preparation)) -> Option<Self> {
        let found = find_running(root).await?;
        let budget = Duration::from_millis(found.status.forward_budget_ms);
        let mut status = found.status;
        while let Some(prepared) = status.prepared {
            report(Preparation { prepared, total: status.total });
            tokio::time::sleep(LOOK_EVERY).await;
            status = found.client.status().await.ok()?;
        }
        status.refusal.is_none().then_some(Self { client: found.client, budget })
    }

    /// The server of `root`, whether it has prepared the workspace or not. Absent when none of this identity serves.
    pub async fn at_once(root: &Root) -> Option<Self> {
        let found = find_running(root).await?;
        let budget = Duration::from_millis(found.status.forward_budget_ms);
        Some(Self { client: found.client, budget })
    }

    /// Asks about the server's own working. Absent when it gives no answer, for one because the question is too long.
    pub async fn debug(&self, question: &DebugQuestion) -> Option<DebugReply> {
        let sent = serde_json::to_vec(question).ok()?;
        serde_json::from_slice(&self.client.debug(sent.into()).await.ok()?).ok()
    }

    /// Calls `tool`. Absent when the server gave no answer that can be printed as one of this process's own.
    pub async fn call(&self, tool: &str, arguments: &Value) -> Option<Completed> {
        let result = self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await?;
        let result: CallToolResult = serde_json::from_value(result).ok()?;
        let text = result.content.first()?.as_text()?.text.clone();
        let outcome = outcome(&text, result.structured_content.as_ref())?;
        Some(Completed {
            text,
            structured: result.structured_content,
            is_error: result.is_error == Some(true),
            outcome,
        })
    }

    /// Reads `rift://map`.
    pub async fn map(&self) -> Option<WorkspaceMap> {
        let contents = self.read("rift://map").await?;
        serde_json::from_str(contents.first()?.1.as_str()).ok()
    }

    /// Reads one page of `rift://workspace`: its text and its JSON.
    pub async fn workspace(&self, page_index: u64) -> Option<(String, String)> {
        let contents = self.read(&format!("rift://workspace?page_index={page_index}")).await?;
        let (json, text): (Vec<_>, Vec<_>) = contents.into_iter().partition(|(kind, _)| kind == JSON);
        Some((text.into_iter().next()?.1, json.into_iter().next()?.1))
    }

    async fn read(&self, uri: &str) -> Option<Vec<(String, String)>> {
        let result = self.request("resources/read", json!({ "uri": uri })).await?;
        let result: ReadResourceResult = serde_json::from_value(result).ok()?;
        let of = |content| match content {
            ResourceContents::TextResourceContents { mime_type, text, .. } => Some((mime_type?, text)),
            _ => None,
        };
        result.contents.into_iter().map(of).collect()
    }

    async fn request(&self, method: &str, params: Value) -> Option<Value> {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let (notes, _) = unbounded_channel();
        let sent = self.client.call(message.to_string().into(), &notes);
        let answered = tokio::time::timeout(self.budget, sent).await.ok()?.ok()?;
        answered.get("result").cloned()
    }
}

/// What an answer came to.
fn outcome(text: &str, structured: Option<&Value>) -> Option<Outcome> {
    let Some(answer) = structured else { return failure(text).map(|failure| Outcome::Failed(Box::new(failure))) };
    Some(match answer["outcome"].as_str() {
        Some("found") => Outcome::Found,
        Some("missing") => Outcome::Nothing,
        Some("unavailable") => Outcome::Unavailable(answer["reason"].as_str()?.to_owned().into()),
        Some(_) => return None,
        // `search` and `nodes` list what they found.
        None if text.starts_with("0 ") => Outcome::Nothing,
        None => Outcome::Found,
    })
}

/// The failure that a text states, as far as a shell prints it: code, directive and message. Absent when the text holds more,
/// or holds it escaped: then the caller meets the failure by itself.
fn failure(text: &str) -> Option<Failure> {
    let mut lines = text.lines();
    let (title, head, message) = (lines.next()?, lines.next()?, lines.next()?);
    let (code, retry) = head.strip_prefix('\t')?.split_once(" · retry ")?;
    let message = message.strip_prefix("\t\t")?;
    if title != "1 error" || message.contains('\\') {
        return None;
    }
    let data = json!({ "code": code, "message": message, "retry": retry, "phase": "read" });
    let data = serde_json::from_value(data).ok()?;
    Some(Failure { data: Box::new(data), identity: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rift_protocol::{ErrorCode, Retry};

    #[test]
    fn failures_are_read_back() {
        for stated in [
            Failure::invalid_field("limit", "zero"),
            Failure::not_found("path", "src/ü.rs"),
            Failure::temporarily_unavailable("busy"),
            Failure::limit_exceeded("text", 1, 2),
        ] {
            let read = failure(&rift_render::failure(&stated)).expect("read");
            assert_eq!((read.code(), &read.data.message), (stated.code(), &stated.data.message));
            assert_eq!(read.data.retry, stated.data.retry);
        }
        let caused = Failure::storage("index", "unreadable").caused_by(ErrorCode::StorageFailure, "disk");
        assert_eq!(failure(&rift_render::failure(&caused)), None, "two errors are more than a shell prints");
        assert_eq!(failure(&rift_render::failure(&Failure::not_found("path", "a\nb"))), None, "escaped");
        assert_eq!(failure("3 results\n\ta\n\t\tb\n"), None);
        assert_eq!(Failure::no_server("x").data.retry, Retry::OperatorAction);
    }

    #[test]
    fn outcomes_are_read_back() {
        for (text, structured, expected) in [
            ("0 results\n", json!({ "results": [] }), Outcome::Nothing),
            ("1 result\n", json!({ "results": [1] }), Outcome::Found),
            ("0 nodes\n", json!({ "nodes": [] }), Outcome::Nothing),
            ("x", json!({ "outcome": "missing" }), Outcome::Nothing),
            (
                "x",
                json!({ "outcome": "unavailable", "reason": "view_expired" }),
                Outcome::Unavailable("view_expired".into()),
            ),
        ] {
            assert_eq!(outcome(text, Some(&structured)), Some(expected), "{text}");
        }
    }
}
