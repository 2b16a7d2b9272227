//! The host itself: opening a workspace, its current view, its views by identity, and its background preparation.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use query_graph::{Counters, Db as _, FactWork, Ground, RootDatabase};
use rift_base::{Deadline, Interrupt, ProjectPath};
use rift_index::Searcher;
use rift_workspace::{Moved, Root};

use crate::accepted::Accepted;
use crate::cache::default_cache_base;
use crate::change::apply;
use crate::clock::Clock;
use crate::committer::Committer;
use crate::embedder::Embedder;
use crate::error::{HostError, HostErrorClass};
use crate::filler::Filler;
use crate::follow;
use crate::freshness::{Faults, Following, Freshness};
use crate::gate::Gate;
use crate::hubs::{Counter, Counting, ReferenceCounts};
use crate::lane::Lane;
use crate::patterns::LanePatterns;
use crate::publication::{Preparation, Publication, context};
use crate::stale::Stale;
use crate::status::HostStatus;
use crate::stores::{Kept, KeptFacts, Stores};
use crate::texts::Texts;
use crate::toolchains::Toolchains;
use crate::trees::Trees;
use crate::vectors::LaneVectors;
use crate::view::{View, ViewError};
use crate::views::Views;

/// How a host is opened.
#[derive(Debug, Clone, Default)]
pub struct HostOptions {
    /// Where the folder of the index is made; absent for the user's cache folder.
    pub cache_base: Option<PathBuf>,
    /// Worker threads of the preparation; 0 for one per processor.
    pub threads: usize,
    /// How the host keeps up with the tree once it is prepared.
    pub following: Following,
    /// Whether the parse for a file's facts gives its binding facts too: for a host that will be asked for them.
    pub binds: bool,
    /// Where the times come from at which views expire.
    pub clock: Clock,
    /// Faults that tests switch on.
    #[doc(hidden)]
    pub faults: Faults,
}

/// One workspace being served.
pub struct Host {
    pub(crate) shared: Arc<Shared>,
    root: Root,
    lane: Mutex<Option<JoinHandle<()>>>,
    // Commits what is staged and ends when it is dropped.
    _committer: Committer,
    // Ends when it is dropped.
    _filler: Option<Filler>,
    // Ends when it is dropped.
    _counter: Option<Counter>,
    // Ends when it is dropped.
    _embedder: Option<Embedder>,
}

/// What requests and the writer share.
pub(crate) struct Shared {
    pub(crate) gate: Gate,
    /// The counters of the gate's database, which are read without it.
    pub(crate) counters: RwLock<Counters>,
    pub(crate) trees: Trees,
    pub(crate) texts: Texts,
    pub(crate) toolchains: Toolchains,
    pub(crate) views: Views,
    pub(crate) freshness: Freshness,
    pub(crate) counting: Counting,
    pub(crate) facts: Arc<KeptFacts>,
    /// What revisions may weigh before dead ones are looked for.
    pub(crate) renew_at: AtomicU64,
    current: RwLock<Arc<Publication>>,
    lane: Mutex<Lane>,
    state: Mutex<State>,
    moved: Condvar,
}

/// Where preparation stands.
#[derive(Default)]
struct State {
    progress: Option<Preparation>,
    finished: bool,
    /// What ended the last attempt.
    failure: Option<Arc<HostError>>,
}

/// The part of a request's time that is left to answer it after waiting for the tree: one in so many.
const ANSWER_SHARE: u32 = 10;

