//! `rift doctor`: what Rift makes of a workspace and of this machine. It changes nothing and starts nothing.
#![allow(clippy::disallowed_methods, reason = "it looks at the machine")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rift_base::{Config, Digest};
use rift_protocol::ErrorCode;
use rift_server::{ServerState, WatcherStatus, server_state};
use rift_workspace::{
    CONFIG_FILE, CatalogError, ConfigError, Root, RootReason, Survey, SurveyError, folder_sizes, survey,
    validate_config,
};
use serde::Serialize;

use crate::output::{error, write_out};

mod text;

/// Everything that is reported; its JSON is the command's.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    executable: Executable,
    root: RootReport,
    configuration: Configuration,
    /// Absent when the configuration or the tree is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
    watcher: Watcher,
    server: ServerState,
    storage: Storage,
    problems: Vec<Problem>,
}

#[derive(Debug, Serialize)]
struct Executable {
    path: String,
    /// SHA-256; absent when the file cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

#[derive(Debug, Serialize)]
struct RootReport {
    path: String,
    /// `rift_toml`, `git`, `start` or `stated`.
    reason: &'static str,
}

#[derive(Debug, Serialize)]
struct Configuration {
    path: String,
    /// `valid`, `absent` or `invalid`.
    state: &'static str,
    /// What is wrong, one a line.
    problems: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Source {
    ignore: Ignore,
    languages: Vec<LanguageReport>,
    files: Files,
    left_out: Vec<LeftOut>,
}

#[derive(Debug, Serialize)]
struct Ignore {
    respected: bool,
    /// The ignore files that hold.
    sources: Vec<String>,
    /// Their rules that do not hold.
    problems: Vec<RuleReport>,
}

#[derive(Debug, Serialize)]
struct RuleReport {
    file: String,
    problem: String,
}

#[derive(Debug, Serialize)]
struct LanguageReport {
    /// Absent for files of no language.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    files: u64,
    parsed: u64,
}

#[derive(Debug, Serialize)]
struct Files {
    visible: u64,
    bytes: u64,
    parsed: u64,
    searched: u64,
    directories: u64,
}

#[derive(Debug, Serialize)]
struct LeftOut {
    reason: &'static str,
    #[serde(skip)]
    describe: &'static str,
    count: u64,
    /// Some of them.
    names: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Watcher {
    /// `inotify`, or `scan` where the tree is looked at instead: the running server's way, else what a server would take.
    kind: String,
    /// Why the running server looks at the tree instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// How often the running server lost events, and looked at everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    overflows: Option<u64>,
    /// Watches that the workspace needs: one for each directory; absent without a survey.
    #[serde(skip_serializing_if = "Option::is_none")]
    watches: Option<u64>,
    limits: Limits,
}

/// The system's bounds on inotify, from `/proc/sys/fs/inotify`; absent where there are none.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Limits {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_user_watches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_user_instances: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_queued_events: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Storage {
    path: String,
    bytes: u64,
    entries: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct Problem {
    code: &'static str,
    message: String,
}

/// Looks and reports; exit status 0 without a problem, 2 with one.
pub(crate) fn run(root: Option<PathBuf>, json: bool) -> anyhow::Result<ExitCode> {
    let root = match root {
        Some(named) => rift_workspace::stated_root(&named),
        None => rift_workspace::find_root(Path::new(".")),
    };
    let root = match root {
        Ok(root) => root,
        Err(unusable) => return Ok(error(ErrorCode::ResourceNotFound, &unusable.to_string())),
    };
    let report = examine(&root)?;
    write_out(&if json { serde_json::to_string(&report)? } else { text::show(&report) })?;
    Ok(ExitCode::from(if report.problems.is_empty() { 0 } else { 2 }))
}

fn examine(root: &Root) -> anyhow::Result<Report> {
    let mut problems = Vec::new();
    let (configuration, config) = configuration(&root.path, &mut problems);
    let surveyed = config.as_ref().and_then(|config| look(&root.path, config, &mut problems));
    let server = server(root, &mut problems)?;
    let watcher = watcher(surveyed.as_ref(), limits(), running(&server), &mut problems);
    let source = surveyed.zip(config).map(|(survey, config)| source(survey, &config));
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        executable: executable(),
        root: RootReport { path: root.path.display().to_string(), reason: reason(root.reason) },
        configuration,
        source,
        watcher,
        server,
        storage: storage(&root.path, &mut problems),
        problems,
    })
}

fn executable() -> Executable {
    let path = std::env::current_exe().unwrap_or_default();
    let digest = std::fs::read(&path).ok().map(|bytes| Digest::of(&bytes).hex());
    Executable { path: path.display().to_string(), digest }
}

fn reason(reason: RootReason) -> &'static str {
    match reason {
        RootReason::RiftToml => "rift_toml",
        RootReason::Git => "git",
        RootReason::Start => "start",
        RootReason::Stated => "stated",
    }
}

