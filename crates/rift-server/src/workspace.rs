//! The workspace behind the calls, opened once, and again after a refusal that can be mended while the process lives.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rift_base::{Config, Deadline, ServerConfig};
use rift_host::{Host, HostError, HostOptions, Preparation, Root, WatchKind};
use rift_protocol::Failure;

use crate::status::WatcherStatus;

/// A host, or what keeps it from being opened.
pub struct Workspace {
    state: Mutex<State>,
}

enum State {
    Open(Arc<Host>),
    /// The next request tries again.
    Refused(Box<Root>, Arc<HostError>),
    /// Nothing will mend it.
    Failed(Arc<HostError>),
    Closed,
}

/// A server's clients ask who refers to what: the first parse of a file gives that too.
fn options() -> HostOptions {
    HostOptions { binds: true, ..HostOptions::default() }
}

impl Workspace {
    /// Opens the workspace at `root` and publishes an empty state; [`Workspace::prepare`] fills it. What refuses it, an
    /// invalid `rift.toml` first of all, refuses requests until one finds it mended.
    pub fn open(root: Root) -> Self {
        let state = match Host::open(root.clone(), &options()) {
            Ok(host) => State::Open(Arc::new(host)),
            Err(error) => State::Refused(Box::new(root), Arc::new(error)),
        };
        Self { state: Mutex::new(state) }
    }

    /// A workspace for one call: a host that somebody else prepares, or its failure.
    pub fn opened(host: Result<Host, HostError>) -> Self {
        let state = match host {
            Ok(host) => State::Open(Arc::new(host)),
            Err(error) => State::Failed(Arc::new(error)),
        };
        Self { state: Mutex::new(state) }
    }

    /// Starts preparation. Call once.
    pub(crate) fn prepare(&self) {
        if let State::Open(host) = &*self.lock() {
            host.prepare_in_background();
        }
    }

    /// The host.
    ///
    /// # Errors
    /// What keeps it from being served.
    pub fn host(&self) -> Result<Arc<Host>, Failure> {
        let mut state = self.lock();
        match &*state {
            State::Open(host) => Ok(host.clone()),
            State::Failed(error) => Err(rift_tools::host_failure(error)),
            State::Closed => Err(Failure::temporarily_unavailable("the server is stopping")),
            State::Refused(root, _) => match Host::open((**root).clone(), &options()) {
                Ok(host) => {
                    let host = Arc::new(host);
                    host.prepare_in_background();
                    *state = State::Open(host.clone());
                    Ok(host)
                }
                Err(error) => {
                    let failure = rift_tools::host_failure(&error);
                    *state = State::Refused(root.clone(), Arc::new(error));
                    Err(failure)
                }
            },
        }
    }

    /// What `[server]` says; the defaults while the workspace is refused.
    pub(crate) fn server_config(&self) -> ServerConfig {
        let view = match &*self.lock() {
            State::Open(host) => host.current().ok(),
            _ => None,
        };
        view.map_or_else(|| Config::default().server, |view| view.config().server.clone())
    }

    /// How far preparation has got; absent when it has ended, or when there is nothing to prepare.
    pub(crate) fn preparation(&self) -> Option<Preparation> {
        let host = match &*self.lock() {
            State::Open(host) => host.clone(),
            _ => return None,
        };
        let mut seen = Preparation { prepared: 0, total: None };
        let ended = host.wait_prepared(&Deadline::within(Duration::ZERO), |preparation| seen = preparation);
        ended.is_err().then_some(seen)
    }

    /// How the host learns of changes.
    pub(crate) fn watcher(&self) -> Option<WatcherStatus> {
        let host = match &*self.lock() {
            State::Open(host) => host.clone(),
            _ => return None,
        };
        let watch = host.status().watch;
        let (kind, reason) = match watch.kind {
            WatchKind::Inotify => ("inotify", None),
            WatchKind::Scanning(reason) => ("scan", Some(reason.to_string())),
        };
        Some(WatcherStatus {
            kind: kind.to_owned(),
            reason,
            directories: watch.directories,
            overflows: watch.overflows,
        })
    }

    /// What refuses requests.
    pub(crate) fn refusal(&self) -> Option<Failure> {
        let error = match &*self.lock() {
            State::Open(host) => host.current().err()?,
            State::Refused(_, error) | State::Failed(error) => error.clone(),
            State::Closed => return None,
        };
        Some(rift_tools::host_failure(&error))
    }

    /// Lets go of the host: it ends with the last request that reads it.
    pub(crate) fn close(&self) {
        let before = std::mem::replace(&mut *self.lock(), State::Closed);
        drop(before);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
