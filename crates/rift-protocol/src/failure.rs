//! Failures: what a tool returns in place of an answer, made by class so that equal failures read alike.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::{ERROR_CAUSES_MAX, ERROR_DIAGNOSTICS_MAX, ERROR_MESSAGE_MAX};
use crate::{DiagnosticContext, ErrorCause, ErrorCode, ErrorData, LimitEvidence, Phase, Retry};

/// A class of failures: the parts of its message that are the same each time.
struct Class {
    code: ErrorCode,
    explanation: &'static str,
    action: &'static str,
    identity: Option<&'static str>,
}

const fn class(
    code: ErrorCode,
    identity: Option<&'static str>,
    explanation: &'static str,
    action: &'static str,
) -> Class {
    Class { code, explanation, action, identity }
}

const INVALID: Class = class(
    ErrorCode::InvalidRequest,
    Some("rift.server.read_invalid"),
    "the request does not match the documented form",
    "correct the reported field and resend the request",
);
const CAPABILITY: Class = class(
    ErrorCode::CapabilityUnavailable,
    None,
    "no configured provider serves this request",
    "adjust the request to a served capability, or configure a provider that serves it",
);
const NOT_FOUND: Class = class(
    ErrorCode::ResourceNotFound,
    Some("rift.server.read_not_found"),
    "the workspace holds nothing at the requested address",
    "check the reported value, or find the address with search",
);
const ROOT: Class = class(
    ErrorCode::ResourceNotFound,
    Some("rift.server.read_not_found"),
    "the workspace's root cannot be used",
    "name an existing directory that may be listed",
);
const PERMISSION: Class = class(
    ErrorCode::PermissionDenied,
    Some("rift.server.read_denied"),
    "the requested path may not be read",
    "request a file inside the workspace that no symbolic link leads through",
);
const CONTENT: Class = class(
    ErrorCode::ContentUnavailable,
    Some("rift.server.read_content"),
    "the requested content cannot be read as text",
    "request another file, or a smaller one",
);
const CURSOR_INVALID: Class = class(
    ErrorCode::CursorInvalid,
    Some("rift.server.read_cursor"),
    "the cursor does not continue this request",
    "repeat the request that returned the cursor, with its view, and change nothing but the cursor",
);
const CURSOR_EXPIRED: Class = class(
    ErrorCode::CursorExpired,
    Some("rift.server.read_cursor"),
    "the view that the cursor continues has expired",
    "start again without cursor and view",
);
const CANCELLED: Class = class(
    ErrorCode::Cancelled,
    Some("rift.server.read_cancelled"),
    "the caller cancelled the request",
    "send the request again when its answer is wanted",
);
const DEADLINE: Class = class(
    ErrorCode::DeadlineExceeded,
    Some("rift.server.read_deadline"),
    "the request did not finish within its time budget",
    "send the request again, or narrow it",
);
const LIMIT: Class = class(
    ErrorCode::LimitExceeded,
    Some("rift.server.read_limit"),
    "the request crosses a bound",
    "narrow the request until it fits the bound",
);
const STORAGE: Class = class(
    ErrorCode::StorageFailure,
    Some("rift.server.read_storage"),
    "stored data could not be read",
    "send the request again; if it fails again, restart the server",
);
const INTERNAL: Class = class(
    ErrorCode::InternalError,
    Some("rift.server.read_task"),
    "the server failed while it computed the answer",
    "report the failure with the request that caused it",
);
const UNAVAILABLE: Class = class(
    ErrorCode::TemporarilyUnavailable,
    Some("rift.server.read_unavailable"),
    "the server cannot answer yet",
    "send the same request again",
);
const NO_SERVER: Class = class(
    ErrorCode::TemporarilyUnavailable,
    Some("rift.server.read_unavailable"),
    "no server can be asked for this workspace",
    "do what the reason says, then send the same request again",
);
const CONFIGURATION: Class = class(
    ErrorCode::ConfigurationInvalid,
    Some("rift.server.configuration_invalid"),
    "the workspace's rift.toml is not valid",
    "correct the reported key; the next request reads the file again",
);

