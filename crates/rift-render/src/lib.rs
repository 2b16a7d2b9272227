//! Answers as compact text: what an agent reads to choose its next call, and nothing in its normal state.
//!
//! A text is a sequence of sections: a title at column 0, then entries indented by tabs. docs/protocol.md has the
//! rules. Each function takes a whole answer and returns its text, without a line feed at the end, or refuses one of
//! more than [`rift_protocol::limits::TEXT_MAX`] bytes with `limit_exceeded` and the field `text`.

mod commit;
mod documentation;
mod exact;
mod failure;
mod location;
mod nodes;
mod search;
mod source;
mod symbol;
mod text;
mod tree;
mod view;
mod warning;
mod workspace;

use rift_protocol::{Failure, GetSourceResult, GetSymbolResult, NodesResult, SearchAnswer, WorkspaceResourcePage};

use text::Text;

fn render<T>(write: impl FnOnce(&mut Text, &T), answer: &T) -> Result<String, Failure> {
    let mut text = Text::default();
    write(&mut text, answer);
    text.finish()
}

/// The text of a `search` answer.
pub fn search(answer: &SearchAnswer) -> Result<String, Failure> {
    render(search::answer, answer)
}

/// The text of a `get_symbol` answer.
pub fn get_symbol(answer: &GetSymbolResult) -> Result<String, Failure> {
    render(exact::symbol, answer)
}

/// The text of a `get_source` answer.
pub fn get_source(answer: &GetSourceResult) -> Result<String, Failure> {
    render(exact::source, answer)
}

/// The text of a `nodes` answer.
pub fn nodes(answer: &NodesResult) -> Result<String, Failure> {
    render(nodes::answer, answer)
}

/// The text of a page of `rift://workspace`.
pub fn workspace(page: &WorkspaceResourcePage) -> Result<String, Failure> {
    render(workspace::resource, page)
}

/// The text of a failure. It is cut at the bound in place of being refused.
pub fn failure(failure: &Failure) -> String {
    let mut text = Text::default();
    failure::section(&mut text, failure);
    text.finish_cut()
}
