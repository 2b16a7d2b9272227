//! `rift server logs` over a log laid by hand, in the form that the page on commands states.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Stdio};

use rift_tests::{Outcome, Project, command, rift};

fn line(seq: u64, time: &str, level: &str, target: &str, message: &str) -> String {
    format!(
        "{{\"seq\":{seq},\"time\":\"{time}\",\"level\":\"{level}\",\"target\":\"{target}\",\"message\":\"{message}\",\
         \"fields\":{{\"port\":4711}}}}\n"
    )
}

/// Two files of three records, the last line torn.
fn project() -> Project {
    let project = Project::empty();
    let first = [
        line(1, "2026-02-01T10:00:01.000Z", "info", "rift_server::http", "listens"),
        line(2, "2026-02-01T10:00:02.000Z", "warn", "rift_host::watch", "queue overflowed"),
    ];
    let second = [line(3, "2026-02-01T10:00:03.000Z", "error", "rift_host", "failed"), "{\"seq\":4,\"ti".to_owned()];
    project.write(".rift/logs/00000000000000000001.jsonl", first.concat());
    project.write(".rift/logs/00000000000000000003.jsonl", second.concat());
    project
}

const SHOWN: [&str; 3] = [
    "2026-02-01T10:00:01.000Z info  rift_server::http: listens port=4711\n",
    "2026-02-01T10:00:02.000Z warn  rift_host::watch: queue overflowed port=4711\n",
    "2026-02-01T10:00:03.000Z error rift_host: failed port=4711\n",
];

#[track_caller]
fn check(project: &Project, arguments: &[&str], code: i32, stdout: &str) -> Outcome {
    let outcome = rift(project, &[&["server", "logs"], arguments].concat());
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(code), stdout), "{arguments:?}: {outcome:?}");
    outcome
}

#[test]
fn records_are_selected_and_printed() {
    let project = project();
    check(&project, &[], 0, &SHOWN.concat());
    check(&project, &["-n", "1"], 0, SHOWN[2]);
    check(&project, &["--tail", "2"], 0, &SHOWN[1..].concat());
    check(&project, &["--level", "warn"], 0, &SHOWN[1..].concat());
    check(&project, &["--component", "rift-host"], 0, &SHOWN[1..].concat());
    check(&project, &["--component", "rift_host::watch", "--component", "rift_server"], 0, &SHOWN[..2].concat());
    check(&project, &["--since", "2026-02-01T10:00:02Z"], 0, &SHOWN[1..].concat());
    check(&project, &["--since", "2026-02-01T11:00:02+01:00", "--until", "2026-02-01T10:00:02Z"], 0, SHOWN[1]);
    check(&project, &["--since", "1m"], 1, "");
    check(&project, &["--until", "1m", "-n", "1"], 0, SHOWN[2]);
    let json = line(3, "2026-02-01T10:00:03.000Z", "error", "rift_host", "failed");
    check(&project, &["--json", "-n", "1"], 0, &json);
    project.write("rift.toml", "[logs]\npage_records = 2\n");
    check(&project, &[], 0, &SHOWN[1..].concat());
    project.write("rift.toml", "not TOML");
    check(&project, &[], 0, &SHOWN.concat());
}

#[test]
fn what_cannot_be_printed_says_so() {
    check(&Project::empty(), &[], 1, "");
    let project = project();
    for option in ["--since", "--until"] {
        let outcome = check(&project, &[option, "yesterday"], 2, "");
        assert!(outcome.stderr.starts_with("rift: error[invalid_request]: time unreadable: option --"), "{outcome:?}");
        assert!(outcome.stderr.contains("10m"), "{outcome:?}");
    }
    check(&project, &["--follow", "--until", "1m"], 2, "");
    project.write(".rift/logs2", "");
    std::fs::remove_dir_all(project.root().join(".rift/logs")).expect("removed");
    std::fs::rename(project.root().join(".rift/logs2"), project.root().join(".rift/logs")).expect("a file instead");
    let outcome = check(&project, &[], 2, "");
    assert!(outcome.stderr.starts_with("rift: error[storage_failure]: log unreadable"), "{outcome:?}");
}

/// A followed log; it is ended with its test.
struct Followed(Child, BufReader<ChildStdout>);

impl Followed {
    fn start(project: &Project, arguments: &[&str]) -> Self {
        let mut command = command(project);
        command.args(["server", "logs", "-f"]).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("rift starts");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        Self(child, out)
    }

    /// The next line; the test's own deadline is the harness's.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.1.read_line(&mut line).expect("UTF-8");
        line
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_followed_log_goes_on_through_a_torn_line_and_a_new_file() {
    let project = project();
    let mut followed = Followed::start(&project, &["-n", "1"]);
    assert_eq!(followed.line(), SHOWN[2]);
    let append = |name: &str, text: &str| {
        let path = project.root().join(".rift/logs").join(name);
        let mut file = OpenOptions::new().append(true).create(true).open(path).expect("opened");
        file.write_all(text.as_bytes()).expect("written");
    };
    // The half of a line that was there is completed.
    append("00000000000000000003.jsonl", &line(4, "2026-02-01T10:00:04.000Z", "info", "rift_host", "four")[12..]);
    assert_eq!(followed.line(), "2026-02-01T10:00:04.000Z info  rift_host: four port=4711\n");
    append("00000000000000000005.jsonl", &line(5, "2026-02-01T10:00:05.000Z", "info", "rift_host", "five"));
    assert_eq!(followed.line(), "2026-02-01T10:00:05.000Z info  rift_host: five port=4711\n");
    // The oldest files go while the log is followed.
    for old in ["00000000000000000001.jsonl", "00000000000000000003.jsonl"] {
        std::fs::remove_file(project.root().join(".rift/logs").join(old)).expect("removed");
    }
    append("00000000000000000005.jsonl", &line(6, "2026-02-01T10:00:06.000Z", "info", "rift_host", "six"));
    assert_eq!(followed.line(), "2026-02-01T10:00:06.000Z info  rift_host: six port=4711\n");
}

#[cfg(unix)]
#[test]
fn a_silent_log_does_not_outlive_its_reader() {
    let project = project();
    let mut command = command(&project);
    command.args(["server", "logs", "-f", "-n", "1"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("rift starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("UTF-8");
    assert_eq!(line, SHOWN[2]);
    drop(out);
    let status = rift_tests::eventually("the command ends", || child.try_wait().expect("its status"));
    assert_eq!(status.code(), Some(0));
}

#[test]
fn a_log_that_does_not_exist_yet_can_be_followed() {
    let project = Project::empty();
    let mut followed = Followed::start(&project, &["--level", "error", "--json"]);
    let first = line(1, "2026-02-01T10:00:01.000Z", "info", "rift_server", "listens");
    let second = line(2, "2026-02-01T10:00:02.000Z", "error", "rift_server", "failed");
    project.write(".rift/logs/00000000000000000001.jsonl", format!("{first}{second}"));
    assert_eq!(followed.line(), second);
}
