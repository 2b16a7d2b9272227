//! The server's log: one JSON record a line in `.rift/logs`, written by a layer of `tracing` and read by
//! `rift server logs`, whether a server runs or not. Nothing of it goes to standard output, and a disk that is full
//! costs records and nothing else.
#![allow(clippy::disallowed_methods, reason = "the log is files and the time of its records")]

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use rift_base::LogsConfig;
use tracing_subscriber::filter::{EnvFilter, Targets};
use tracing_subscriber::prelude::*;

mod layer;
mod reader;
mod record;
mod segments;
#[cfg(test)]
mod tests;
mod when;
mod writer;

use layer::FileLayer;
pub use reader::{LogFilter, LogReader};
pub use record::{LogLevel, LogRecord};
pub use when::{LogTime, parse_time};
use writer::Writer;

/// The folder of the log's segments, in `.rift`.
const FOLDER: &str = "logs";

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// Its folder or its files cannot be used.
    #[error("log unusable: path {}, cause {source}; make it a folder of your own that can be written", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// This process logs elsewhere already.
    #[error("the process has a log already")]
    Installed,
}

/// The folder of the log of the workspace whose `.rift` this is.
pub fn log_folder(rift_dir: &Path) -> PathBuf {
    rift_dir.join(FOLDER)
}

/// Sends what this process records to the log in `rift_dir`, which exists: what `[logs] capture` names to the file, and
/// to standard error what `RUST_LOG` names, warnings without it. Panics are recorded as well. Call once, before anything
/// else that installs a subscriber. When the file cannot be had, standard error is served all the same.
///
/// # Errors
/// Why nothing goes to the file.
pub fn install(rift_dir: &Path, config: &LogsConfig) -> Result<(), LogError> {
    let stderr = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,tantivy=error,rmcp=error"));
    let stderr = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false).with_filter(stderr);
    let registry = tracing_subscriber::registry().with(stderr);
    let folder = log_folder(rift_dir);
    match Writer::open(&folder, config.retention_records) {
        Ok(writer) => {
            let file = FileLayer::new(writer).with_filter(filter(&config.capture));
            registry.with(file).try_init().map_err(|_| LogError::Installed)?;
            record_panics();
            Ok(())
        }
        Err(source) => {
            registry.try_init().map_err(|_| LogError::Installed)?;
            Err(LogError::Folder { path: folder, source })
        }
    }
}

/// What `[logs] capture` names. The configuration's own rules hold it to what is read here.
fn filter(capture: &str) -> Targets {
    let directives: Vec<&str> = capture.split(',').map(str::trim).collect();
    Targets::from_str(&directives.join(",")).unwrap_or_else(|_| filter(&LogsConfig::default().capture))
}

/// Records each panic before what handled panics so far handles it.
fn record_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without words");
        tracing::error!(target: "rift_server::panic", place, "{text}");
        before(panic);
    }));
}
