use std::fs;

use super::*;

fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).expect("a project path")
}

/// Reads bytes from a real file that no language claims.
fn read(bytes: &[u8]) -> FileContent {
    read_as(bytes, false)
}

fn read_as(bytes: &[u8], claimed: bool) -> FileContent {
    let temp = tempfile::tempdir().expect("temp");
    fs::write(temp.path().join("a"), bytes).expect("write");
    let content = read_file(temp.path(), &path("a"), claimed);
    assert_eq!(content.digest, Some(Digest::of(bytes)), "the digest is that of the raw bytes");
    assert_eq!(content.stamp.size, bytes.len() as u64);
    content
}

#[test]
fn text_and_its_encodings() {
    // "aé𝄞\r\n", written out by hand in each encoding.
    let expected = "aé\u{1d11e}\r\n";
    for (bytes, encoding) in [
        (&b"a\xc3\xa9\xf0\x9d\x84\x9e\r\n"[..], Encoding::Utf8),
        (b"\xef\xbb\xbfa\xc3\xa9\xf0\x9d\x84\x9e\r\n", Encoding::Utf8Bom),
        (b"\xff\xfea\0\xe9\0\x34\xd8\x1e\xdd\r\0\n\0", Encoding::Utf16Le),
        (b"\xfe\xff\0a\0\xe9\xd8\x34\xdd\x1e\0\r\0\n", Encoding::Utf16Be),
    ] {
        let content = read(bytes);
        assert_eq!((&content.presence, &*content.text, content.encoding), (&Presence::Text, expected, encoding));
    }
    for empty in [&b""[..], b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"] {
        let content = read(empty);
        assert_eq!((&content.presence, &*content.text), (&Presence::Text, ""), "{empty:?}");
    }
    // Only the first mark is one.
    assert_eq!(&*read(b"\xef\xbb\xbf\xef\xbb\xbfa").text, "\u{feff}a");
}

#[test]
fn what_is_no_text() {
    let late_nul = [&b"x".repeat(BINARY_WINDOW)[..], b"\0"].concat();
    for (bytes, claimed, reason) in [
        (&b"a\0b"[..], false, Unavailable::Binary),
        (b"a\0b", true, Unavailable::NulByte),
        (&late_nul, false, Unavailable::NulByte),
        (b"\xef\xbb\xbfa\0", false, Unavailable::NulByte),
        (b"ab\xff", false, Unavailable::NotUtf8 { offset: 2 }),
        (b"\xef\xbb\xbfab\xff", false, Unavailable::NotUtf8 { offset: 5 }),
        // Latin-1, a surrogate in UTF-8, an overlong form.
        (b"caf\xe9", true, Unavailable::NotUtf8 { offset: 3 }),
        (b"\xed\xa0\x80", false, Unavailable::NotUtf8 { offset: 0 }),
        (b"\xc0\x80", false, Unavailable::NotUtf8 { offset: 0 }),
        // Lone surrogates, high and low, and half a unit.
        (b"\xff\xfe\x34\xd8a\0", false, Unavailable::NotUtf16),
        (b"\xfe\xff\xdd\x1e", false, Unavailable::NotUtf16),
        (b"\xff\xfea\0b", false, Unavailable::NotUtf16),
        // UTF-16 without a mark is no text, and neither is UTF-32.
        (b"a\0b\0", false, Unavailable::Binary),
        (b"\xff\xfe\0\0a\0\0\0", false, Unavailable::NulByte),
    ] {
        let content = read_as(bytes, claimed);
        assert_eq!(content.presence.unavailable(), Some(&reason), "{bytes:?}");
        assert_eq!(&*content.text, "");
    }
}

#[test]
fn the_bound_on_one_file() {
    let temp = tempfile::tempdir().expect("temp");
    let file = fs::File::create(temp.path().join("big")).expect("create");
    file.set_len(FILE_BYTES_MAX + 1).expect("sparse");
    let content = read_file(temp.path(), &path("big"), false);
    let reason = Unavailable::TooLarge { size: FILE_BYTES_MAX + 1, limit: FILE_BYTES_MAX };
    assert_eq!((content.presence, content.digest), (Presence::Unavailable(reason), None));
    assert_eq!(content.stamp.size, FILE_BYTES_MAX + 1);
}

#[test]
fn one_reader_reads_many_files() {
    let temp = tempfile::tempdir().expect("temp");
    fs::create_dir_all(temp.path().join("a b/é")).expect("directories");
    for (name, text) in [("a b/1%.rs", "one"), ("a b/2.rs", "2"), ("a b/é/3.rs", ""), ("4.rs", "four")] {
        fs::write(temp.path().join(name), text).expect("write");
    }
    let mut reader = Reader::new(temp.path());
    for (name, text) in
        [("a b/1%.rs", "one"), ("a b/2.rs", "2"), ("a b/é/3.rs", ""), ("4.rs", "four"), ("a b/2.rs", "2")]
    {
        let content = reader.read(&path(name), true);
        assert_eq!((&content.presence, &*content.text), (&Presence::Text, text), "{name}");
    }
    for gone in ["a b/5.rs", "gone/1.rs", "4.rs/5.rs"] {
        assert_eq!(reader.read(&path(gone), true).presence, Presence::Absent, "{gone}");
    }
    for no_file in ["a b", ""] {
        let presence = reader.read(&path(no_file), true).presence;
        assert_eq!(presence, Presence::Unavailable(Unavailable::NotRegular), "{no_file:?}");
    }
}

