//! What a server tells of its own working, at `/api/debug` and to a command that asks in its own process: counters, what an edit
//! would run, views, index. Nothing here is part of the protocol for agents.

mod answer;
mod wire;

pub use answer::answer;
pub use wire::{
    AnsweredBy, BranchLine, CountLine, CountedLine, DebugAnswer, DebugQuestion, DebugReply, EdgeLine, ExplainAnswer,
    GenerationLine, GraphAnswer, IndexAnswer, QueriesAnswer, QueryAnswer, QueryLine, ViewLine, ViewsAnswer,
};
