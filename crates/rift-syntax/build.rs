//! Digests everything that decides the facts of a text, so that stored facts of another build are told apart.
#![allow(clippy::disallowed_methods, reason = "a build script reads the sources")]

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// FNV-1a with 64 bits: stable across toolchains, and nobody picks the sources to collide.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut digest = Fnv(0xcbf2_9ce4_8422_2325);
    for folder in [here.join("src"), here.join("../rift-base/src")] {
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        list(&folder, &mut files)?;
        files.sort();
        for file in files {
            digest.write(file.strip_prefix(&here).unwrap_or(&file).as_os_str().as_encoded_bytes());
            digest.write(&fs::read(&file)?);
        }
    }
    let lock = here.join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    // A package of its own has no lock file at that place.
    let lock = fs::read_to_string(lock).unwrap_or_default();
    let decisive =
        |package: &&str| ["tree-sitter", "postcard", "lz4_flex"].iter().any(|name| package.starts_with(name));
    for package in lock.split("name = \"").filter(decisive) {
        let entry: String = package.lines().take(2).collect();
        digest.write(entry.as_bytes());
    }
    println!("cargo::rustc-env=RIFT_EXTRACTOR={:016x}", digest.finish());
    Ok(())
}

fn list(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, out)?;
        } else {
            out.push(path);
        }
    }
    Ok(())
}