fn configuration(root: &Path, problems: &mut Vec<Problem>) -> (Configuration, Option<Config>) {
    let path = root.join(CONFIG_FILE);
    let shown = path.display().to_string();
    match validate_config(&path) {
        Ok(loaded) => {
            let state = if loaded.exists { "valid" } else { "absent" };
            (Configuration { path: shown, state, problems: Vec::new() }, Some(loaded.config))
        }
        Err(refused) => {
            let listed = match &refused {
                ConfigError::Invalid(listed) => listed.iter().map(ToString::to_string).collect(),
                other => vec![other.to_string()],
            };
            let message = format!("{CONFIG_FILE} is refused, and so is every read, until it is mended");
            problems.push(Problem { code: ErrorCode::ConfigurationInvalid.word(), message });
            (Configuration { path: shown, state: "invalid", problems: listed }, None)
        }
    }
}

fn look(root: &Path, config: &Config, problems: &mut Vec<Problem>) -> Option<Survey> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    match survey(root, config, threads) {
        Ok(survey) => Some(survey),
        Err(refused) => {
            let code = match &refused {
                SurveyError::Catalog(CatalogError::LimitExceeded { .. }) => ErrorCode::LimitExceeded,
                SurveyError::Catalog(CatalogError::Root { .. }) => ErrorCode::ResourceNotFound,
                _ => ErrorCode::ConfigurationInvalid,
            };
            problems.push(Problem { code: code.word(), message: refused.to_string() });
            None
        }
    }
}

fn source(survey: Survey, config: &Config) -> Source {
    let rules = survey.rule_problems.into_iter();
    let languages = survey.languages.into_iter().map(|(language, counts)| LanguageReport {
        language: language.map(|language| language.to_string()),
        files: counts.files,
        parsed: counts.parsed,
    });
    let left_out = survey.left_out.into_iter().map(|(reason, files)| LeftOut {
        reason: reason.word(),
        describe: reason.describe(),
        count: files.count,
        names: files.names,
    });
    Source {
        ignore: Ignore {
            respected: config.source.respect_gitignore,
            sources: survey.ignore_sources,
            problems: rules.map(|rule| RuleReport { file: rule.file, problem: rule.problem }).collect(),
        },
        languages: languages.collect(),
        files: Files {
            visible: survey.files,
            bytes: survey.bytes,
            parsed: survey.parsed,
            searched: survey.searched,
            directories: survey.directories,
        },
        left_out: left_out.collect(),
    }
}

/// inotify(7) has its bounds there.
fn limits() -> Limits {
    let read = |name: &str| {
        let text = std::fs::read_to_string(Path::new("/proc/sys/fs/inotify").join(name)).ok()?;
        text.trim().parse().ok()
    };
    Limits {
        max_user_watches: read("max_user_watches"),
        max_user_instances: read("max_user_instances"),
        max_queued_events: read("max_queued_events"),
    }
}

/// How the running server learns of changes, when one answers.
fn running(server: &ServerState) -> Option<&WatcherStatus> {
    match server {
        ServerState::Serving { status, .. } => status.watcher.as_ref(),
        _ => None,
    }
}

