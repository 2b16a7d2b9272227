//! A proxy's one server: found in the background, remembered while it answers, found again when it does not.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::Bytes;
use rift_host::{HostError, Root};
use rift_protocol::Failure;
use rmcp::ErrorData as McpError;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use crate::client::{Client, ClientError};
use crate::find::find_or_start;
use crate::http::BODY_BYTES_MAX;
use crate::server::default_forward_budget;

/// How often one request is sent: again when the server was gone, since every request only reads.
const SENDS_MAX: usize = 3;

/// The way to the server of one workspace, wherever it is.
pub(crate) struct Upstream {
    root: Result<Root, HostError>,
    current: Mutex<Option<Connected>>,
    /// Held while a server is looked for, so that all requests wait for one search; when one failed last, and how.
    searching: tokio::sync::Mutex<Option<(Instant, Failure)>>,
}

#[derive(Clone)]
struct Connected {
    client: Arc<Client>,
    budget: Duration,
}

/// Why a request has no result.
#[derive(Debug)]
pub(crate) enum UpstreamError {
    /// The server's own refusal, as it came.
    Refused(McpError),
    /// No server answered.
    Failed(Failure),
}

impl Upstream {
    pub(crate) fn new(root: Result<Root, HostError>) -> Self {
        Self { root, current: Mutex::default(), searching: tokio::sync::Mutex::default() }
    }

    /// Finds or starts the server, so that the first request need not.
    pub(crate) async fn connect(&self) {
        if let Err(failure) = self.connected().await {
            tracing::warn!("{}", failure.data.message);
        }
    }

    /// Sends one request and answers its result; the notifications before it go to `notes`. To drop the future is to take
    /// the request back.
    pub(crate) async fn request(
        &self,
        method: &str,
        params: &Value,
        notes: &UnboundedSender<Value>,
    ) -> Result<Value, UpstreamError> {
        let start = Instant::now();
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let message = Bytes::from(message.to_string());
        if message.len() > BODY_BYTES_MAX {
            let (limit, required) = (BODY_BYTES_MAX as u64, message.len() as u64);
            return Err(UpstreamError::Failed(Failure::limit_exceeded("request", limit, required)));
        }
        let mut budget = default_forward_budget();
        let mut failed = String::new();
        for _ in 0..SENDS_MAX {
            let late = |budget: Duration| {
                let reason = format!("the server has not answered within {} ms", budget.as_millis());
                UpstreamError::Failed(Failure::temporarily_unavailable(&reason))
            };
            let found = tokio::time::timeout_at(start + budget, self.connected()).await;
            let connected = found.map_err(|_| late(budget))?.map_err(UpstreamError::Failed)?;
            budget = connected.budget;
            let sent = connected.client.call(message.clone(), notes);
            match tokio::time::timeout_at(start + budget, sent).await {
                Ok(Ok(response)) => return result(response),
                Ok(Err(error)) => {
                    tracing::debug!(%error, "a request is sent again");
                    failed = error.to_string();
                    self.forget(&connected.client);
                    if !is_gone(&error) {
                        break;
                    }
                }
                Err(_) => {
                    self.forget(&connected.client);
                    return Err(late(budget));
                }
            }
        }
        Err(UpstreamError::Failed(Failure::temporarily_unavailable(&failed)))
    }

    async fn connected(&self) -> Result<Connected, Failure> {
        if let Some(connected) = self.remembered() {
            return Ok(connected);
        }
        let asked = Instant::now();
        let mut searching = self.searching.lock().await;
        if let Some(connected) = self.remembered() {
            return Ok(connected);
        }
        // A search that this request waited for was its search too.
        if let Some((ended, failure)) = searching.as_ref().filter(|(ended, _)| *ended >= asked) {
            tracing::debug!(?ended, "a search failed for all who waited");
            return Err(failure.clone());
        }
        let root = self.root.as_ref().map_err(rift_tools::host_failure)?;
        let found = find_or_start(root).await.map_err(|error| {
            let failure = error.failure();
            *searching = Some((Instant::now(), failure.clone()));
            failure
        })?;
        let budget = Duration::from_millis(found.status.forward_budget_ms);
        let connected = Connected { client: found.client, budget };
        *self.current() = Some(connected.clone());
        Ok(connected)
    }

    fn remembered(&self) -> Option<Connected> {
        self.current().clone()
    }

    /// Forgets a server, unless another has taken its place.
    fn forget(&self, client: &Arc<Client>) {
        let mut current = self.current();
        if current.as_ref().is_some_and(|connected| Arc::ptr_eq(&connected.client, client)) {
            *current = None;
        }
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Option<Connected>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether another server may answer what this one did not: it is gone, or something else listens in its place.
fn is_gone(error: &ClientError) -> bool {
    match error {
        ClientError::Connection(_) => true,
        ClientError::Status(status) => matches!(status.as_u16(), 401 | 403 | 404),
        ClientError::Answer(_) => false,
    }
}

/// The result of a response, or the error in it.
fn result(mut response: Value) -> Result<Value, UpstreamError> {
    if let Some(error) = response.get_mut("error").map(Value::take) {
        let error = serde_json::from_value(error);
        return Err(match error {
            Ok(error) => UpstreamError::Refused(error),
            Err(error) => UpstreamError::Failed(Failure::internal("forwarding", &error.to_string())),
        });
    }
    match response.get_mut("result").map(Value::take) {
        Some(result) => Ok(result),
        None => {
            Err(UpstreamError::Failed(Failure::internal("forwarding", "the response holds neither result nor error")))
        }
    }
}
