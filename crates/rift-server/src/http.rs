//! The HTTP side of a server, on loopback: `/api/mcp`, `/api/status`, `/api/stop` and `/api/debug`.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, Response, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::{get, post};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service as _;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rift_base::ServerConfig;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::auth::Access;
use crate::debug::DebugQuestion;
use crate::service::Shared;
use crate::status::Status;

/// The largest body of a request, in bytes. The longest request of any tool is far below.
pub(crate) const BODY_BYTES_MAX: usize = 1 << 20;
/// The most that one connection buffers of a request's head, in bytes.
const HEAD_BYTES_MAX: usize = 64 << 10;
/// How long a connection may take to send a request's head; also how long an unused connection stays open.
const HEAD_TIME_MAX: Duration = Duration::from_secs(60);
/// Connections that are open at once; more wait to be accepted.
const CONNECTIONS_MAX: usize = 512;

/// The paths that are served.
pub(crate) const MCP_PATH: &str = "/api/mcp";
pub(crate) const STATUS_PATH: &str = "/api/status";
pub(crate) const STOP_PATH: &str = "/api/stop";
pub(crate) const DEBUG_PATH: &str = "/api/debug";

/// Binds the stated port, or the first free one of the range, on loopback.
pub(crate) async fn bind(config: &ServerConfig) -> io::Result<TcpListener> {
    let (first, last) = config.port.map_or(config.port_range, |port| (port, port));
    let mut met = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for port in first..=last {
        match TcpListener::bind(("127.0.0.1", port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => met = error,
        }
    }
    Err(met)
}

/// What the handlers beside MCP need.
#[derive(Clone)]
struct Handles {
    shared: Arc<Shared>,
    stop: CancellationToken,
    forward_budget: Duration,
}

/// A server that is about to answer.
pub(crate) struct Http {
    access: Arc<Access>,
    inner: TowerToHyperService<Router>,
    shared: Arc<Shared>,
    connections: GracefulShutdown,
}

impl Http {
    /// A server whose MCP requests are each answered by a new `service`; `stop` is cancelled by an authorised request to stop.
    pub(crate) fn new<S: ServerHandler + Send + 'static>(
        access: Access,
        shared: Arc<Shared>,
        stop: CancellationToken,
        forward_budget: Duration,
        service: impl Fn() -> S + Send + Sync + 'static,
    ) -> Self {
        // Sessions would be lost with a restart, and no answer needs one: each request stands alone.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(BODY_BYTES_MAX);
        let mcp = StreamableHttpService::new(move || Ok(service()), Arc::new(NeverSessionManager::default()), config);
        let handles = Handles { shared: shared.clone(), stop, forward_budget };
        let router = Router::new()
            .route_service(MCP_PATH, mcp)
            .route(STATUS_PATH, get(status))
            .route(STOP_PATH, post(stop_server))
            .route(DEBUG_PATH, post(debug))
            .with_state(handles);
        Self {
            access: Arc::new(access),
            inner: TowerToHyperService::new(router),
            shared,
            connections: GracefulShutdown::new(),
        }
    }

    /// Accepts connections until `stop`, then closes the port.
    pub(crate) async fn accept(&self, listener: TcpListener, stop: &CancellationToken) {
        let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        loop {
            let Ok(place) = room.clone().acquire_owned().await else { return };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.cancelled() => return,
            };
            match accepted {
                Ok((stream, _)) => {
                    let serving = self.connection(stream);
                    tokio::spawn(async move {
                        let _place = place;
                        serving.await;
                    });
                }
                // Out of handles, most likely: they come back as connections end.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    fn connection(&self, stream: TcpStream) -> impl Future<Output = ()> + Send + 'static {
        // An answer is one write: nothing is gained by holding it back.
        let _ = stream.set_nodelay(true);
        let (access, inner, activity) = (self.access.clone(), self.inner.clone(), self.shared.activity.clone());
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let admitted = access.check(request.uri(), request.headers()).and_then(|()| body_fits(&request));
            let (inner, activity) = (inner.clone(), activity.clone());
            async move {
                match admitted {
                    Ok(()) => {
                        let _active = activity.enter();
                        inner.call(request).await
                    }
                    Err(status) => Ok::<_, Infallible>(refusal(status)),
                }
            }
        });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME_MAX).max_buf_size(HEAD_BYTES_MAX);
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let watched = self.connections.watcher().watch(connection);
        async move {
            if let Err(error) = watched.await {
                tracing::debug!(%error, "a connection ended");
            }
        }
    }

    /// Waits until every connection has answered what it was asked.
    pub(crate) async fn drain(self) {
        self.connections.shutdown().await;
    }
}

/// A stated length past the bound is refused before a byte is read; what states none is counted while it is read.
fn body_fits(request: &Request<Incoming>) -> Result<(), StatusCode> {
    let stated = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    match stated.and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length > BODY_BYTES_MAX as u64 => Err(StatusCode::PAYLOAD_TOO_LARGE),
        _ => Ok(()),
    }
}

/// A plain refusal. The connection closes: nothing more is read from a caller that may not ask.
fn refusal(status: StatusCode) -> Response<Body> {
    let mut response = (status, status.canonical_reason().unwrap_or_default()).into_response();
    response.headers_mut().insert(header::CONNECTION, header::HeaderValue::from_static("close"));
    response
}

async fn status(State(handles): State<Handles>) -> axum::response::Response {
    let workspace = &handles.shared.workspace;
    let preparation = workspace.preparation();
    let status = Status {
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        prepared: preparation.map(|preparation| preparation.prepared),
        total: preparation.and_then(|preparation| preparation.total),
        refusal: workspace.refusal().map(|failure| failure.data.message.clone()),
        watcher: workspace.watcher(),
        forward_budget_ms: u64::try_from(handles.forward_budget.as_millis()).unwrap_or(u64::MAX),
    };
    match serde_json::to_string(&status) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Answers on a thread of its own: some of it takes seconds. It takes no slot, so that a server whose slots are all taken can be
/// looked at.
async fn debug(State(handles): State<Handles>, body: axum::body::Bytes) -> axum::response::Response {
    let question: DebugQuestion = match serde_json::from_slice(&body) {
        Ok(question) => question,
        Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    };
    let shared = handles.shared.clone();
    let answered = tokio::task::spawn_blocking(move || crate::debug::answer(&shared.workspace, question, "server"));
    let text = answered.await.ok().and_then(|reply| serde_json::to_string(&reply).ok());
    match text {
        Some(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn stop_server(State(handles): State<Handles>) -> StatusCode {
    handles.stop.cancel();
    StatusCode::ACCEPTED
}