fn watcher(
    survey: Option<&Survey>,
    limits: Limits,
    running: Option<&WatcherStatus>,
    problems: &mut Vec<Problem>,
) -> Watcher {
    let watches = survey.map(|survey| survey.directories);
    let expected = if limits.max_user_watches.is_some() { "inotify" } else { "scan" };
    let kind = running.map_or(expected, |running| &running.kind).to_owned();
    let reason = running.and_then(|running| running.reason.clone());
    let overflows = running.map(|running| running.overflows);
    if let Some(reason) = reason.as_ref().filter(|_| kind != expected) {
        let message = format!("the tree is not watched, so it is looked at before each read: {reason}");
        problems.push(Problem { code: ErrorCode::LimitExceeded.word(), message });
    } else if let (Some(needed), Some(limit)) = (watches, limits.max_user_watches)
        && needed > limit
    {
        let message = format!(
            "too few watches, so the tree is scanned for changes instead: limit {limit}, required {needed}; raise \
             fs.inotify.max_user_watches with sysctl, or leave directories out with source.exclude"
        );
        problems.push(Problem { code: ErrorCode::LimitExceeded.word(), message });
    }
    Watcher { kind, reason, overflows, watches, limits }
}

fn server(root: &Root, problems: &mut Vec<Problem>) -> anyhow::Result<ServerState> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let state = runtime.block_on(server_state(root));
    runtime.shutdown_background();
    match &state {
        ServerState::Silent { reason } => problems.push(Problem {
            code: ErrorCode::TemporarilyUnavailable.word(),
            message: format!(
                "a server holds the workspace and does not answer: {reason}; `rift server restart` replaces it"
            ),
        }),
        ServerState::Serving { adoptable: false, .. } => problems.push(Problem {
            code: ErrorCode::TemporarilyUnavailable.word(),
            message: "the server is of another build than this rift; `rift server restart` replaces it".to_owned(),
        }),
        _ => {}
    }
    Ok(state)
}

fn storage(root: &Path, problems: &mut Vec<Problem>) -> Storage {
    let path = root.join(".rift");
    if std::fs::symlink_metadata(&path).is_ok_and(|found| !found.is_dir()) {
        let message =
            format!("{} cannot be used: cause it is a link or a file; make it a folder of your own", path.display());
        problems.push(Problem { code: ErrorCode::StorageFailure.word(), message });
        return Storage { path: path.display().to_string(), bytes: 0, entries: Vec::new() };
    }
    let entries: Vec<Entry> = folder_sizes(&path).into_iter().map(|(name, bytes)| Entry { name, bytes }).collect();
    Storage { path: path.display().to_string(), bytes: entries.iter().map(|entry| entry.bytes).sum(), entries }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_watches_are_a_problem_of_their_own() {
        let survey = Survey { directories: 101, ..Survey::default() };
        for (limit, kind, count) in [(Some(101), "inotify", 0), (Some(100), "inotify", 1), (None, "scan", 0)] {
            let mut problems = Vec::new();
            let limits = Limits { max_user_watches: limit, ..Limits::default() };
            let watcher = watcher(Some(&survey), limits, None, &mut problems);
            assert_eq!((watcher.kind.as_str(), watcher.watches, problems.len()), (kind, Some(101), count), "{limit:?}");
            for problem in problems {
                assert_eq!(problem.code, "limit_exceeded");
                assert!(problem.message.contains("limit 100, required 101"), "{}", problem.message);
            }
        }
    }

    #[test]
    fn a_server_that_does_not_watch_says_why() {
        let running = WatcherStatus {
            kind: "scan".to_owned(),
            reason: Some("fs.inotify.max_user_watches is used up; raise it".to_owned()),
            directories: 0,
            overflows: 3,
        };
        for (limit, count) in [(Some(8192), 1), (None, 0)] {
            let mut problems = Vec::new();
            let limits = Limits { max_user_watches: limit, ..Limits::default() };
            let watcher = watcher(None, limits, Some(&running), &mut problems);
            assert_eq!((watcher.kind.as_str(), watcher.overflows, problems.len()), ("scan", Some(3), count));
            assert!(problems.iter().all(|problem| problem.message.contains("is used up; raise it")));
        }
    }
}
