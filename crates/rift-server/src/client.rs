//! The HTTP client of a proxy: one server on loopback, plain HTTP/1.1, connections kept for the next request.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use axum::http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

use crate::http::{DEBUG_PATH, MCP_PATH, STATUS_PATH, STOP_PATH};
use crate::lock_file::ServerLock;
use crate::sse::Events;
use crate::status::Status;

/// The longest answer that is read, in bytes.
const ANSWER_BYTES_MAX: usize = 256 << 20;
/// Unused connections that are kept.
const IDLE_MAX: usize = 8;
/// How long a server may take to say how it is.
const STATUS_TIME_MAX: Duration = Duration::from_secs(5);
/// The protocol's revision between proxy and server, whatever the client speaks.
const REVISION: &str = "2025-11-25";

/// Why a request has no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum ClientError {
    /// Nobody there, or gone meanwhile.
    #[error("the connection failed: {0}")]
    Connection(String),
    /// The answer is none of ours.
    #[error("the answer has status {0}")]
    Status(StatusCode),
    /// The answer is none of the protocol's.
    #[error("the answer cannot be read: {0}")]
    Answer(String),
}

/// The way to one server.
#[derive(Debug)]
pub(crate) struct Client {
    port: u16,
    host: HeaderValue,
    authorization: HeaderValue,
    idle: Mutex<Vec<Connection>>,
}

/// An open connection; it closes when it is dropped, which takes a request on it back.
#[derive(Debug)]
struct Connection {
    sender: SendRequest<Full<Bytes>>,
    task: AbortHandle,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Client {
    pub(crate) fn new(lock: &ServerLock) -> Result<Arc<Self>, ClientError> {
        let header = |text: String| {
            HeaderValue::from_str(&text).map_err(|_| ClientError::Connection("server.json states no token".to_owned()))
        };
        let mut authorization = header(format!("Bearer {}", lock.token))?;
        authorization.set_sensitive(true);
        let host = header(format!("127.0.0.1:{}", lock.port))?;
        Ok(Arc::new(Self { port: lock.port, host, authorization, idle: Mutex::default() }))
    }

    /// How the server is.
    pub(crate) async fn status(&self) -> Result<Status, ClientError> {
        let asked = async {
            let bytes = self.whole(Method::GET, STATUS_PATH, Bytes::new()).await?;
            serde_json::from_slice(&bytes).map_err(|error| ClientError::Answer(error.to_string()))
        };
        let late = |_| ClientError::Connection(format!("no answer within {} s", STATUS_TIME_MAX.as_secs()));
        tokio::time::timeout(STATUS_TIME_MAX, asked).await.map_err(late)?
    }

    /// Asks the server to stop.
    pub(crate) async fn stop(&self) -> Result<(), ClientError> {
        self.whole(Method::POST, STOP_PATH, Bytes::new()).await.map(drop)
    }

    /// Asks the server about its own working.
    pub(crate) async fn debug(&self, question: Bytes) -> Result<Bytes, ClientError> {
        self.whole(Method::POST, DEBUG_PATH, question).await
    }

    /// Sends one JSON-RPC request of at most [`crate::http::BODY_BYTES_MAX`] bytes; the notifications that come before the response go to `notes`.
    pub(crate) async fn call(&self, message: Bytes, notes: &UnboundedSender<Value>) -> Result<Value, ClientError> {
        let (connection, response) = self.send(Method::POST, MCP_PATH, message).await?;
        let streamed =
            response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let answer = if streamed {
            let mut body = response.into_body();
            let mut events = Events::default();
            let mut read = 0;
            loop {
                let Some(frame) = body.frame().await else {
                    return Err(ClientError::Connection("the stream ended before the response".to_owned()));
                };
                let frame = frame.map_err(|error| ClientError::Connection(error.to_string()))?;
                let Some(data) = frame.data_ref() else { continue };
                read += data.len();
                if read > ANSWER_BYTES_MAX {
                    return Err(ClientError::Answer(format!("it is longer than {ANSWER_BYTES_MAX} bytes")));
                }
                let mut response = None;
                for event in events.feed(data) {
                    let message = parse(&event)?;
                    if message.get("method").is_some() {
                        // Nobody listens when the client did not ask for any.
                        let _ = notes.send(message);
                    } else {
                        response = Some(message);
                    }
                }
                if let Some(response) = response {
                    break response;
                }
            }
            // The stream's end is not waited for: the connection goes with it.
        } else {
            let answer = parse(&collect(response).await?)?;
            self.keep(connection);
            answer
        };
        Ok(answer)
    }

    async fn whole(&self, method: Method, path: &str, body: Bytes) -> Result<Bytes, ClientError> {
        let (connection, response) = self.send(method, path, body).await?;
        let bytes = collect(response).await?;
        self.keep(connection);
        Ok(bytes)
    }

    /// Sends a request and reads the head of the answer, which is a success.
    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<(Connection, Response<Incoming>), ClientError> {
        let mut connection = self.connection().await?;
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.host)
            .header(AUTHORIZATION, &self.authorization)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .header("mcp-protocol-version", REVISION)
            .body(Full::new(body));
        let request = request.map_err(|error| ClientError::Connection(error.to_string()))?;
        let response = connection.sender.send_request(request).await;
        let response = response.map_err(|error| ClientError::Connection(error.to_string()))?;
        if !response.status().is_success() {
            return Err(ClientError::Status(response.status()));
        }
        Ok((connection, response))
    }

    async fn connection(&self) -> Result<Connection, ClientError> {
        loop {
            let kept = self.lock().pop();
            let Some(mut connection) = kept else { break };
            if !connection.sender.is_closed() && connection.sender.ready().await.is_ok() {
                return Ok(connection);
            }
        }
        let failed = |error: &dyn std::fmt::Display| ClientError::Connection(error.to_string());
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await.map_err(|error| failed(&error))?;
        let _ = stream.set_nodelay(true);
        let (sender, serving) = handshake(TokioIo::new(stream)).await.map_err(|error| failed(&error))?;
        let task = tokio::spawn(async move {
            let _ = serving.await;
        });
        Ok(Connection { sender, task: task.abort_handle() })
    }

    fn keep(&self, connection: Connection) {
        let mut idle = self.lock();
        if idle.len() < IDLE_MAX {
            idle.push(connection);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(text: &[u8]) -> Result<Value, ClientError> {
    serde_json::from_slice(text).map_err(|error| ClientError::Answer(error.to_string()))
}

async fn collect(response: Response<Incoming>) -> Result<Bytes, ClientError> {
    let body = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await;
    body.map(|body| body.to_bytes()).map_err(|error| ClientError::Connection(error.to_string()))
}
