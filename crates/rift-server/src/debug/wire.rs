//! Questions and answers as they travel. Times are in microseconds, sizes in bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is asked of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum DebugQuestion {
    /// The counters.
    Queries {
        /// Only what came after this generation was published.
        since: Option<u64>,
        /// Sizes by salsa's own report, for which readers stop.
        exact: bool,
    },
    /// What an edit would run.
    Explain {
        /// The file, relative to the root.
        path: String,
        /// Its new text.
        text: String,
    },
    /// One memo.
    Query {
        /// The query.
        name: String,
        /// Its key.
        key: String,
    },
    /// The edges between queries.
    Graph,
    /// The views.
    Views,
    /// The index.
    Index,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DebugReply {
    /// The answer.
    Answered(Box<DebugAnswer>),
    /// Why there is none.
    Failed(String),
}

/// An answer, of the question's kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DebugAnswer {
    /// The counters.
    Queries(QueriesAnswer),
    /// What an edit would run.
    Explain(ExplainAnswer),
    /// One memo.
    Query(QueryAnswer),
    /// The edges between queries.
    Graph(GraphAnswer),
    /// The views.
    Views(ViewsAnswer),
    /// The index.
    Index(IndexAnswer),
}

/// Whose counters they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnsweredBy {
    /// `server`, or `command` for a process that only answers this.
    pub kind: String,
    /// The process.
    pub pid: u32,
}

/// The counters of a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueriesAnswer {
    /// The newest publication.
    pub generation: u64,
    /// Its files.
    pub files: u64,
    /// The generation after which was counted; absent for the whole time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub since: Option<u64>,
    /// Whether sizes are salsa's own.
    pub exact: bool,
    /// Who answered.
    pub answered_by: AnsweredBy,
    /// Queries, by name.
    pub queries: Vec<QueryLine>,
    /// Inputs: `executed` counts the fields that were set, `reused` those that were read, `memos` the inputs.
    pub inputs: Vec<QueryLine>,
    /// Interned keys: `executed` counts new ones, `reused` known ones, `memos` all.
    pub interned: Vec<QueryLine>,
    /// What was done for each of the last generations, oldest first.
    pub generations: Vec<GenerationLine>,
}

/// One query, input or kind of key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryLine {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub purpose: String,
    /// What it did.
    #[serde(flatten)]
    pub counts: CountLine,
    /// Microseconds of a run, on the average.
    pub mean_us: u64,
    /// Microseconds of the longest run of the whole time.
    pub worst_us: u64,
    /// Memos that there are.
    pub memos: u64,
    /// Bytes of them, in all.
    pub bytes: u64,
    /// Bytes without the heap.
    pub own_bytes: u64,
    /// Bytes on the heap.
    pub heap_bytes: u64,
}

/// What one query did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountLine {
    /// Bodies that ran.
    pub executed: u64,
    /// Memos of an earlier revision that were found current.
    pub validated: u64,
    /// Runs whose value equals the one before.
    pub backdated: u64,
    /// Calls that found a current memo.
    pub reused: u64,
    /// Memos that were dropped.
    pub evicted: u64,
    /// Microseconds of all runs, with the queries that they asked.
    pub time_us: u64,
    /// Microseconds without them.
    pub own_us: u64,
}

/// What was done from one publication to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenerationLine {
    /// The publication.
    pub generation: u64,
    /// What did anything, by name.
    pub did: BTreeMap<String, CountLine>,
}

/// What an edit would run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainAnswer {
    /// The file.
    pub path: String,
    /// The questions that something runs for.
    pub asked: Vec<BranchLine>,
    /// Questions that nothing runs for.
    pub untouched: u64,
    /// How often each query ran, was validated and came out equal.
    pub counts: BTreeMap<String, CountedLine>,
}

/// How often a query did what, for one edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CountedLine {
    /// Bodies that ran.
    pub executed: u64,
    /// Memos found current.
    pub validated: u64,
    /// Runs with an equal value.
    pub backdated: u64,
}

/// One query on the way of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchLine {
    /// The query.
    pub query: String,
    /// Its key.
    pub key: String,
    /// `ran`, `validated` or `reused`.
    pub outcome: String,
    /// Microseconds that it ran, with the queries that it asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time_us: Option<u64>,
    /// Whether the value equals the one before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub equal: Option<bool>,
    /// Why.
    pub why: String,
    /// What it looked at, as far as anything ran there.
    pub below: Vec<BranchLine>,
    /// Further memos that it found current.
    pub validated: u64,
}

/// One memo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryAnswer {
    /// The query.
    pub query: String,
    /// Its key.
    pub key: String,
    /// Its value, as indented text.
    pub value: String,
    /// What it read: names and keys.
    pub reads: Vec<(String, String)>,
    /// Who reads it.
    pub readers: Vec<(String, String)>,
}

/// The edges between queries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphAnswer {
    /// The edges, by names.
    pub edges: Vec<EdgeLine>,
    /// The queries at their ends.
    pub queries: Vec<QueryLine>,
}

/// One edge between queries.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EdgeLine {
    /// The query that reads.
    pub from: String,
    /// The query that is read, or `Input.field`.
    pub to: String,
    /// Pairs of a memo and what it read.
    pub count: u64,
}

/// The views that are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewsAnswer {
    /// The newest publication.
    pub generation: u64,
    /// Its view.
    pub current: String,
    /// The views, by expiry.
    pub views: Vec<ViewLine>,
    /// Bytes that they keep.
    pub bytes: u64,
    /// The most views.
    pub views_max: u64,
    /// The most bytes.
    pub bytes_max: u64,
}

/// One view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewLine {
    /// Its identity.
    pub id: String,
    /// The publication behind it.
    pub generation: u64,
    /// Its files.
    pub files: u64,
    /// Until when it is kept.
    pub expires: String,
    /// Bytes that only it keeps.
    pub bytes: u64,
}

/// The search index and what stands beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexAnswer {
    /// The newest publication.
    pub generation: u64,
    /// Files with rows.
    pub files: u64,
    /// Rows.
    pub rows: u64,
    /// Segments.
    pub segments: u64,
    /// Bytes on disk, or in memory for what is not committed.
    pub bytes: u64,
    /// Bytes of tables in memory.
    pub memory: u64,
    /// Bytes by part and field.
    pub parts: BTreeMap<String, u64>,
    /// Files with trigrams, and all that are searched.
    pub trigrams: (u64, u64),
    /// Files with vectors, and all; absent without a model.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub vectors: Option<(u64, u64)>,
    /// Facts in the store, and their bytes; absent where nothing is kept.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub facts: Option<(u64, u64)>,
    /// Texts that this process parsed.
    pub extracted: u64,
    /// Facts that it took from the store.
    pub restored: u64,
}
