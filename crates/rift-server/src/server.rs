//! A server's life: elected, opened, bound, published; then serving until it is told to stop, is of no more use, or has lost
//! its workspace.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rift_base::{LogsConfig, ServerConfig};
use rift_host::Root;
use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::activity::Activity;
use crate::auth::Access;
use crate::catalog::tools;
use crate::election::Election;
use crate::folder::{Folder, FolderError};
use crate::http::{Http, bind};
use crate::identity::Identity;
use crate::lock_file::{self, ServerLock, Written, new_token};
use crate::logs;
use crate::service::{Service, Shared};
use crate::slots::Slots;
use crate::workspace::Workspace;

/// How long a stop may take in all.
pub(crate) const STOP_TIME_MAX: Duration = Duration::from_secs(4);
/// What each later stage of a stop keeps for itself: answering what was cut short, letting go of the workspace.
const STAGE_RESERVE: Duration = Duration::from_millis(500);
/// How often a server makes sure that it can still be found.
const WATCH_EVERY: Duration = Duration::from_secs(1);
/// How long a lock that is held for a moment, by somebody who looks at it, is waited for.
const ELECTION_PATIENCE: Duration = Duration::from_millis(500);
/// What a request may work beyond waiting for a publication.
const WORK_ALLOWANCE: Duration = Duration::from_secs(10);
/// What a proxy waits beyond that for the server's own refusal.
const FORWARD_MARGIN: Duration = Duration::from_secs(2);

/// How a server is started.
#[derive(Debug)]
pub struct ServeOptions {
    /// The workspace.
    pub root: Root,
    /// Whether the starter won the election and handed it over as standard input; the server is then detached.
    pub elected: bool,
    /// Whether requests need no token.
    pub open: bool,
    /// `[logs]`.
    pub logs: LogsConfig,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another server has the workspace.
    #[error("a server runs for this workspace already; see `rift server status`, or stop it with `rift server stop`")]
    Taken,
    /// `.rift` cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// No port.
    #[error(
        "no port can be bound: ports {first} to {last} on 127.0.0.1, cause {cause}; change [server] port or port_range"
    )]
    Port {
        /// The first port tried.
        first: u16,
        /// The last one.
        last: u16,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The system gave no random bytes, no signal, or not its own executable.
    #[error("the server cannot start: {0}")]
    System(String),
}

/// How long a proxy waits for one answer under `config`.
fn forward_budget(config: &ServerConfig) -> Duration {
    config.worker_queue_timeout + work_budget(config) + FORWARD_MARGIN
}

/// How long one request may work under `config`.
fn work_budget(config: &ServerConfig) -> Duration {
    config.readiness_timeout + WORK_ALLOWANCE
}

/// The budget of a proxy that has not heard from any server.
pub(crate) fn default_forward_budget() -> Duration {
    forward_budget(&ServerConfig::default())
}

/// Serves the workspace until it is time to stop. `ready` is told what was published.
pub async fn serve(options: ServeOptions, ready: impl FnOnce(&ServerLock)) -> Result<(), ServeError> {
    if options.elected {
        #[cfg(unix)]
        // Away from the starter's terminal and its signals. It fails for the leader of a group, which has its own.
        let _ = rustix::process::setsid();
    }
    let standing = RootIdentity::of(&options.root.path);
    let mut signals = Signals::register().map_err(|error| ServeError::System(error.to_string()))?;
    let folder = Folder::of(&options.root.path);
    folder.create()?;
    let election = elect(&folder, options.elected).await?;
    if let Err(error) = logs::install(folder.path(), &options.logs) {
        tracing::warn!("{error}");
    }
    // What a killed server left says nothing any more.
    lock_file::remove(&folder);
    let identity = tokio::task::spawn_blocking(Identity::own);
    let root = options.root.clone();
    let workspace = tokio::task::spawn_blocking(move || Workspace::open(root));
    let workspace = workspace.await.map_err(|error| ServeError::System(error.to_string()))?;
    let config = workspace.server_config();
    let listener = bind(&config).await.map_err(|cause| {
        let (first, last) = config.port.map_or(config.port_range, |port| (port, port));
        ServeError::Port { first, last, cause }
    })?;
    let identity = identity.await.map_err(|error| error.to_string()).and_then(|own| own.cloned());
    let (lock, written) = published(&folder, &listener, identity.map_err(ServeError::System)?)?;
    ready(&lock);
    let (port, pid, version) = (lock.port, lock.pid, &lock.identity.version);
    tracing::info!(port, pid, version, "the server serves");
    let shared = Arc::new(Shared {
        workspace,
        slots: Slots::new(config.num_workers, config.worker_queue_timeout),
        activity: Activity::new(),
        tools: tools(true),
        budget: work_budget(&config),
        hurry: CancellationToken::new(),
    });
    shared.workspace.prepare();
    let token = (!options.open).then(|| lock.token.clone());
    let stop = CancellationToken::new();
    let serving = Service(shared.clone());
    let http =
        Http::new(Access::new(lock.port, token), shared.clone(), stop.clone(), forward_budget(&config), move || {
            serving.clone()
        });
    tokio::select! {
        () = http.accept(listener, &stop) => {}
        () = signals.received() => tracing::info!("the server stops: a signal"),
        () = shared.activity.idle_for(config.idle_timeout) => tracing::info!("the server stops: idle"),
        () = displaced(&folder, &election, &written) => tracing::info!("the server stops: .rift was removed or replaced"),
        () = standing.replaced(&options.root.path) => {
            tracing::info!("the server stops: the workspace's root was removed or replaced");
        }
    }
    wind_down(&folder, &election, &written, &shared, http).await;
    tracing::info!(pid = lock.pid, "the server has stopped");
    drop(election);
    Ok(())
}