impl Host {
    /// Opens the workspace at `root`: reads its configuration, publishes an empty state and returns. Nothing is prepared
    /// until [`Host::prepare_in_background`]. A configuration that does not hold refuses reads until it is mended.
    pub fn open(root: Root, options: &HostOptions) -> Result<Host, HostError> {
        let freshness = Freshness::new(&root.path, options.following, options.faults);
        let (accepted, failure) = match Accepted::load(&root.path) {
            Ok(accepted) => (accepted, None),
            Err(error) => (Accepted::none()?, Some(Arc::new(error))),
        };
        let config = accepted.config;
        let base = options.cache_base.clone().unwrap_or_else(default_cache_base);
        let stores = Stores::claim(&root.path, base)?;
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            stated => stated,
        };
        let facts = stores.facts();
        let mut db = RootDatabase::with_store(Some(facts.clone()));
        if options.binds {
            db = db.binding();
        }
        let name = root.path.file_name().and_then(|n| n.to_str()).unwrap_or("workspace").to_owned();
        let ground = Ground::new(&mut db, &name, config.clone(), accepted.languages.clone());
        let counters = RwLock::new(db.counters().clone());
        let gate = Gate::new(db);
        let mut lane = Lane {
            root: root.path.clone(),
            context: context(&root.path),
            name,
            ground,
            index: None,
            chunk_max: 0,
            config,
            config_digest: accepted.digest,
            languages: accepted.languages,
            rules: accepted.rules,
            stamps: Default::default(),
            owed: Default::default(),
            omissions: Default::default(),
            generation: 0,
            threads,
            committer: Arc::default(),
            patterns: LanePatterns::new(options.following != Following::Told, options.faults.forget_rows),
            vectors: LaneVectors::new(options.following != Following::Told),
            stores,
        };
        let empty = lane.publication(&gate, Searcher::default(), Some(Preparation { prepared: 0, total: None }));
        let shared = Shared {
            gate,
            counters,
            trees: Trees::default(),
            texts: Texts::default(),
            toolchains: Toolchains::default(),
            views: Views::new(options.clock.clone()),
            freshness,
            counting: Counting::default(),
            facts,
            renew_at: AtomicU64::new(0),
            current: RwLock::new(empty),
            lane: Mutex::new(lane),
            state: Mutex::new(State { failure, ..State::default() }),
            moved: Condvar::new(),
        };
        let shared = Arc::new(shared);
        let committer = Committer::start(shared.clone());
        let filler = (options.following != Following::Told).then(|| Filler::start(shared.clone()));
        let embedder = (options.following != Following::Told).then(|| Embedder::start(shared.clone()));
        let counter = options.binds.then(|| Counter::start(&shared));
        Ok(Host {
            shared,
            root,
            lane: Mutex::default(),
            _committer: committer,
            _filler: filler,
            _counter: counter,
            _embedder: embedder,
        })
    }

    /// Starts the thread that prepares the workspace and then keeps up with it. Call once.
    pub fn prepare_in_background(&self) {
        let shared = self.shared.clone();
        let thread = std::thread::spawn(move || follow::run(&shared));
        *self.lane.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
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

    /// The newest view, whatever has moved since it was published.
    ///
    /// # Errors
    /// What ended preparation.
    pub fn current(&self) -> Result<View, Arc<HostError>> {
        match &self.shared.state().failure {
            Some(failure) => Err(failure.clone()),
            None => Ok(self.shared.view(self.shared.current(), None)),
        }
    }

    /// The view of the tree as it stands: every write that returned before this call is in it, or the view says what it
    /// is behind by ([`View::stale`]). Waits for what moved to be published, at most for `[server] readiness_timeout` and
    /// never so long that no time to answer is left. While the workspace is being prepared nothing is waited for; the
    /// view says so ([`View::preparation`]).
    ///
    /// # Errors
    /// A configuration that does not hold, or a bound that is passed, until it is mended; what ended preparation.
    pub fn capture(&self, deadline: &Deadline) -> Result<View, Arc<HostError>> {
        let shared = &self.shared;
        let freshness = &shared.freshness;
        let (finished, failure) = {
            let state = shared.state();
            (state.finished, state.failure.clone())
        };
        if freshness.following == Following::Told {
            return self.current();
        }
        if !finished && failure.is_none() {
            let view = self.current()?;
            // The preparation may have ended meanwhile: a complete state is held against the tree like any other.
            if view.preparation().is_some() {
                return Ok(view);
            }
        }
        let ticket = freshness.look();
        let (standing, done) = freshness.wait_for(ticket, self.budget(deadline), deadline);
        let publication = shared.current();
        let failed = standing.failure.clone();
        let restless = standing.restless.clone();
        let behind = if done && failed.is_none() { Moved::default() } else { standing.behind() };
        drop(standing);
        if failure.is_some() {
            return self.current();
        }
        let (root, tree) = (&self.root.path, &publication.tree);
        let stale = match failed {
            Some(error) if refuses(&error) => return Err(error),
            Some(error) => Some(Stale::failed(root, tree, &behind, &error)),
            None if !done => Some(Stale::behind(root, tree, &behind)),
            None if !restless.is_empty() => Some(Stale::restless(root, tree, &restless)),
            None => None,
        };
        Ok(shared.view(publication, stale))
    }

    /// How long a read may wait for the tree.
    fn budget(&self, deadline: &Deadline) -> Duration {
        let readiness = self.shared.current().config.server.readiness_timeout;
        deadline.remaining().map_or(readiness, |left| readiness.min(left - left / ANSWER_SHARE))
    }

    /// The view called `id`.
    pub fn view(&self, id: &str) -> Result<View, ViewError> {
        if !id.starts_with(&context(&self.root.path)) {
            return Err(ViewError::Context);
        }
        let publication = self.shared.views.get(id).ok_or(ViewError::Expired)?;
        Ok(self.shared.view(publication, None))
    }

    /// Reads the named files again and publishes what changed. Answers whether anything did.
    pub fn refresh(&self, paths: &[ProjectPath]) -> Result<bool, HostError> {
        self.shared.apply(&Moved { files: paths.iter().cloned().collect(), ..Moved::default() })
    }

    /// Compares the whole workspace with what is published, by stamps, and publishes what changed. Answers whether
    /// anything did.
    pub fn rescan(&self) -> Result<bool, HostError> {
        self.shared.apply(&Moved { all: true, ..Moved::default() })
    }

    /// Where the host stands, for people.
    pub fn status(&self) -> HostStatus {
        let (progress, finished, failure) = {
            let state = self.shared.state();
            (state.progress, state.finished, state.failure.clone())
        };
        let failure = failure.or_else(|| self.shared.freshness.lock().failure.clone());
        HostStatus::new(&self.shared, progress.filter(|_| !finished), failure.as_deref())
    }

    /// Texts that were parsed for their facts, and facts that were restored from the store.
    pub fn fact_work(&self) -> FactWork {
        self.shared.gate.read(|db| db.fact_work().clone())
    }

    /// The facts that are stored for the next start; absent where nothing is kept, or nothing was opened yet.
    pub fn kept_facts(&self) -> Option<Kept> {
        self.shared.facts.kept()
    }

    /// Whether references are counted here at all: in a host that was opened for bindings.
    pub fn counts_references(&self) -> bool {
        self.shared.counting.is_counting()
    }

    /// How often what is referred to in the tree of `view`: waits for the count, like a read waits for the tree, and answers the
    /// count before it when that takes longer. Absent before the first count, while `view` is being prepared, and always in a
    /// host that was not opened for bindings.
    pub fn reference_counts(&self, view: &View, deadline: &Deadline) -> Option<Arc<ReferenceCounts>> {
        let (counting, tree) = (&self.shared.counting, view.tree().digest);
        let counts = counting.counts();
        let is_current = counts.as_ref().is_some_and(|counts| counts.tree == tree);
        if is_current || view.preparation().is_some() || !counting.is_counting() {
            return counts;
        }
        counting.raise();
        counting.wait_for(tree, self.budget(deadline))
    }

    /// Runs `work` and says what the database executed meanwhile, as `query(/path)`, sorted.
    pub fn executed<R>(&self, work: impl FnOnce() -> R) -> (R, Vec<String>) {
        self.shared.gate.read(|db| db.counters().start_log());
        let result = work();
        (result, self.shared.gate.read(|db| db.counters().take_log(db)))
    }
}

