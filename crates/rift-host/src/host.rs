//! The host itself: opening a workspace, its current view, its views by identity, and its background preparation.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use query_graph::{Ground, RootDatabase};
use rift_base::{Deadline, Interrupt, ProjectPath};
use rift_index::{Index, IndexOptions};
use rift_workspace::{IndexRules, LanguageMap, Root, load_config};

use crate::cache::{CacheFolder, default_cache_base};
use crate::error::HostError;
use crate::gate::Gate;
use crate::lane::Lane;
use crate::prepare;
use crate::publication::{Preparation, Publication, context};
use crate::texts::Texts;
use crate::trees::Trees;
use crate::view::{View, ViewError};

/// Views that stay readable, newest last.
const VIEWS_MAX: usize = 64;

/// How a host is opened.
#[derive(Debug, Clone, Default)]
pub struct HostOptions {
    /// Where the folder of the index is made; absent for the user's cache folder.
    pub cache_base: Option<PathBuf>,
    /// Worker threads of the preparation; 0 for one per processor.
    pub threads: usize,
}

/// One workspace being served.
pub struct Host {
    shared: Arc<Shared>,
    root: Root,
}

/// What requests and the writer share.
pub(crate) struct Shared {
    pub(crate) gate: Gate,
    pub(crate) trees: Trees,
    pub(crate) texts: Texts,
    current: RwLock<Arc<Publication>>,
    views: Mutex<VecDeque<Arc<Publication>>>,
    lane: Mutex<Lane>,
    state: Mutex<State>,
    moved: Condvar,
}

/// Where preparation stands, and how the tree was found last.
#[derive(Default)]
struct State {
    progress: Option<Preparation>,
    finished: bool,
    /// What ended preparation.
    failure: Option<Arc<HostError>>,
    /// What the last look at the tree met; it stands until a look succeeds.
    lapse: Option<Arc<HostError>>,
    /// When the tree is looked at again.
    look_at: Option<Instant>,
}

/// A publication is taken for the tree for this long.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Looking at the tree takes at most one part in so many of the time.
const LOOK_SHARE: u32 = 20;

