//! One call of one tool, whatever the transport: arguments in, text and structure out.

use std::any::Any;
use std::borrow::Cow;
use std::panic::AssertUnwindSafe;

use rift_base::{Deadline, Interrupt};
use rift_protocol::{
    Failure, GetSourceParams, GetSourceResult, GetSymbolParams, GetSymbolResult, NodesParams, Request, SearchAnswer,
    SearchParams, WorkspaceMap, WorkspaceResourcePage,
};
use serde_json::Value;

use crate::workspace::Workspace;

/// A finished call.
#[derive(Debug, Clone, PartialEq)]
pub struct Completed {
    /// Compact text.
    pub text: String,
    /// The answer as JSON; absent for a failure.
    pub structured: Option<Value>,
    /// Whether the caller is told that the call failed: failures, and exact reads that found nothing.
    pub is_error: bool,
    /// What the answer came to.
    pub outcome: Outcome,
}

/// What an answer came to, for exit codes.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Something was found.
    Found,
    /// Everything was looked at, and nothing is there.
    Nothing,
    /// Neither can be said; the reason's word.
    Unavailable(Cow<'static, str>),
    /// The request failed.
    Failed(Box<Failure>),
}

/// Calls `tool` with `arguments`; absent when there is no such tool.
pub fn call(workspace: &Workspace, tool: &str, arguments: Value, deadline: &Deadline) -> Option<Completed> {
    let run: fn(&Workspace, Value, &Deadline) -> Result<Completed, Failure> = match tool {
        SearchParams::TOOL => search,
        GetSymbolParams::TOOL => get_symbol,
        GetSourceParams::TOOL => get_source,
        NodesParams::TOOL => nodes,
        _ => return None,
    };
    Some(alone(tool, || run(workspace, arguments, deadline)).unwrap_or_else(failed))
}

/// Runs one request. A panic answers its own request and harms no other.
fn alone<T>(tool: &str, run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| Err(unwound(tool, payload.as_ref())))
}

/// What unwound a request: its end, which a read of facts has met, or a defect.
fn unwound(tool: &str, payload: &(dyn Any + Send)) -> Failure {
    match payload.downcast_ref::<Interrupt>() {
        Some(interrupt) => rift_tools::interrupted(*interrupt),
        None => Failure::internal(tool, "panicked"),
    }
}

/// A failure as a finished call.
pub fn failed(failure: Failure) -> Completed {
    Completed {
        text: rift_render::failure(&failure),
        structured: None,
        is_error: true,
        outcome: Outcome::Failed(Box::new(failure)),
    }
}

fn completed<T: serde::Serialize>(
    answer: &T,
    text: String,
    outcome: Outcome,
    is_error: bool,
) -> Result<Completed, Failure> {
    let structured = serde_json::to_value(answer).map_err(|e| Failure::internal("serialization", &e.to_string()))?;
    Ok(Completed { text, structured: Some(structured), is_error, outcome })
}

fn search(workspace: &Workspace, arguments: Value, deadline: &Deadline) -> Result<Completed, Failure> {
    let params = SearchParams::parse(arguments)?;
    let answer = rift_tools::search(&*workspace.host()?, &params, deadline)?;
    let outcome = match &answer {
        SearchAnswer::Found(found) if found.results.is_empty() => Outcome::Nothing,
        SearchAnswer::Found(_) => Outcome::Found,
        SearchAnswer::Unavailable(unavailable) => Outcome::Unavailable(unavailable.reason.word().into()),
    };
    completed(&answer, rift_render::search(&answer)?, outcome, false)
}

fn get_symbol(workspace: &Workspace, arguments: Value, deadline: &Deadline) -> Result<Completed, Failure> {
    let params = GetSymbolParams::parse(arguments)?;
    let answer = rift_tools::get_symbol(&*workspace.host()?, &params, deadline)?;
    let (outcome, is_error) = match &answer {
        GetSymbolResult::Found(_) => (Outcome::Found, false),
        GetSymbolResult::Missing(_) => (Outcome::Nothing, true),
        GetSymbolResult::Unavailable(unavailable) => (Outcome::Unavailable(unavailable.reason.word().into()), false),
    };
    completed(&answer, rift_render::get_symbol(&answer)?, outcome, is_error)
}

fn get_source(workspace: &Workspace, arguments: Value, deadline: &Deadline) -> Result<Completed, Failure> {
    let params = GetSourceParams::parse(arguments)?;
    let answer = rift_tools::get_source(&*workspace.host()?, &params, deadline)?;
    let (outcome, is_error) = match &answer {
        GetSourceResult::Found(_) => (Outcome::Found, false),
        GetSourceResult::Missing(_) => (Outcome::Nothing, true),
        GetSourceResult::Unavailable(unavailable) => (Outcome::Unavailable(unavailable.reason.word().into()), false),
    };
    completed(&answer, rift_render::get_source(&answer)?, outcome, is_error)
}

fn nodes(workspace: &Workspace, arguments: Value, deadline: &Deadline) -> Result<Completed, Failure> {
    let params = NodesParams::parse(arguments)?;
    let answer = rift_tools::nodes(&*workspace.host()?, &params, deadline)?;
    let outcome = if answer.nodes.is_empty() { Outcome::Nothing } else { Outcome::Found };
    completed(&answer, rift_render::nodes(&answer)?, outcome, false)
}

/// Reads `rift://map`.
pub fn read_map(workspace: &Workspace, deadline: &Deadline) -> Result<WorkspaceMap, Failure> {
    alone("map", || rift_tools::map(&*workspace.host()?, deadline))
}

/// Reads one page of `rift://workspace`: compact text, and the page.
pub fn read_workspace(
    workspace: &Workspace,
    page_index: u64,
    deadline: &Deadline,
) -> Result<(String, WorkspaceResourcePage), Failure> {
    alone("workspace", || {
        let page = rift_tools::workspace(&*workspace.host()?, page_index, deadline)?;
        Ok((rift_render::workspace(&page)?, page))
    })
}
