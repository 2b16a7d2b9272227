use std::fs;
use std::io::Write as _;

use serde_json::json;

use super::record::{LINE_BYTES_MAX, TEXT_BYTES_MAX};
use super::*;

fn record(message: &str) -> LogRecord {
    LogRecord {
        seq: 0,
        time: "2026-02-01T10:00:00.000Z".to_owned(),
        level: LogLevel::Info,
        target: "rift_host::lane".to_owned(),
        message: message.to_owned(),
        fields: serde_json::Map::new(),
    }
}

fn write(writer: &mut Writer, count: u64) {
    for _ in 0..count {
        writer.write(record("written"));
    }
}

fn read(rift: &Path) -> Vec<LogRecord> {
    LogReader::new(rift, LogFilter::default()).last(None).expect("readable")
}

fn seqs(records: &[LogRecord]) -> Vec<u64> {
    records.iter().map(|record| record.seq).collect()
}

fn files(rift: &Path) -> Vec<PathBuf> {
    let folder = log_folder(rift);
    segments::list(&folder).expect("a folder").into_iter().map(|first| segments::path(&folder, first)).collect()
}

#[test]
fn a_line_is_one_record_in_json() {
    let temp = tempfile::tempdir().expect("temp");
    let mut writer = Writer::open(&log_folder(temp.path()), 100).expect("made");
    let mut made = record("a \"quoted\"\nline");
    made.fields.insert("files".to_owned(), json!(3));
    writer.write(made.clone());
    let text = fs::read_to_string(temp.path().join("logs/00000000000000000001.jsonl")).expect("read");
    assert_eq!(
        text,
        "{\"seq\":1,\"time\":\"2026-02-01T10:00:00.000Z\",\"level\":\"info\",\"target\":\"rift_host::lane\",\
         \"message\":\"a \\\"quoted\\\"\\nline\",\"fields\":{\"files\":3}}\n"
    );
    assert_eq!(read(temp.path()), [LogRecord { seq: 1, ..made }]);
}

#[test]
fn retention_is_held_by_whole_files() {
    // 100 records are 8 files of 12 at most: between 7 and 8 files' worth stays.
    let temp = tempfile::tempdir().expect("temp");
    let mut writer = Writer::open(&log_folder(temp.path()), 100).expect("made");
    for total in 1..=1000u64 {
        write(&mut writer, 1);
        let kept = seqs(&read(temp.path()));
        assert_eq!(kept.last(), Some(&total));
        assert_eq!(kept.len() as u64, total - kept[0] + 1, "no gap");
        assert!(kept.len() <= 100 && (kept.len() >= 84 || total < 84), "{total}: {}", kept.len());
    }
    assert!(files(temp.path()).len() <= 8);
}

#[test]
fn a_later_server_goes_on_where_the_earlier_one_ended() {
    let temp = tempfile::tempdir().expect("temp");
    let folder = log_folder(temp.path());
    for start in 0..30u64 {
        let mut writer = Writer::open(&folder, 400).expect("opened");
        write(&mut writer, 3);
        assert_eq!(seqs(&read(temp.path())), (1..=start * 3 + 3).collect::<Vec<_>>());
    }
    // Three records at a time fill the same files as ninety at once.
    assert_eq!(files(temp.path()).len(), 2);
}

#[test]
fn a_kill_at_any_byte_costs_the_last_line_alone() {
    let temp = tempfile::tempdir().expect("temp");
    let folder = log_folder(temp.path());
    write(&mut Writer::open(&folder, 100).expect("made"), 3);
    let whole = fs::read(&files(temp.path())[0]).expect("read");
    let line = whole.len() / 3;
    for kept in 0..=whole.len() {
        let temp = tempfile::tempdir().expect("temp");
        let folder = log_folder(temp.path());
        segments::create_folder(&folder).expect("made");
        fs::write(segments::path(&folder, 1), &whole[..kept]).expect("written");
        let before = seqs(&read(temp.path()));
        assert_eq!(before, (1..=(kept / line) as u64).collect::<Vec<_>>(), "{kept}");
        let mut reader = LogReader::new(temp.path(), LogFilter::default());
        assert_eq!(seqs(&reader.more().expect("readable")), before);
        write(&mut Writer::open(&folder, 100).expect("opened"), 2);
        // A reader that follows sees what is written next, as one that comes later does.
        let next = before.len() as u64 + 1 + u64::from(!kept.is_multiple_of(line));
        assert_eq!(seqs(&reader.more().expect("readable")), [next, next + 1], "{kept}");
        assert_eq!(seqs(&read(temp.path())), [before, vec![next, next + 1]].concat(), "{kept}");
    }
}

