//! The vector ranking of a state: whether there is one, and its search. Vectors are made behind the answers
//! ([`crate::embedder`]); a state has those of all of its files, or says how far they have got and ranks without them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use query_graph::DirectoryManifest;
use rift_base::{EmbeddingConfig, ProjectPath, VectorConfig};
use rift_index::{Model, ModelError, Nearest, NearestBounds, VectorTable};

use crate::lane::differences;
use crate::publication::Preparation;
use crate::signal::Signal;
use crate::view::View;

/// Whether a state ranks by vectors.
#[derive(Clone, Default)]
pub enum Vectors {
    /// No model is stated.
    #[default]
    Off,
    /// It does not, and why: there is no model that can be used. This holds until the configuration names another one.
    Unavailable(Arc<str>),
    /// It does not: there are so many texts to embed, more than `max_vectors`.
    TooMany(u64),
    /// Not yet.
    Preparing(VectorProgress),
    /// It does.
    Ready(Arc<Ranker>),
}

/// How far vectors have got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorProgress {
    /// Files whose vectors are made.
    pub prepared: u64,
    /// All files.
    pub total: u64,
    /// When the rest will be, by the pace so far.
    pub ready_in: Duration,
}

/// A model, and the vectors of all files of one tree by it.
pub struct Ranker {
    pub(crate) model: Arc<Model>,
    pub(crate) table: VectorTable,
    /// What the vectors were made with.
    pub(crate) space: String,
}

/// Files that are embedded in a second, before any was timed.
const PACE: u64 = 500;

impl Vectors {
    /// What of it is in a view's identity: a state that ranks otherwise is another one.
    pub(crate) fn mark(&self) -> Option<String> {
        match self {
            Self::Off => None,
            Self::Unavailable(_) | Self::TooMany(_) => Some("no vectors".to_owned()),
            Self::Preparing(progress) => Some(format!("vectors of {} files", progress.prepared)),
            Self::Ready(ranker) => Some(format!("vectors by {}", ranker.space)),
        }
    }

    pub(crate) fn preparing(prepared: u64, total: u64, pace: Option<f64>) -> Self {
        let seconds = total.saturating_sub(prepared) as f64 * pace.unwrap_or(1.0 / PACE as f64);
        let ready_in = Duration::from_secs(seconds.ceil().clamp(1.0, 86_400.0) as u64);
        Self::Preparing(VectorProgress { prepared: prepared.min(total), total, ready_in })
    }
}

/// The vectors as the writer keeps them.
pub(crate) struct LaneVectors {
    pub(crate) state: Vectors,
    pub(crate) signal: Arc<Signal>,
    /// The tree that they are of, and the model that was asked for.
    pub(crate) described: Option<(Arc<DirectoryManifest>, EmbeddingConfig)>,
    /// Whether anything makes them: a host that answers one question does not.
    is_kept: bool,
}

impl LaneVectors {
    pub(crate) fn new(is_kept: bool) -> Self {
        Self { state: Vectors::Off, signal: Arc::default(), described: None, is_kept }
    }

    /// Takes over the tree that is published next.
    pub(crate) fn over(
        &mut self,
        config: &VectorConfig,
        tree: &Arc<DirectoryManifest>,
        preparation: Option<Preparation>,
    ) {
        let Some(wanted) = config.wanted() else {
            if !matches!(self.state, Vectors::Off) {
                // What is held of a model is let go.
                self.signal.raise();
            }
            (self.state, self.described) = (Vectors::Off, None);
            return;
        };
        if !self.is_kept {
            let reason = "a command that answers by itself makes no vectors; a running server (rift mcp) does";
            self.state = Vectors::Unavailable(reason.into());
            return;
        }
        let described = self.described.as_ref().filter(|(_, model)| model == wanted).map(|(tree, _)| tree);
        let is_current = described.is_some_and(|described| Arc::ptr_eq(described, tree) || **described == **tree);
        match &self.state {
            Vectors::Ready(_) | Vectors::TooMany(_) if is_current => return,
            // A model of many megabytes is not read again for each edit.
            Vectors::Unavailable(_) if described.is_some() => return,
            _ => {
                let prepared = described.map_or(0, |described| {
                    let mut different = BTreeMap::new();
                    differences(described, tree, &mut different);
                    tree.total.saturating_sub(different.len() as u64)
                });
                self.state = Vectors::preparing(prepared, tree.total, None);
            }
        }
        if preparation.is_none() {
            self.signal.raise();
        }
    }
}

impl View {
    /// Whether it ranks by vectors.
    pub fn vectors(&self) -> &Vectors {
        &self.publication.vectors
    }

    /// The rows nearest to `text`, nearest first; absent when the view does not rank by vectors. Files that a request names
    /// beside the index have none.
    ///
    /// # Errors
    /// [`ModelError`] when the model cannot embed `text`.
    pub fn nearest(
        &self,
        text: &str,
        bounds: NearestBounds,
        reaches: impl Fn(&ProjectPath, Option<u32>) -> bool,
    ) -> Result<Option<Vec<Nearest>>, ModelError> {
        let Vectors::Ready(ranker) = self.vectors() else { return Ok(None) };
        let query = ranker.model.embed(&[text.to_owned()])?;
        Ok(Some(ranker.table.nearest(&query, bounds, reaches)))
    }
}
