//! Files as they are read.

use std::fs;

use super::*;

#[test]
fn files() {
    let temp = tempfile::tempdir().expect("temp");
    let root = temp.path();
    let file = root.join(CONFIG_FILE);
    let load = || load_config(root);

    let absent = load().expect("defaults");
    assert_eq!(absent, LoadedConfig { config: Config::default(), digest: Digest::of(b""), exists: false });
    fs::write(&file, "[source]\nfiles = 1000\n").expect("write");
    let loaded = load().expect("valid");
    // sha256sum of these bytes.
    assert_eq!((loaded.config.source.files, loaded.exists), (1000, true));
    assert_eq!(loaded.digest.hex(), "2d269f57b65eecd51bb3b64ea95f0e817b5b2c0b63201e67c9dafa01ef335fe8");
    fs::write(&file, b"a = '\xff'").expect("write");
    assert_eq!(load(), Err(ConfigError::NotUtf8 { offset: 5 }));
    let mut padded = vec![b'#'; CONFIG_BYTES_MAX as usize];
    fs::write(&file, &padded).expect("write");
    assert!(load().is_ok());
    padded.push(b'#');
    fs::write(&file, &padded).expect("write");
    assert_eq!(load(), Err(ConfigError::TooLarge));
    fs::remove_file(&file).expect("remove");
    fs::create_dir(&file).expect("dir");
    assert!(matches!(load(), Err(ConfigError::Unreadable(_))));
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let temp = tempfile::tempdir().expect("temp");
    fs::write(temp.path().join("real.toml"), "").expect("write");
    std::os::unix::fs::symlink("real.toml", temp.path().join(CONFIG_FILE)).expect("link");
    let error = load_config(temp.path()).expect_err("a link");
    assert!(error.to_string().contains("symbolic link"), "{error}");
}