async fn elect(folder: &Folder, inherited: bool) -> Result<Election, ServeError> {
    if let Some(election) = inherited.then(|| Election::inherited(folder)).flatten() {
        return Ok(election);
    }
    let until = Instant::now() + ELECTION_PATIENCE;
    loop {
        if let Some(election) = Election::win(folder)? {
            return Ok(election);
        }
        if Instant::now() >= until {
            return Err(ServeError::Taken);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn published(folder: &Folder, listener: &TcpListener, identity: Identity) -> Result<(ServerLock, Written), ServeError> {
    let port = listener.local_addr().map_err(|error| ServeError::System(error.to_string()))?.port();
    let token = new_token().map_err(|error| ServeError::System(error.to_string()))?;
    let lock = ServerLock { port, token, pid: std::process::id(), identity };
    let written = lock_file::write(folder, &lock)?;
    Ok((lock, written))
}

/// Ends when nobody can find this server any more: then it only keeps others from serving.
async fn displaced(folder: &Folder, election: &Election, written: &Written) {
    while election.stands(folder) && written.stands(folder) {
        tokio::time::sleep(WATCH_EVERY).await;
    }
}

/// The folder that a workspace's root is, wherever it is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RootIdentity(Option<(u64, u64)>);

impl RootIdentity {
    #[cfg(unix)]
    fn of(root: &Path) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(std::fs::metadata(root).ok().map(|found| (found.dev(), found.ino())))
    }

    #[cfg(not(unix))]
    fn of(root: &Path) -> Self {
        Self(root.is_dir().then_some((0, 0)))
    }

    /// Ends when another folder, or none, stands at `root`: then what is served is not what requests name.
    async fn replaced(self, root: &Path) {
        while Self::of(root) == self {
            tokio::time::sleep(WATCH_EVERY).await;
        }
    }
}

/// The signals that end a server. From their registration on none is lost, whenever it is waited for.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn register() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn register() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn received(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}

/// Answers what is in flight, lets go of the workspace, and takes the publication back, within [`STOP_TIME_MAX`].
async fn wind_down(folder: &Folder, election: &Election, written: &Written, shared: &Arc<Shared>, http: Http) {
    let until = Instant::now() + STOP_TIME_MAX;
    // First, so that nobody finds a server that has stopped listening.
    if election.stands(folder) && written.stands(folder) {
        lock_file::remove(folder);
    }
    let mut drained = std::pin::pin!(http.drain());
    if tokio::time::timeout_at(until - 2 * STAGE_RESERVE, drained.as_mut()).await.is_err() {
        shared.hurry.cancel();
        let _ = tokio::time::timeout_at(until - STAGE_RESERVE, drained).await;
    }
    let closing = shared.clone();
    let closed = tokio::task::spawn_blocking(move || closing.workspace.close());
    let _ = tokio::time::timeout_at(until, closed).await;
}

/// The root that a command works on: the stated one, or the one around the current folder.
pub fn root(stated: Option<&Path>) -> Result<Root, rift_host::HostError> {
    match stated {
        Some(named) => rift_host::stated_root(named),
        None => rift_host::find_root(Path::new(".")),
    }
}
