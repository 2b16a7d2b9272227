use std::fs;

use super::*;
use crate::{get_config, load_config, validate_config};

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(text: Option<&str>) -> Self {
        let folder = Self(tempfile::tempdir().expect("temp"));
        if let Some(text) = text {
            fs::write(folder.file(), text).expect("write");
        }
        folder
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn file(&self) -> PathBuf {
        self.root().join(CONFIG_FILE)
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).expect("read")
    }

    /// Every name in the folder: what an edit leaves behind shows here.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root()).expect("list").flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

#[track_caller]
fn check_refused(folder: &Folder, key: &str, value: &str, parts: &[&str]) {
    let before = fs::read(folder.file()).ok();
    let message = set_config(folder.root(), key, value).expect_err(key).to_string();
    for part in parts {
        assert!(message.contains(part), "{part:?} not in {message}");
    }
    assert_eq!(fs::read(folder.file()).ok(), before, "{key} = {value}");
    assert!(folder.names().iter().all(|name| name == CONFIG_FILE), "{:?}", folder.names());
}

#[test]
fn a_missing_file_is_made_and_an_emptied_one_stays() {
    let folder = Folder::with(None);
    assert_eq!(unset_config(folder.root(), "server.port").expect("nothing to do"), Edited::NotStated);
    assert_eq!(folder.names(), [""; 0]);
    assert_eq!(set_config(folder.root(), "server.port", "4711").expect("made"), Edited::Changed);
    assert_eq!(folder.text(), "[server]\nport = 4711\n");
    assert_eq!(set_config(folder.root(), "server.port", "4711").expect("said"), Edited::Same);
    assert_eq!(load_config(folder.root()).expect("valid").config.server.port, Some(4711));
    assert_eq!(unset_config(folder.root(), "server.port").expect("gone"), Edited::Changed);
    assert_eq!((folder.text().as_str(), folder.names()), ("", vec![CONFIG_FILE.to_owned()]));
}