#[test]
fn discovery_and_reading_agree() {
    let temp = tempfile::tempdir().expect("temp");
    let root = temp.path().canonicalize().expect("exists");
    fs::write(root.join("a.rs"), "fn a() {}\n").expect("write");
    let config = rift_base::Config::default();
    let languages = crate::LanguageMap::new(&config).expect("patterns");
    let found = crate::discover(&root, &config, &languages, 1).expect("inside every bound");
    let read = |entry: &crate::FileEntry| Reader::new(&root).read(&entry.path, true);
    assert_eq!(found.files.len(), 1);
    assert_eq!(read(&found.files[0]).stamp, found.files[0].stamp);
    fs::write(root.join("a.rs"), "fn ab() {}\n").expect("write");
    let content = read(&found.files[0]);
    assert_ne!(content.stamp, found.files[0].stamp);
    assert_eq!(&*content.text, "fn ab() {}\n");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn links_are_refused_wherever_they_stand() {
        let temp = tempfile::tempdir().expect("temp");
        let root = temp.path();
        fs::create_dir_all(root.join("real/deep")).expect("directories");
        fs::write(root.join("real/deep/a.rs"), "a").expect("write");
        symlink("real/deep/a.rs", root.join("file.rs")).expect("link");
        symlink("nowhere", root.join("dangling.rs")).expect("link");
        symlink("real", root.join("directory")).expect("link");
        let mut reader = Reader::new(root);
        for linked in ["file.rs", "dangling.rs", "directory/deep/a.rs", "directory"] {
            let content = reader.read(&path(linked), true);
            assert_eq!(content.presence, Presence::Unavailable(Unavailable::Symlink), "{linked}");
            assert_eq!((&*content.text, content.digest), ("", None));
        }
        assert_eq!(reader.read(&path("real/deep/a.rs"), true).presence, Presence::Text);
    }

    #[test]
    fn pipes_sockets_and_devices_are_not_waited_for() {
        let temp = tempfile::tempdir().expect("temp");
        let pipe = temp.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        let _socket = std::os::unix::net::UnixListener::bind(temp.path().join("socket")).expect("bind");
        for name in ["pipe", "socket"] {
            let content = read_file(temp.path(), &path(name), true);
            assert_eq!(content.presence, Presence::Unavailable(Unavailable::NotRegular), "{name}");
        }
        let device = read_file(Path::new("/dev"), &path("null"), true);
        assert_eq!(device.presence, Presence::Unavailable(Unavailable::NotRegular));
    }

    #[test]
    fn permissions() {
        let temp = tempfile::tempdir().expect("temp");
        let file = temp.path().join("a.rs");
        fs::write(&file, "a").expect("write");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).expect("chmod");
        let bites = fs::read(&file).is_err();
        let content = read_file(temp.path(), &path("a.rs"), true);
        if bites {
            let reason = Unavailable::Unreadable("permission denied".to_owned());
            assert_eq!(content.presence, Presence::Unavailable(reason));
        } else {
            // Permissions do not hold the superuser back.
            assert_eq!(&*content.text, "a");
        }
    }

    /// Files of procfs say size 0 and give bytes: what a file says of itself never agrees with what is read.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_never_agrees_with_its_stamp() {
        let content = read_file(Path::new("/proc/self"), &path("status"), true);
        assert_eq!(content.presence, Presence::Unavailable(Unavailable::Changing));
    }

    /// A writer that never stops: each read is whole, or is refused as changing, but is never torn.
    #[test]
    fn a_file_under_a_writer_is_read_whole() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let temp = tempfile::tempdir().expect("temp");
        let (file, next) = (temp.path().join("a"), temp.path().join("next"));
        fs::write(&file, "0".repeat(100_000)).expect("write");
        let stop = AtomicBool::new(false);
        let mut seen = std::collections::BTreeSet::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for digit in (0..10).cycle().take_while(|_| !stop.load(Ordering::Relaxed)) {
                    fs::write(&next, digit.to_string().repeat(100_000)).expect("write");
                    fs::rename(&next, &file).expect("rename");
                }
            });
            for _ in 0..300 {
                let content = read_file(temp.path(), &path("a"), true);
                if content.presence == Presence::Text {
                    let first = content.text.as_bytes()[0];
                    assert!(content.text.len() == 100_000 && content.text.bytes().all(|b| b == first));
                    seen.insert(first);
                } else {
                    assert_eq!(content.presence, Presence::Unavailable(Unavailable::Changing));
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert!(!seen.is_empty(), "nothing was read");
    }
}