#[test]
fn a_reader_that_follows_misses_nothing_through_rotation() {
    let temp = tempfile::tempdir().expect("temp");
    let mut writer = Writer::open(&log_folder(temp.path()), 40_000).expect("made");
    let mut reader = LogReader::new(temp.path(), LogFilter::default());
    let mut seen = Vec::new();
    std::thread::scope(|scope| {
        let writing = scope.spawn(move || write(&mut writer, 30_000));
        while !writing.is_finished() {
            seen.extend(seqs(&reader.more().expect("readable")));
        }
        seen.extend(seqs(&reader.more().expect("readable")));
    });
    assert_eq!(seen, (1..=30_000).collect::<Vec<_>>());
    assert!(files(temp.path()).len() > 4);
}

#[test]
fn a_reader_that_falls_behind_goes_on_with_what_is_left() {
    let temp = tempfile::tempdir().expect("temp");
    let mut writer = Writer::open(&log_folder(temp.path()), 100).expect("made");
    let mut reader = LogReader::new(temp.path(), LogFilter::default());
    write(&mut writer, 5);
    assert_eq!(reader.more().expect("readable").len(), 5);
    write(&mut writer, 1000);
    let late = seqs(&reader.more().expect("readable"));
    // The rest of the file that it had open, and then what retention has left.
    assert_eq!(late[..7], [6, 7, 8, 9, 10, 11, 12]);
    assert!(late.is_sorted() && late.last() == Some(&1005), "{late:?}");
}

#[test]
fn a_log_that_is_removed_begins_again() {
    let temp = tempfile::tempdir().expect("temp");
    let folder = log_folder(temp.path());
    let mut writer = Writer::open(&folder, 100).expect("made");
    let mut reader = LogReader::new(temp.path(), LogFilter::default());
    write(&mut writer, 5);
    assert_eq!(reader.more().expect("readable").len(), 5);
    fs::remove_dir_all(&folder).expect("removed");
    assert!(reader.more().expect("no log is no error").is_empty());
    assert!(read(temp.path()).is_empty());
    // The writer that runs notices by itself, within seconds; another one begins at once.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while read(temp.path()).is_empty() {
        assert!(std::time::Instant::now() < deadline, "the writer never noticed");
        write(&mut writer, 1);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // What went to the removed file meanwhile is seen by who has it open.
    assert!(seqs(&reader.more().expect("readable")).ends_with(&seqs(&read(temp.path()))));
    fs::remove_dir_all(&folder).expect("removed");
    write(&mut Writer::open(&folder, 100).expect("made"), 2);
    assert_eq!(seqs(&reader.more().expect("readable")), [1, 2]);
}