/// What a tool returns in place of an answer: the error that travels, and the registered identity of its class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The error.
    pub data: Box<ErrorData>,
    /// The registered identity, such as `rift.server.read_invalid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<Cow<'static, str>>,
}

impl Failure {
    /// A failure of `class` about `facts`: `explanation: key value, key value; action`.
    fn of(class: &Class, facts: &[(&str, &str)]) -> Self {
        let facts: Vec<String> = facts.iter().map(|(key, value)| format!("{key} {value}")).collect();
        let separator = if facts.is_empty() { "" } else { ": " };
        // The facts give way when the message is too long, so that the action always stands.
        let room = ERROR_MESSAGE_MAX - class.explanation.len() - class.action.len() - separator.len() - 2;
        let facts: String = facts.join(", ").chars().take(room).collect();
        let message = format!("{}{separator}{facts}; {}", class.explanation, class.action);
        Self {
            data: Box::new(ErrorData {
                code: class.code,
                message,
                retry: class.code.retry(),
                phase: Phase::Read,
                diagnostics: Vec::new(),
                limit: None,
                causes: Vec::new(),
            }),
            identity: class.identity.map(Cow::Borrowed),
        }
    }

    /// `field` of the request is wrong; `violation` is the word that says how.
    pub fn invalid_field(field: &str, violation: impl fmt::Display) -> Self {
        Self::of(&INVALID, &[("field", field), ("violation", &violation.to_string())])
    }

    /// `field` may not stand beside `other`.
    pub fn conflicting_fields(field: &str, other: &str) -> Self {
        Self::of(&INVALID, &[("field", field), ("violation", "conflict"), ("beside", other)])
    }

    /// Nothing serves `capability`: what the request asks for, as `pattern search`.
    pub fn not_served(capability: &str) -> Self {
        Self::of(&CAPABILITY, &[("capability", capability)])
    }

    /// Nothing serves the request; `facts` are what it needs, as `("requires", "a git repository")`.
    pub fn capability_unavailable(facts: &[(&str, &str)]) -> Self {
        Self::of(&CAPABILITY, facts)
    }

    /// The workspace holds no `value`; `field` is the request's member or the kind of thing.
    pub fn not_found(field: &str, value: &str) -> Self {
        Self::of(&NOT_FOUND, &[(field, value)])
    }

    /// The directory `path` cannot be a workspace's root, because of `reason`.
    pub fn root_unusable(path: &str, reason: &str) -> Self {
        Self::of(&ROOT, &[("root", path), ("reason", reason)])
    }

    /// `path` may not be read, because of `reason`.
    pub fn permission_denied(path: &str, reason: &str) -> Self {
        Self::of(&PERMISSION, &[("path", path), ("reason", reason)])
    }

    /// `path` exists and its content cannot be read as text, because of `reason`.
    pub fn content_unavailable(path: &str, reason: &str) -> Self {
        Self::of(&CONTENT, &[("path", path), ("reason", reason)])
    }

    /// The cursor of `field` belongs to another request.
    pub fn cursor_invalid(field: &str) -> Self {
        Self::of(&CURSOR_INVALID, &[("field", field)])
    }

    /// The view of the cursor of `field` has expired.
    pub fn cursor_expired(field: &str) -> Self {
        Self::of(&CURSOR_EXPIRED, &[("field", field)])
    }

    /// The caller took the request back.
    pub fn cancelled() -> Self {
        Self::of(&CANCELLED, &[])
    }

    /// The time budget is spent.
    pub fn deadline_exceeded() -> Self {
        Self::of(&DEADLINE, &[])
    }

    /// `field`, a member of the request, of the answer or a configuration key, allows `limit` and `required` is needed.
    pub fn limit_exceeded(field: &str, limit: u64, required: u64) -> Self {
        let facts = [("field", field), ("limit", &*limit.to_string()), ("required", &*required.to_string())];
        let mut failure = Self::of(&LIMIT, &facts);
        failure.data.limit = Some(LimitEvidence { field: field.to_owned(), limit, required });
        failure
    }

