//! What a person does with a workspace's server: start it, stop it, look at it.

use rift_host::Root;
use serde::Serialize;
use tokio::time::Instant;

use crate::client::ClientError;
use crate::election::{Election, is_held};
use crate::find::{FindError, Found, find_or_start, own_identity, reach, stop_and_wait};
use crate::folder::Folder;
use crate::lock_file::{self, Recorded, ServerLock};
use crate::server::STOP_TIME_MAX;
use crate::status::Status;

/// What stands at a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ServerState {
    /// No server, and nothing left of one.
    None,
    /// `.rift/server.json` states a server that nobody can ask.
    Stale {
        /// Why it is not believed.
        reason: String,
    },
    /// A server holds the election and does not answer.
    Silent {
        /// What was tried.
        reason: String,
    },
    /// A server answers.
    Serving {
        /// Its port.
        port: u16,
        /// How it is.
        #[serde(flatten)]
        status: Status,
        /// Whether this executable's proxies use it.
        adoptable: bool,
    },
}

/// What stands at `root`. Changes nothing.
pub async fn server_state(root: &Root) -> ServerState {
    let folder = Folder::of(&root.path);
    let held = is_held(&folder);
    let lock = match lock_file::read(&folder) {
        Recorded::Server(lock) => *lock,
        Recorded::Absent if held => return ServerState::Silent { reason: "it publishes nothing".to_owned() },
        Recorded::Absent => return ServerState::None,
        Recorded::Unusable(reason) if held => return ServerState::Silent { reason },
        Recorded::Unusable(reason) => return ServerState::Stale { reason },
    };
    if !held {
        return ServerState::Stale { reason: format!("pid {} does not hold the election any more", lock.pid) };
    }
    match reach(lock).await {
        Ok(found) => {
            let adoptable = own_identity().await.is_ok_and(|own| *own == found.lock.identity);
            ServerState::Serving { port: found.lock.port, status: found.status, adoptable }
        }
        Err(error) => ServerState::Silent { reason: error.to_string() },
    }
}

/// What starting came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// Where it serves.
    pub lock: ServerLock,
    /// How it is.
    pub status: Status,
    /// Whether it served before.
    pub before: bool,
}

/// Finds the server of `root`, or starts one that outlives this process.
///
/// # Errors
/// Why there is none to use.
pub async fn start_server(root: &Root) -> Result<Started, FindError> {
    let before = is_held(&Folder::of(&root.path));
    let Found { lock, status, .. } = find_or_start(root).await?;
    Ok(Started { lock, status, before })
}

/// What stopping came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// There was none.
    None,
    /// It has ended.
    Ended {
        /// Its process.
        pid: u32,
    },
}

/// Stops the server of `root`, whichever it is, and waits until it has ended.
///
/// # Errors
/// When it does not answer, or does not end.
pub async fn stop_server(root: &Root) -> Result<Stopped, FindError> {
    let folder = Folder::of(&root.path);
    // One that is just being started publishes itself soon.
    let until = Instant::now() + STOP_TIME_MAX;
    loop {
        if !is_held(&folder) {
            clear(&folder)?;
            return Ok(Stopped::None);
        }
        let waiting_for = match lock_file::read(&folder) {
            Recorded::Server(lock) => match reach(*lock).await {
                Ok(found) => {
                    stop_and_wait(&folder, &found.client, Instant::now() + STOP_TIME_MAX * 2).await?;
                    return Ok(Stopped::Ended { pid: found.lock.pid });
                }
                Err(ClientError::Connection(error)) => error,
                Err(error) => error.to_string(),
            },
            Recorded::Absent => "it publishes nothing".to_owned(),
            Recorded::Unusable(reason) => reason,
        };
        if Instant::now() >= until {
            return Err(FindError::Silent(waiting_for));
        }
        tokio::time::sleep(STOP_TIME_MAX / 80).await;
    }
}

/// Takes away what a killed server left, unless another has just won the election.
fn clear(folder: &Folder) -> Result<(), FindError> {
    if lock_file::read(folder) != Recorded::Absent
        && let Some(_election) = Election::win(folder)?
    {
        lock_file::remove(folder);
    }
    Ok(())
}