#[test]
fn lines_that_are_no_records_are_passed_over() {
    let temp = tempfile::tempdir().expect("temp");
    let mut writer = Writer::open(&log_folder(temp.path()), 100).expect("made");
    write(&mut writer, 1);
    let path = files(temp.path()).remove(0);
    let mut file = fs::OpenOptions::new().append(true).open(&path).expect("opened");
    file.write_all(b"\n{}\nnot json\n\xff\xfe\n[1]\n").expect("written");
    write(&mut writer, 1);
    assert_eq!(seqs(&read(temp.path())), [1, 2]);
    fs::write(log_folder(temp.path()).join("notes.txt"), "mine").expect("written");
    assert_eq!(seqs(&read(temp.path())), [1, 2]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_records_and_says_how_many() {
    let temp = tempfile::tempdir().expect("temp");
    let mut writer = Writer::open(&log_folder(temp.path()), 100).expect("made");
    write(&mut writer, 1);
    let path = files(temp.path()).remove(0);
    writer.replace_file(fs::OpenOptions::new().write(true).open("/dev/full").expect("opened"), false);
    write(&mut writer, 4);
    // A part of a line was written before the disk was full.
    let mut file = fs::OpenOptions::new().append(true).open(&path).expect("opened");
    file.write_all(b"{\"seq\":2,\"time\":").expect("written");
    writer.replace_file(file, true);
    write(&mut writer, 2);
    let found = read(temp.path());
    assert_eq!(seqs(&found), [1, 2, 3, 4]);
    assert_eq!((found[1].level, &found[1].fields["lost"]), (LogLevel::Warn, &json!(4)));
    assert_eq!(found[2].message, "written");
}

#[test]
fn what_is_wanted_is_selected() {
    let temp = tempfile::tempdir().expect("temp");
    let mut writer = Writer::open(&log_folder(temp.path()), 100).expect("made");
    for (second, level, target) in [
        (1, LogLevel::Error, "rift_host"),
        (2, LogLevel::Warn, "rift_host::lane"),
        (3, LogLevel::Info, "rift_hosts"),
        (4, LogLevel::Debug, "rift_server::http"),
    ] {
        let time = format!("2026-02-01T10:00:0{second}.000Z");
        writer.write(LogRecord { time, level, target: target.to_owned(), ..record("x") });
    }
    let at = |text: &str| parse_time(text, LogTime::UNIX_EPOCH);
    let check = |filter: LogFilter, count, expected: &[u64]| {
        let found = LogReader::new(temp.path(), filter.clone()).last(count).expect("readable");
        assert_eq!(seqs(&found), expected, "{filter:?} {count:?}");
    };
    let all = LogFilter::default();
    check(all.clone(), None, &[1, 2, 3, 4]);
    check(all.clone(), Some(2), &[3, 4]);
    check(all.clone(), Some(0), &[]);
    check(LogFilter { level: Some(LogLevel::Warn), ..all.clone() }, None, &[1, 2]);
    check(LogFilter { level: Some(LogLevel::Trace), ..all.clone() }, Some(1), &[4]);
    check(LogFilter { components: vec!["rift-host".to_owned()], ..all.clone() }, None, &[1, 2]);
    check(
        LogFilter { components: vec!["rift_hosts".to_owned(), "rift_server".to_owned()], ..all.clone() },
        None,
        &[3, 4],
    );
    check(LogFilter { since: at("2026-02-01T10:00:02Z"), ..all.clone() }, None, &[2, 3, 4]);
    check(LogFilter { until: at("2026-02-01T12:00:02+02:00"), ..all.clone() }, None, &[1, 2]);
    check(LogFilter { level: Some(LogLevel::Warn), ..all }, Some(1), &[2]);
}

#[test]
fn records_are_bounded_and_print_on_one_line() {
    let long = "é".repeat(TEXT_BYTES_MAX);
    let cut = record::cut(long, TEXT_BYTES_MAX);
    assert!(cut.len() <= TEXT_BYTES_MAX + '…'.len_utf8() && cut.ends_with("é…"));
    let mut wide = record("kept");
    for field in 0..10 {
        wide.fields.insert(format!("field{field}"), json!("x".repeat(TEXT_BYTES_MAX)));
    }
    let line = wide.line().expect("a line");
    assert!(line.len() <= LINE_BYTES_MAX && line.contains("\"fields_omitted\":10") && line.contains("kept"), "{line}");
    let mut shown = record("two\nlines \u{1b}[31m");
    shown.fields.insert("path".to_owned(), json!("src/a.rs"));
    shown.fields.insert("said".to_owned(), json!("a b"));
    shown.fields.insert("taken".to_owned(), json!(3));
    assert_eq!(
        shown.to_string(),
        "2026-02-01T10:00:00.000Z info  rift_host::lane: two\\nlines \\u{1b}[31m path=src/a.rs said=\"a b\" taken=3"
    );
}

#[cfg(unix)]
#[test]
fn a_link_in_the_folders_place_is_refused_and_files_are_the_owners() {
    use std::os::unix::fs::PermissionsExt as _;
    let (temp, elsewhere) = (tempfile::tempdir().expect("temp"), tempfile::tempdir().expect("temp"));
    std::os::unix::fs::symlink(elsewhere.path(), log_folder(temp.path())).expect("link");
    assert!(Writer::open(&log_folder(temp.path()), 100).is_err());
    assert_eq!(fs::read_dir(elsewhere.path()).expect("read").count(), 0);
    write(&mut Writer::open(&log_folder(elsewhere.path()), 100).expect("made"), 1);
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode(&log_folder(elsewhere.path())), mode(&files(elsewhere.path())[0])), (0o700, 0o600));
}

/// Events of `tracing`, through the layer and the filter that `install` puts together.
#[test]
fn events_are_captured_as_configured() {
    let temp = tempfile::tempdir().expect("temp");
    let writer = Writer::open(&log_folder(temp.path()), 100).expect("made");
    let layer = FileLayer::new(writer).with_filter(filter("rift=info, rift_host=warn,off"));
    let before = LogTime::now_utc();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        tracing::info!(target: "rift_server::http", port = 4711, ok = true, path = "a b", "listens on {}", 1);
        tracing::debug!(target: "rift_server", "too fine");
        tracing::info!(target: "rift_host::lane", "filtered by its own directive");
        tracing::warn!(target: "rift_host::lane", share = 0.5, missing = ?None::<u8>, "kept");
        tracing::error!(target: "other", "of nobody");
    });
    let found = read(temp.path());
    let texts: Vec<&str> = found.iter().map(|record| record.message.as_str()).collect();
    assert_eq!(texts, ["listens on 1", "kept"]);
    assert_eq!(json!(found[0].fields), json!({ "port": 4711, "ok": true, "path": "a b" }));
    assert_eq!(json!(found[1].fields), json!({ "share": 0.5, "missing": "None" }));
    assert_eq!((found[0].level, found[0].target.as_str()), (LogLevel::Info, "rift_server::http"));
    let at = found[0].at().expect("a time");
    assert!(at >= before - std::time::Duration::from_millis(1) && at <= LogTime::now_utc(), "{at} {before}");
}

#[test]
fn the_default_capture_is_read() {
    let shown = filter(&LogsConfig::default().capture);
    assert!(shown.would_enable("rift_server", &tracing::Level::INFO));
    assert!(!shown.would_enable("rift_index", &tracing::Level::INFO));
    assert!(!shown.would_enable("hyper", &tracing::Level::ERROR));
    assert_eq!(filter("rift=loud").to_string(), shown.to_string(), "what cannot be read is the default");
}
