//! File names that stand for binary formats.

/// Extensions, in lower case and sorted, of formats that are never source text.
const BINARY_EXTENSIONS: &[&str] = &[
    "7z",
    "a",
    "aac",
    "apk",
    "avi",
    "avif",
    "bmp",
    "bz2",
    "class",
    "dex",
    "dll",
    "dmg",
    "doc",
    "docx",
    "dylib",
    "ear",
    "eot",
    "exe",
    "flac",
    "gif",
    "glb",
    "gz",
    "heic",
    "icns",
    "ico",
    "jar",
    "jpeg",
    "jpg",
    "jxl",
    "lib",
    "lz4",
    "mkv",
    "mo",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "npy",
    "npz",
    "o",
    "obb",
    "odp",
    "ods",
    "odt",
    "ogg",
    "onnx",
    "otf",
    "parquet",
    "pdb",
    "pdf",
    "png",
    "ppt",
    "pptx",
    "psd",
    "pyc",
    "pyd",
    "pyo",
    "rar",
    "rlib",
    "rmeta",
    "safetensors",
    "so",
    "sqlite",
    "sqlite3",
    "tar",
    "tgz",
    "tif",
    "tiff",
    "ttc",
    "ttf",
    "war",
    "wasm",
    "wav",
    "webm",
    "webp",
    "whl",
    "wmv",
    "woff",
    "woff2",
    "xls",
    "xlsx",
    "xz",
    "zip",
    "zst",
];

/// Whether a file name's extension, in any case, stands for a binary format.
pub fn is_binary_name(name: &str) -> bool {
    let Some(dot) = name.rfind('.') else { return false };
    let extension = &name.as_bytes()[dot + 1..];
    let mut buffer = [0; 16];
    let Some(lower) = buffer.get_mut(..extension.len()) else { return false };
    lower.copy_from_slice(extension);
    lower.make_ascii_lowercase();
    BINARY_EXTENSIONS.binary_search_by(|candidate| candidate.as_bytes().cmp(&*lower)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert!(BINARY_EXTENSIONS.is_sorted());
        for name in ["a.png", "A.PNG", "lib.so", "django.mo", "x.tar.gz", ".png"] {
            assert!(is_binary_name(name), "{name}");
        }
        for name in ["png", "a.svg", "a.po", "a.rs", "a.", "a.verylongextensionname", "é"] {
            assert!(!is_binary_name(name), "{name}");
        }
    }
}
