//! `rift server logs`: the server's log, whether a server runs or not.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use rift_protocol::ErrorCode;
use rift_server::logs::{LogFilter, LogLevel, LogReader, LogRecord, LogTime, parse_time};

use crate::output::error;

/// How often a log that is followed is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

#[derive(Debug, clap::Args)]
pub(crate) struct LogsArguments {
    /// Go on printing records as they are written.
    #[arg(short, long)]
    follow: bool,
    /// The last N records. Default: [logs] page_records of rift.toml; all of them beside --since or --until.
    #[arg(short = 'n', long, value_name = "N")]
    tail: Option<usize>,
    /// Records from then on: an age such as 10m or 2h, or an RFC 3339 time.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Records up to then: an age such as 10m or 2h, or an RFC 3339 time.
    #[arg(long, value_name = "TIME", conflicts_with = "follow")]
    until: Option<String>,
    /// Records of this level and more severe ones.
    #[arg(long, value_enum)]
    level: Option<Level>,
    /// Records of this component, such as rift_host; may be given several times.
    #[arg(long, value_name = "NAME")]
    component: Vec<String>,
    /// Print the records as they stand in the file, one JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Level {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl From<Level> for LogLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => LogLevel::Error,
            Level::Warn => LogLevel::Warn,
            Level::Info => LogLevel::Info,
            Level::Debug => LogLevel::Debug,
            Level::Trace => LogLevel::Trace,
        }
    }
}

/// Prints records; exit status 0 some, 1 none, 2 an error. A followed log ends with the reader of standard output.
pub(crate) fn run(root: &Path, arguments: &LogsArguments) -> anyhow::Result<ExitCode> {
    let now = LogTime::now_utc();
    let time = |stated: &Option<String>, option: &str| {
        match stated {
        None => Ok(None),
        Some(text) => parse_time(text, now).map(Some).ok_or_else(|| {
            let message = format!(
                "time unreadable: option --{option}, value {text:?}; write an age (30s, 10m, 2h, 1d) or an RFC 3339 time \
                 (2026-02-01T10:00:00Z)"
            );
            error(ErrorCode::InvalidRequest, &message)
        }),
    }
    };
    let (since, until) = match (time(&arguments.since, "since"), time(&arguments.until, "until")) {
        (Ok(since), Ok(until)) => (since, until),
        (Err(status), _) | (_, Err(status)) => return Ok(status),
    };
    let level = arguments.level.map(LogLevel::from);
    let filter = LogFilter { since, until, level, components: arguments.component.clone() };
    let count = arguments.tail.or_else(|| (since.is_none() && until.is_none()).then(|| page(root)));
    let mut reader = LogReader::new(&root.join(".rift"), filter);
    match print_all(&mut reader, count, arguments) {
        Ok(printed) => Ok(ExitCode::from(u8::from(!printed && !arguments.follow))),
        Err(Stopped::Output(closed)) if closed.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(Stopped::Output(failed)) => Err(failed.into()),
        Err(Stopped::Log(failed)) => {
            let message = format!("log unreadable: cause {failed}; look at .rift/logs");
            Ok(error(ErrorCode::StorageFailure, &message))
        }
    }
}

/// `[logs] page_records`; its default when rift.toml is refused, since the log may say why.
fn page(root: &Path) -> usize {
    let config = rift_workspace::load_config(root).map(|loaded| loaded.config).unwrap_or_default();
    usize::try_from(config.logs.page_records).unwrap_or(usize::MAX)
}

/// What ended the printing.
enum Stopped {
    Output(io::Error),
    Log(io::Error),
}

fn print_all(reader: &mut LogReader, count: Option<usize>, arguments: &LogsArguments) -> Result<bool, Stopped> {
    let records = reader.last(count).map_err(Stopped::Log)?;
    print(&records, arguments.json).map_err(Stopped::Output)?;
    while arguments.follow && is_read(LOOK_EVERY) {
        let records = reader.more().map_err(Stopped::Log)?;
        print(&records, arguments.json).map_err(Stopped::Output)?;
    }
    Ok(!records.is_empty())
}

/// Waits so long, or until nobody reads standard output any more; answers whether somebody does. Without it a followed log
/// that is silent would outlive its reader.
#[cfg(unix)]
fn is_read(time: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    let mut asked = [PollFd::new(&stdout, PollFlags::empty())];
    let Ok(time) = Timespec::try_from(time) else { return true };
    match poll(&mut asked, Some(&time)) {
        Ok(_) => !asked[0].revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL),
        Err(_) => true,
    }
}

#[cfg(not(unix))]
fn is_read(time: Duration) -> bool {
    std::thread::sleep(time);
    true
}

fn print(records: &[LogRecord], json: bool) -> io::Result<()> {
    if records.is_empty() {
        return Ok(());
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    for record in records {
        if json {
            serde_json::to_writer(&mut out, record)?;
            out.write_all(b"\n")?;
        } else {
            writeln!(out, "{record}")?;
        }
    }
    out.flush()
}