    /// Stored data could not be read.
    pub fn storage(operation: &str, reason: &str) -> Self {
        Self::of(&STORAGE, &[("operation", operation), ("reason", reason)])
    }

    /// A defect: `operation` failed in a way that it never should.
    pub fn internal(operation: &str, reason: &str) -> Self {
        Self::of(&INTERNAL, &[("operation", operation), ("reason", reason)])
    }

    /// The server cannot answer yet, because of `reason`.
    pub fn temporarily_unavailable(reason: &str) -> Self {
        Self::of(&UNAVAILABLE, &[("reason", reason)])
    }

    /// There is no server to ask, because of `reason`, which says what to do.
    pub fn no_server(reason: &str) -> Self {
        Self::of(&NO_SERVER, &[("reason", reason)]).with_retry(Retry::OperatorAction)
    }

    /// `rift.toml` is invalid at `key`.
    pub fn configuration_invalid(key: &str, violation: &str) -> Self {
        Self::of(&CONFIGURATION, &[("key", key), ("violation", violation)])
    }

    /// This failure with `retry` in place of its code's own.
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.data.retry = retry;
        self
    }

    /// This failure with one more link at the inner end of its chain of causes. Links past the bound are dropped.
    pub fn caused_by(mut self, code: ErrorCode, message: impl Into<String>) -> Self {
        if self.data.causes.len() < ERROR_CAUSES_MAX {
            let message: String = message.into();
            let message = message.chars().take(ERROR_MESSAGE_MAX).collect();
            self.data.causes.push(ErrorCause { code, message, retry: code.retry() });
        }
        self
    }

    /// This failure with one more finding. Findings past the bound are dropped.
    pub fn with_diagnostic(mut self, diagnostic: DiagnosticContext) -> Self {
        if self.data.diagnostics.len() < ERROR_DIAGNOSTICS_MAX {
            self.data.diagnostics.push(diagnostic);
        }
        self
    }

    /// What kind of failure it is.
    pub fn code(&self) -> ErrorCode {
        self.data.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data.message)
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_documented_samples() {
        let failure = Failure::invalid_field("limit", "zero");
        assert_eq!(
            failure.data.message,
            "the request does not match the documented form: field limit, violation zero; correct the reported field \
             and resend the request"
        );
        assert_eq!(failure.identity.as_deref(), Some("rift.server.read_invalid"));
        assert_eq!((failure.code().word(), failure.data.retry.word()), ("invalid_request", "never"));

        let requires = "a git repository - run `git init`, or omit `rev` to read the current tree";
        let workspace = "/Users/alice/projects/charming-aurora";
        let failure = Failure::capability_unavailable(&[("workspace", workspace), ("requires", requires)]);
        assert_eq!(
            failure.data.message,
            "no configured provider serves this request: workspace /Users/alice/projects/charming-aurora, requires a \
             git repository - run `git init`, or omit `rev` to read the current tree; adjust the request to a served \
             capability, or configure a provider that serves it"
        );
        assert_eq!(failure.identity, None);
        assert_eq!(failure.data.retry.word(), "operator_action");
    }

    #[test]
    fn bounds_hold() {
        let failure = Failure::not_found("path", &"é".repeat(9000));
        assert_eq!(failure.data.message.chars().count(), ERROR_MESSAGE_MAX);
        assert!(failure.data.message.ends_with("; check the reported value, or find the address with search"));
        let deep = (0..20).fold(failure, |f, _| f.caused_by(ErrorCode::StorageFailure, "disk"));
        assert_eq!(deep.data.causes.len(), ERROR_CAUSES_MAX);
    }

    #[test]
    fn without_facts_there_is_no_colon() {
        let message = Failure::cancelled().data.message;
        assert_eq!(message, "the caller cancelled the request; send the request again when its answer is wanted");
    }

    #[test]
    fn every_code_travels_as_its_word() {
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).expect("serializes"), code.word());
        }
        assert_eq!(ErrorCode::ALL.len(), 15);
    }
}