impl Host {
    /// Opens the workspace at `root`: reads its configuration, publishes an empty state and returns. Nothing is prepared
    /// until [`Host::prepare_in_background`].
    pub fn open(root: Root, options: &HostOptions) -> Result<Host, HostError> {
        let loaded = load_config(&root.path)?;
        let languages = Arc::new(LanguageMap::new(&loaded.config)?);
        let rules = Arc::new(IndexRules::new(&loaded.config)?);
        let config = Arc::new(loaded.config);
        let base = options.cache_base.clone().unwrap_or_else(default_cache_base);
        let folder = CacheFolder::create(&base, &root.path)?;
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            stated => stated,
        };
        let chunk_max = usize::try_from(config.search.text_max_chunk).unwrap_or(usize::MAX);
        let index = Index::create(folder.path(), IndexOptions { threads: 1, chunk_max, ..IndexOptions::default() })?;
        let mut db = RootDatabase::new();
        let name = root.path.file_name().and_then(|n| n.to_str()).unwrap_or("workspace").to_owned();
        let ground = Ground::new(&mut db, &name, config.clone(), languages.clone());
        let gate = Gate::new(db);
        let searcher = index.searcher();
        let mut lane = Lane {
            root: root.path.clone(),
            context: context(&root.path),
            ground,
            index: Some(index),
            config,
            config_digest: loaded.digest,
            languages,
            rules,
            stamps: Default::default(),
            omitted: Arc::from([]),
            generation: 0,
            threads,
            _folder: folder,
        };
        let empty = lane.publication(&gate, searcher, Some(Preparation { prepared: 0, total: None }));
        let shared = Shared {
            gate,
            trees: Trees::default(),
            texts: Texts::default(),
            views: Mutex::new(VecDeque::from([empty.clone()])),
            current: RwLock::new(empty),
            lane: Mutex::new(lane),
            state: Mutex::default(),
            moved: Condvar::new(),
        };
        Ok(Host { shared: Arc::new(shared), root })
    }

    /// Starts preparation on a thread of its own. Call once.
    pub fn prepare_in_background(&self) {
        let shared = self.shared.clone();
        std::thread::spawn(move || {
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut lane = shared.lane.lock().unwrap_or_else(PoisonError::into_inner);
                prepare::prepare(&shared, &mut lane)
            }));
            shared.finish(outcome.unwrap_or(Err(HostError::Internal)).err());
        });
    }

    /// Waits until preparation has ended, calling `report` as it moves. `Err` with the interrupt when the deadline
    /// passes first.
    pub fn wait_prepared(
        &self,
        deadline: &Deadline,
        mut report: impl FnMut(Preparation),
    ) -> Result<Result<(), Arc<HostError>>, Interrupt> {
        let mut state = self.shared.state();
        loop {
            if let Some(failure) = &state.failure {
                return Ok(Err(failure.clone()));
            }
            if state.finished {
                return Ok(Ok(()));
            }
            if let Some(progress) = state.progress {
                report(progress);
            }
            deadline.check()?;
            // Bounded, so that a cancellation is noticed.
            let wait = deadline.remaining().unwrap_or(Duration::MAX).min(Duration::from_millis(50));
            state = self.shared.moved.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The workspace's root directory and why it is the root.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// The newest view.
    ///
    /// # Errors
    /// What ended preparation.
    pub fn current(&self) -> Result<View, Arc<HostError>> {
        {
            let state = self.shared.state();
            if let Some(failure) = state.failure.as_ref().or(state.lapse.as_ref()) {
                return Err(failure.clone());
            }
        }
        Ok(View { publication: self.shared.current(), shared: self.shared.clone() })
    }

    /// The view called `id`.
    pub fn view(&self, id: &str) -> Result<View, ViewError> {
        let own = context(&self.root.path);
        if !id.starts_with(&own) {
            return Err(ViewError::Context);
        }
        let views = self.shared.views.lock().unwrap_or_else(PoisonError::into_inner);
        let publication = views.iter().rev().find(|p| p.view_id == id).cloned().ok_or(ViewError::Expired)?;
        Ok(View { publication, shared: self.shared.clone() })
    }

    /// Reads the named files again and publishes what changed. Answers whether anything did.
    pub fn refresh(&self, paths: &[ProjectPath]) -> Result<bool, HostError> {
        let mut lane = self.shared.lane.lock().unwrap_or_else(PoisonError::into_inner);
        prepare::refresh(&self.shared, &mut lane, paths)
    }

    /// Compares the whole workspace with what is published, by stamps, and publishes what changed. Answers whether
    /// anything did.
    pub fn rescan(&self) -> Result<bool, HostError> {
        let mut lane = self.shared.lane.lock().unwrap_or_else(PoisonError::into_inner);
        prepare::rescan(&self.shared, &mut lane)
    }

    /// Looks at the tree when the last look is more than a second old (longer for a tree that takes long to look at), and
    /// publishes what changed. An edit is thus in answers at the latest that long after it was made. Returns at once
    /// while the workspace is being prepared, or while another request looks.
    ///
    /// A look that fails (an invalid `rift.toml`, a bound that is passed) refuses reads until one succeeds.
    pub fn catch_up(&self) {
        {
            let state = self.shared.state();
            let due = state.look_at.is_some_and(|at| Instant::now() >= at);
            if !state.finished || state.failure.is_some() || !due {
                return;
            }
        }
        let Ok(mut lane) = self.shared.lane.try_lock() else { return };
        let start = Instant::now();
        let outcome = prepare::rescan(&self.shared, &mut lane);
        let cost = start.elapsed();
        drop(lane);
        let mut state = self.shared.state();
        state.look_at = Some(Instant::now() + LOOK_EVERY.max(cost * LOOK_SHARE));
        state.lapse = outcome.err().map(Arc::new);
    }

    /// Runs `work` and says what the database executed meanwhile, as `query(/path)`, sorted.
    pub fn executed<R>(&self, work: impl FnOnce() -> R) -> (R, Vec<String>) {
        use query_graph::Db as _;
        self.shared.gate.read(|db| db.counters().start_log());
        let result = work();
        (result, self.shared.gate.read(|db| db.counters().take_log(db)))
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn current(&self) -> Arc<Publication> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn publish(&self, publication: Arc<Publication>) {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        views.push_back(publication.clone());
        while views.len() > VIEWS_MAX {
            views.pop_front();
        }
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = publication;
    }

    pub(crate) fn progress(&self, progress: Preparation) {
        self.state().progress = Some(progress);
        self.moved.notify_all();
    }

    fn finish(&self, failure: Option<HostError>) {
        let mut state = self.state();
        state.finished = true;
        state.look_at = Some(Instant::now() + LOOK_EVERY);
        state.failure = failure.map(Arc::new);
        self.moved.notify_all();
    }
}

/// The root that a caller names.
pub fn stated_root(named: &Path) -> Result<Root, HostError> {
    Ok(rift_workspace::stated_root(named)?)
}

/// The root that `start` lies in.
pub fn find_root(start: &Path) -> Result<Root, HostError> {
    Ok(rift_workspace::find_root(start)?)
}