/// Whether a failure refuses reads: what the user asked for cannot be had, and nothing else is served in its place.
fn refuses(error: &HostError) -> bool {
    matches!(error.class(), HostErrorClass::Configuration | HostErrorClass::Limit { .. })
}

impl Drop for Host {
    fn drop(&mut self) {
        self.shared.freshness.stop();
        let thread = self.lane.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A preparation is not waited for; it ends with its process.
        if let Some(thread) = thread.filter(|_| self.shared.state().finished) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn view(self: &Arc<Self>, publication: Arc<Publication>, stale: Option<Stale>) -> View {
        View { publication, stale: stale.map(Arc::new), shared: self.clone(), deadline: Deadline::never() }
    }

    pub(crate) fn current(&self) -> Arc<Publication> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn publish(&self, publication: Arc<Publication>) {
        self.swap(publication).resolved.close();
    }

    /// Publishes, and gives back what was published before.
    pub(crate) fn swap(&self, publication: Arc<Publication>) -> Arc<Publication> {
        std::mem::replace(&mut *self.current.write().unwrap_or_else(PoisonError::into_inner), publication)
    }

    fn apply(&self, moved: &Moved) -> Result<bool, HostError> {
        let mut lane = self.lane();
        let applied = apply(self, &mut lane, moved)?;
        let changed = applied.publication.is_some();
        if let Some(publication) = applied.publication {
            self.publish(publication);
        }
        Ok(changed)
    }

    /// The writer's side; waits for whoever holds it.
    pub(crate) fn lane(&self) -> std::sync::MutexGuard<'_, Lane> {
        self.lane.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The writer's side, when nobody holds it.
    pub(crate) fn try_lane(&self) -> Option<std::sync::MutexGuard<'_, Lane>> {
        self.lane.try_lock().ok()
    }

    /// Puts `searcher`, which answers as the current one does, in its place. Only the lane's holder may.
    pub(crate) fn replace_searcher(&self, searcher: Searcher) {
        self.replace(self.current().with_searcher(searcher));
    }

    /// Puts `publication`, which answers as the current one does, in its place. Only the lane's holder may.
    pub(crate) fn replace(&self, publication: Publication) {
        let publication = Arc::new(publication);
        self.views.replace(&publication);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = publication;
    }

    pub(crate) fn progress(&self, progress: Preparation) {
        self.state().progress = Some(progress);
        self.moved.notify_all();
    }

    /// An attempt to prepare begins under an accepted configuration.
    pub(crate) fn begin(&self) {
        let mut state = self.state();
        if state.failure.as_ref().is_some_and(|failure| failure.class() == HostErrorClass::Configuration) {
            state.failure = None;
        }
    }

    /// An attempt to prepare has ended.
    pub(crate) fn finish(&self, failure: Option<HostError>) {
        let mut state = self.state();
        state.finished = failure.is_none();
        state.failure = failure.map(Arc::new);
        self.moved.notify_all();
        drop(state);
        self.counting.raise();
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