#[test]
fn a_refused_value_changes_nothing_and_says_why() {
    let folder = Folder::with(Some("# kept\n[source]\nfiles = 2000\n"));
    check_refused(
        &folder,
        "source.files",
        "10",
        &["source.files", "value 10", "allowed: 1000 to 5000000", "nothing was written"],
    );
    check_refused(&folder, "source.fils", "2000", &["source.fils", "unknown key", "files"]);
    check_refused(&folder, "server.idle_timeout", "5", &["server.idle_timeout", "a duration in quotes"]);
    check_refused(&folder, "execution.max_concurrent", "2", &["execution", "not served"]);
    check_refused(&folder, "server.port_range.min", "2000", &["server.port_range.max", "missing"]);
    check_refused(&folder, "logs.capture", "\"rift=loud\"", &["logs.capture", "rift=loud"]);
    check_refused(&folder, "source", "{}", &["is a table"]);
    check_refused(&folder, "source.include", "nothing", &["is not TOML"]);
    let long = format!("[{}]", vec!["\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""; 512].join(", "));
    assert_eq!(set_config(folder.root(), "source.include", &long).expect("within bounds"), Edited::Changed);
    // A file that is wrong elsewhere stays as it is, and the place is named.
    let wrong = Folder::with(Some("[source]\nnope = 1\n"));
    check_refused(&wrong, "server.port", "4711", &["rift.toml:2:1: source.nope"]);
    assert_eq!(unset_config(wrong.root(), "source.nope").expect("mended"), Edited::Changed);
    assert_eq!(wrong.text(), "");
}

#[test]
fn the_file_stays_within_its_bound() {
    let comment = format!("#{}\n", "x".repeat(CONFIG_BYTES_MAX as usize - 2 - "[server]\nport = 4711\n".len() - 1));
    let folder = Folder::with(Some(&comment));
    assert_eq!(set_config(folder.root(), "server.port", "4711").expect("exactly the bound"), Edited::Changed);
    assert_eq!(fs::metadata(folder.file()).expect("there").len(), CONFIG_BYTES_MAX);
    check_refused(&folder, "server.num_workers", "2", &["too large", "262144"]);
}

#[test]
fn marks_and_line_ends_stay() {
    let folder = Folder::with(Some("\u{feff}# first\r\n[server]\r\nport = 4711\r\n"));
    set_config(folder.root(), "server.num_workers", "2").expect("set");
    assert_eq!(folder.text(), "\u{feff}# first\r\n[server]\r\nport = 4711\r\nnum_workers = 2\r\n");
    unset_config(folder.root(), "server.num_workers").expect("unset");
    assert_eq!(folder.text(), "\u{feff}# first\r\n[server]\r\nport = 4711\r\n");
}

#[cfg(unix)]
#[test]
fn the_mode_stays_and_a_link_is_refused() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let folder = Folder::with(Some(""));
    for mode in [0o600, 0o644, 0o666] {
        fs::set_permissions(folder.file(), fs::Permissions::from_mode(mode)).expect("mode");
        let before = fs::metadata(folder.file()).expect("there").ino();
        set_config(folder.root(), "server.port", &(2000 + mode).to_string()).expect("set");
        let after = fs::metadata(folder.file()).expect("there");
        assert_eq!(after.mode() & 0o777, mode);
        assert_ne!(after.ino(), before, "replaced, not written over");
    }
    let elsewhere = Folder::with(Some("[server]\nport = 4711\n"));
    fs::remove_file(folder.file()).expect("remove");
    std::os::unix::fs::symlink(elsewhere.file(), folder.file()).expect("link");
    check_refused(&folder, "server.port", "4712", &["rift.toml unreadable", "make it a regular file"]);
    assert!(fs::symlink_metadata(folder.file()).expect("there").file_type().is_symlink());
    assert_eq!(elsewhere.text(), "[server]\nport = 4711\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_named() {
    // Where nobody can make a file, the administrator neither.
    let message = set_config(Path::new("/proc"), "server.port", "4711").expect_err("/proc takes no file").to_string();
    assert!(message.contains("path /proc") && message.contains("make the folder writable"), "{message}");
}

#[test]
fn what_changed_meanwhile_is_not_overwritten() {
    let folder = Folder::with(Some("# theirs\n"));
    for old in [Some(&b"# ours\n"[..]), None] {
        assert!(!replace(&folder.file(), old, b"new").expect("compared"));
        assert_eq!((folder.text().as_str(), folder.names().len()), ("# theirs\n", 1));
    }
    assert!(replace(&folder.file(), Some(b"# theirs\n"), b"new").expect("equal"));
    assert_eq!(folder.text(), "new");
    fs::remove_file(folder.file()).expect("remove");
    assert!(!replace(&folder.file(), Some(b"new"), b"newer").is_ok_and(|placed| placed), "it is gone");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn edits_at_once_all_land() {
    let folder = Folder::with(Some("# shared\n"));
    let keys = ["num_workers", "port"].map(|key| format!("server.{key}"));
    let logs = ["retention_records", "page_records"].map(|key| format!("logs.{key}"));
    let source = ["files"].map(|key| format!("source.{key}"));
    let keys: Vec<&String> = keys.iter().chain(&logs).chain(&source).collect();
    std::thread::scope(|scope| {
        for key in &keys {
            scope.spawn(|| {
                for value in 0..10 {
                    let value = if key.ends_with("workers") { 1 + value } else { 2000 + value };
                    set_config(folder.root(), key, &value.to_string()).expect("set");
                }
            });
        }
    });
    for key in keys {
        let entry = &get_config(folder.root(), Some(key)).expect("valid")[0];
        let last = if key.ends_with("workers") { "10" } else { "2009" };
        assert_eq!((entry.value.as_str(), entry.stated), (last, true), "{key}");
    }
    assert!(folder.text().starts_with("# shared\n"));
    assert_eq!(folder.names(), [CONFIG_FILE]);
}

#[test]
fn what_holds_is_told_with_its_origin() {
    let folder = Folder::with(Some(
        "source = { files = 2_000 }\n[languages.\"typescript:tsx\"]\nexclude = [\n \"a\", # no\n]\n",
    ));
    let get = |key: &str| {
        let entries = get_config(folder.root(), Some(key)).expect(key);
        entries.into_iter().map(|e| (e.key, e.value, e.stated)).collect::<Vec<_>>()
    };
    let entry = |key: &str, value: &str, stated| vec![(key.to_owned(), value.to_owned(), stated)];
    assert_eq!(get("source.files"), entry("source.files", "2_000", true));
    assert_eq!(get("server.idle_timeout"), entry("server.idle_timeout", "\"30m\"", false));
    assert_eq!(get("search.text.include"), entry("search.text.include", "[\"**\"]", false));
    let tsx = "languages.\"typescript:tsx\"";
    assert_eq!(get(&format!("{tsx}.exclude")), entry(&format!("{tsx}.exclude"), "[\"a\"]", true));
    let keys: Vec<String> = get(tsx).into_iter().map(|(key, _, _)| key).collect();
    assert_eq!(keys, [format!("{tsx}.enabled"), format!("{tsx}.exclude")]);
    assert_eq!(get("server.port_range").len(), 2);
    // No default, and not stated.
    assert_eq!(get("server.port"), []);
    assert_eq!(get("languages.rust.include"), []);
    let refused = |key: &str| get_config(folder.root(), Some(key)).expect_err(key).to_string();
    assert!(refused("server.prot").starts_with("server.prot: unknown key; the keys here are num_workers"));
    assert!(refused("source.files.x").contains("is a value"));
    assert!(refused("languages.Rust").contains("no identity"));
    assert!(refused("lsp.x.command").contains("not served"));
    let all = get_config(folder.root(), None).expect("valid");
    assert!(all.len() > 25, "{}", all.len());
    set_config(folder.root(), "source.files", "3000").expect("an inline table");
    assert_eq!(get("source.files"), entry("source.files", "3000", true));
}

#[test]
fn any_file_can_be_validated() {
    let folder = Folder::with(None);
    assert!(!validate_config(&folder.file()).expect("absent").exists);
    fs::write(folder.file(), "[source]\nfiles = 1\nnope = 2\n").expect("write");
    let Err(ConfigError::Invalid(problems)) = validate_config(&folder.file()) else { panic!("valid") };
    let keys: Vec<&str> = problems.iter().map(|p| p.key.as_str()).collect();
    assert_eq!(keys, ["source.files", "source.nope"]);
    assert!(matches!(validate_config(folder.root()), Err(ConfigError::Unreadable(_))));
}
