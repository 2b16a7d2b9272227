//! From a host to the answer.

use rift_base::ProjectPath;
use rift_host::queries::{Branch, Explanation, Outcome, Row, Totals};
use rift_host::{DebugError, Host, QueryReport};

use super::wire::{
    AnsweredBy, BranchLine, CountLine, CountedLine, DebugAnswer, DebugQuestion, DebugReply, EdgeLine, ExplainAnswer,
    GenerationLine, GraphAnswer, IndexAnswer, QueriesAnswer, QueryAnswer, QueryLine, ViewLine, ViewsAnswer,
};
use crate::workspace::Workspace;

/// Answers `question` of `workspace`. `kind` is what answers: `server` or `command`.
pub fn answer(workspace: &Workspace, question: DebugQuestion, kind: &str) -> DebugReply {
    let answered = match workspace.host() {
        Ok(host) => of_host(&host, question, kind),
        Err(failure) => return DebugReply::Failed(failure.data.message.clone()),
    };
    match answered {
        Ok(answer) => DebugReply::Answered(Box::new(answer)),
        Err(error) => DebugReply::Failed(error.to_string()),
    }
}

fn of_host(host: &Host, question: DebugQuestion, kind: &str) -> Result<DebugAnswer, DebugError> {
    Ok(match question {
        DebugQuestion::Queries { since, exact } => {
            DebugAnswer::Queries(queries(host.query_report(since, exact)?, since, kind))
        }
        DebugQuestion::Explain { path, text } => {
            let parsed =
                ProjectPath::new(path.trim_start_matches('/')).map_err(|_| DebugError::Absent(path.clone()))?;
            DebugAnswer::Explain(explained(path, host.explain_edit(&parsed, &text)?))
        }
        DebugQuestion::Query { name, key } => {
            let traced = host.trace_query(&name, &key)?;
            DebugAnswer::Query(QueryAnswer {
                query: traced.query.to_owned(),
                key: traced.key,
                value: traced.value,
                reads: traced.reads,
                readers: traced.readers,
            })
        }
        DebugQuestion::Graph => {
            let taken = host.query_edges()?;
            let edges = taken.edges.into_iter().map(|((from, to), count)| EdgeLine { from, to, count });
            let report = taken.report;
            let rows = report.queries.into_iter().chain(report.inputs).chain(report.interned);
            DebugAnswer::Graph(GraphAnswer { edges: edges.collect(), queries: rows.map(line).collect() })
        }
        DebugQuestion::Views => DebugAnswer::Views(views(host)),
        DebugQuestion::Index => DebugAnswer::Index(index(host)?),
    })
}

fn queries(report: QueryReport, since: Option<u64>, kind: &str) -> QueriesAnswer {
    let QueryReport { generation, files, report, generations } = report;
    let lines = |rows: Vec<Row>| rows.into_iter().map(line).collect();
    let did = |rows: Vec<(&'static str, Totals)>| {
        rows.into_iter().map(|(name, totals)| (name.to_owned(), counts(&totals))).collect()
    };
    let generations = generations.into_iter().map(|(generation, rows)| GenerationLine { generation, did: did(rows) });
    QueriesAnswer {
        generation,
        files,
        since,
        exact: report.exact,
        answered_by: AnsweredBy { kind: kind.to_owned(), pid: std::process::id() },
        generations: generations.collect(),
        queries: lines(report.queries),
        inputs: lines(report.inputs),
        interned: lines(report.interned),
    }
}

/// Nanoseconds as microseconds, the nearest.
fn micros(nanos: u64) -> u64 {
    (nanos + 500) / 1000
}

fn counts(totals: &Totals) -> CountLine {
    CountLine {
        executed: totals.executed,
        validated: totals.validated,
        backdated: totals.backdated,
        reused: totals.reused,
        evicted: totals.evicted,
        time_us: micros(totals.nanos),
        own_us: micros(totals.own_nanos),
    }
}

fn line(row: Row) -> QueryLine {
    QueryLine {
        name: row.name.to_owned(),
        purpose: row.purpose.to_owned(),
        counts: counts(&row.totals),
        mean_us: micros(row.totals.mean_nanos()),
        worst_us: micros(row.totals.worst_nanos),
        memos: row.memos,
        bytes: row.own + row.heap,
        own_bytes: row.own,
        heap_bytes: row.heap,
    }
}

fn explained(path: String, explanation: Explanation) -> ExplainAnswer {
    let counts = explanation.counts.into_iter().map(|(name, counted)| {
        let line =
            CountedLine { executed: counted.executed, validated: counted.validated, backdated: counted.backdated };
        (name.to_owned(), line)
    });
    ExplainAnswer {
        path,
        asked: explanation.asked.into_iter().map(branch).collect(),
        untouched: explanation.untouched,
        counts: counts.collect(),
    }
}

fn branch(branch: Branch) -> BranchLine {
    let (outcome, time_us, equal) = match branch.outcome {
        Outcome::Ran { nanos, equal, .. } => ("ran", Some(micros(nanos)), equal),
        Outcome::Validated => ("validated", None, None),
        Outcome::Reused => ("reused", None, None),
    };
    BranchLine {
        query: branch.query.to_owned(),
        key: branch.key,
        outcome: outcome.to_owned(),
        time_us,
        equal,
        why: branch.why,
        below: branch.below.into_iter().map(self::branch).collect(),
        validated: branch.validated,
    }
}

fn views(host: &Host) -> ViewsAnswer {
    let state = host.views_state();
    let views = state.views.into_iter().map(|row| ViewLine {
        id: row.id,
        generation: row.generation,
        files: row.files,
        expires: row.expires,
        bytes: row.bytes,
    });
    ViewsAnswer {
        generation: state.generation,
        current: state.current,
        views: views.collect(),
        bytes: state.bytes,
        views_max: state.bounds.0,
        bytes_max: state.bounds.1,
    }
}

fn index(host: &Host) -> Result<IndexAnswer, DebugError> {
    let state = host.index_state()?;
    Ok(IndexAnswer {
        generation: state.generation,
        files: state.search.files,
        rows: state.search.rows,
        segments: state.search.segments,
        bytes: state.search.bytes,
        memory: state.search.memory,
        parts: state.parts.into_iter().collect(),
        trigrams: (state.patterns.prepared, state.patterns.total),
        vectors: state.vectors,
        facts: state.facts.map(|kept| (kept.records, kept.bytes)),
        extracted: state.work.0,
        restored: state.work.1,
    })
}
