//! What every tool starts with: the selection a request names, and failures of the floors below in the caller's words.

use rift_base::{Deadline, Interrupt};
use rift_host::index::IndexError;
use rift_host::{Host, HostError, HostErrorClass, View, ViewError};
use rift_protocol::{CapturedView, CapturedViewId, ErrorCode, Failure, Retry, UnavailableReason};

/// The selection that a request reads.
pub(crate) enum Selected {
    /// A view.
    View(View),
    /// None, for this reason.
    Unavailable(UnavailableReason),
}

/// The view called `id`, or that of the tree as it stands.
pub(crate) fn select(host: &Host, id: Option<&CapturedViewId>, deadline: &Deadline) -> Result<Selected, Failure> {
    let Some(id) = id else { return current(host, deadline).map(Selected::View) };
    Ok(match host.view(id.as_str()) {
        Ok(view) => Selected::View(view.within(deadline)),
        Err(ViewError::Context) => Selected::Unavailable(UnavailableReason::ViewContext),
        Err(ViewError::Expired) => Selected::Unavailable(UnavailableReason::ViewExpired),
    })
}

/// The view of the tree as it stands, or one that says what it is behind by.
pub(crate) fn current(host: &Host, deadline: &Deadline) -> Result<View, Failure> {
    host.capture(deadline).map(|view| view.within(deadline)).map_err(|error| host_failure(&error))
}

/// A view as answers name it: whoever reads the answer may ask for it until the time it says.
pub(crate) fn captured(view: &View) -> Result<CapturedView, Failure> {
    let id = CapturedViewId::parse(view.id()).map_err(|v| Failure::internal("view", v.word()))?;
    Ok(CapturedView { id, expires_at: view.keep() })
}

/// Ends work that nobody waits for.
pub(crate) fn check(deadline: &Deadline) -> Result<(), Failure> {
    deadline.check().map_err(interrupted)
}

/// A request that was ended before its answer, as a caller reads it.
pub fn interrupted(interrupt: Interrupt) -> Failure {
    match interrupt {
        Interrupt::Cancelled => Failure::cancelled(),
        Interrupt::Expired => Failure::deadline_exceeded(),
    }
}

/// What keeps the workspace from being served, as a caller reads it.
pub fn host_failure(error: &HostError) -> Failure {
    if let HostError::Root(unusable) = error {
        return Failure::root_unusable(&unusable.path.to_string_lossy(), &unusable.source.to_string());
    }
    let message = error.to_string();
    match error.class() {
        HostErrorClass::Configuration => Failure::configuration_invalid("rift.toml", &message),
        HostErrorClass::Limit { key, limit, required } => Failure::limit_exceeded(key, limit, required),
        HostErrorClass::Environment => Failure::storage("open", &message).with_retry(Retry::OperatorAction),
        HostErrorClass::Index => Failure::storage("index", &message),
        HostErrorClass::Internal => Failure::internal("preparation", &message),
    }
}

/// A failed index read, as a caller reads it.
pub(crate) fn index_failure(error: IndexError) -> Failure {
    Failure::storage("index", "the search index could not be read")
        .caused_by(ErrorCode::StorageFailure, error.to_string())
}
