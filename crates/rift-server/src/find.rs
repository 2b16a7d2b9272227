//! Finding the workspace's server, and starting one where none serves.
//!
//! A server is adopted when it holds the election, is reachable where `.rift/server.json` says, and is of this process's own
//! identity. Whatever else stands in that file is stale, except the statement of a live server: an older one is replaced,
//! any other is left alone and the caller told.

use std::sync::Arc;
use std::time::Duration;

use rift_host::Root;
use rift_protocol::Failure;
use tokio::time::Instant;

use crate::client::{Client, ClientError};
use crate::detach::{Starting, start};
use crate::election::{Election, is_held};
use crate::folder::{Folder, FolderError};
use crate::identity::Identity;
use crate::lock_file::{self, Recorded, ServerLock};
use crate::server::STOP_TIME_MAX;
use crate::status::Status;

/// How long finding or starting a server may take in all.
pub(crate) const START_TIME_MAX: Duration = Duration::from_secs(30);
/// How often a server that ends at once is started within one search.
const STARTS_MAX: usize = 3;
/// The first and the longest pause between two looks.
const PAUSE_FIRST: Duration = Duration::from_millis(2);
const PAUSE_LAST: Duration = Duration::from_millis(50);

/// Why there is no server to ask.
#[derive(Debug, Clone, thiserror::Error)]
pub enum FindError {
    /// `.rift` cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A server of another identity serves.
    #[error(
        "another server serves this workspace: pid {pid}, version {version}, which is {kind}; stop it with `rift server stop`"
    )]
    Other {
        /// Its process.
        pid: u32,
        /// Its version.
        version: String,
        /// How it differs.
        kind: &'static str,
    },
    /// A server was started and ended.
    #[error("the server ended as it started: {0}; `rift server start --foreground` shows what is wrong")]
    Ended(String),
    /// Somebody holds the election and cannot be reached.
    #[error(
        "the server does not answer: {0}; if it does not recover, stop it with `rift server stop` or end its process"
    )]
    Silent(String),
    /// This process does not know itself.
    #[error("{0}")]
    Identity(String),
}

impl FindError {
    /// As the caller of a tool reads it.
    pub(crate) fn failure(&self) -> Failure {
        match self {
            // It may come back by itself.
            FindError::Silent(_) => Failure::temporarily_unavailable(&self.to_string()),
            _ => Failure::no_server(&self.to_string()),
        }
    }
}

/// A server that answers.
pub(crate) struct Found {
    pub(crate) client: Arc<Client>,
    pub(crate) lock: ServerLock,
    pub(crate) status: Status,
}

/// Finds the server of `root`, and starts one where none serves.
pub(crate) async fn find_or_start(root: &Root) -> Result<Found, FindError> {
    let own = own_identity().await?;
    let folder = Folder::of(&root.path);
    folder.create()?;
    let until = Instant::now() + START_TIME_MAX;
    let mut search = Search { folder: &folder, root, own, starting: None, starts: 0, replaced: false };
    let mut pause = PAUSE_FIRST;
    loop {
        let waiting_for = match search.look(until).await? {
            Look::Found(found) => return Ok(*found),
            Look::Nothing(reason) => reason,
        };
        if Instant::now() >= until {
            return Err(FindError::Silent(waiting_for));
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE_LAST);
    }
}

/// Finds the server of `root` when one of this identity serves, and changes nothing.
pub(crate) async fn find_running(root: &Root) -> Option<Found> {
    let folder = Folder::of(&root.path);
    let Recorded::Server(lock) = lock_file::read(&folder) else { return None };
    if !is_held(&folder) || *own_identity().await.ok()? != lock.identity {
        return None;
    }
    reach(*lock).await.ok()
}

pub(crate) async fn own_identity() -> Result<&'static Identity, FindError> {
    let own = tokio::task::spawn_blocking(Identity::own).await.map_err(|error| error.to_string());
    own.and_then(|own| own).map_err(FindError::Identity)
}

/// Asks the server that `lock` states whether it is there.
pub(crate) async fn reach(lock: ServerLock) -> Result<Found, ClientError> {
    let client = Client::new(&lock)?;
    let status = client.status().await?;
    if status.pid != lock.pid {
        return Err(ClientError::Answer(format!("process {} answers in place of {}", status.pid, lock.pid)));
    }
    Ok(Found { client, lock, status })
}

struct Search<'a> {
    folder: &'a Folder,
    root: &'a Root,
    own: &'a Identity,
    starting: Option<Starting>,
    starts: usize,
    replaced: bool,
}

enum Look {
    Found(Box<Found>),
    /// None yet; what is waited for.
    Nothing(String),
}

impl Search<'_> {
    async fn look(&mut self, until: Instant) -> Result<Look, FindError> {
        if let Some(election) = Election::win(self.folder)? {
            // Nobody serves, whatever server.json says.
            if let Some(words) = self.starting.take().and_then(|starting| starting.ended())
                && self.starts >= STARTS_MAX
            {
                return Err(FindError::Ended(words));
            }
            // What a killed server left says nothing any more, and nobody need try it.
            lock_file::remove(self.folder);
            self.starts += 1;
            self.starting = Some(start(self.folder, self.root, election)?);
            return Ok(Look::Nothing("it is starting".to_owned()));
        }
        let lock = match lock_file::read(self.folder) {
            Recorded::Server(lock) => *lock,
            Recorded::Absent => return Ok(Look::Nothing("it holds the election and publishes nothing".to_owned())),
            Recorded::Unusable(reason) => return Ok(Look::Nothing(format!("server.json is not usable, {reason}"))),
        };
        // A statement that nobody answers for is left from a server before: the one that holds the election replaces it.
        let (pid, identity) = (lock.pid, lock.identity.clone());
        let found = match reach(lock).await {
            Ok(found) => found,
            Err(error) => return Ok(Look::Nothing(format!("pid {pid}, {error}"))),
        };
        if identity == *self.own {
            return Ok(Look::Found(Box::new(found)));
        }
        if !identity.is_older_than(self.own) || self.replaced {
            let kind = if self.own.is_older_than(&identity) { "newer" } else { "different" };
            return Err(FindError::Other { pid, version: identity.version, kind });
        }
        self.replaced = true;
        tracing::info!(pid, version = identity.version, "an older server is replaced");
        stop_and_wait(self.folder, &found.client, until).await?;
        Ok(Look::Nothing("an older server is stopping".to_owned()))
    }
}

/// Asks a server to stop and waits until its election is released.
pub(crate) async fn stop_and_wait(folder: &Folder, client: &Client, until: Instant) -> Result<(), FindError> {
    if let Err(error) = client.stop().await {
        // It may have been stopping already.
        tracing::debug!(%error, "the request to stop failed");
    }
    let until = until.min(Instant::now() + STOP_TIME_MAX + STOP_TIME_MAX / 4);
    while is_held(folder) {
        if Instant::now() >= until {
            return Err(FindError::Silent("it was asked to stop and has not".to_owned()));
        }
        tokio::time::sleep(PAUSE_LAST / 5).await;
    }
    Ok(())
}
