#!/usr/bin/env bash
# Fetches the real code that the benchmarks and counts run over, by registry name and pinned version, into a cache folder outside the clone.
#
#   tests/bench/corpora.sh            all of them
#   tests/bench/corpora.sh django …   only the named ones
#
# Prints one line a corpus: name, version, files, bytes, folder. A second run prints the same lines and fetches nothing.
# What could not be fetched is named on stderr and makes the exit status 1.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${RIFT_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rift-tests}/corpora
mkdir -p "$cache"
scratch=$(mktemp -d "$cache/.fetch.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# name, version, how, smallest number of files that counts as whole
corpora() {
    cat <<'TABLE'
django 5.2.19 pypi 6000
openjdk-17-source 17.0.21.1+2-1~deb12u1 debian-src-zip 15000
golang-github-docker-docker-dev 20.10.24+dfsg1-1+deb12u1 debian 1400
effect 3.22.4 npm 2000
rxjs 7.8.2 npm 1800
three 0.187.0 npm 800
react-native 0.88.1 npm 3000
react-native-paper 5.15.3 npm 600
librocksdb-sys 0.19.0+11.8.1 crate 1200
openssl-src 400.0.2+4.0.3 crate 2400
tantivy 0.27.0 crate 300
requests 2.34.2 pypi 80
rich 15.0.0 pypi 80
zod 4.6.7 npm 400
commander 15.1.0 npm 10
zstd-sys 2.1.3+zstd.1.5.7 crate 120
leveldb-sys 2.0.9 crate 150
libz-sys 1.1.33 crate 100
rust-crates 1 crates 4000
TABLE
}

fetch_pypi() { # unpacks the source distribution; nothing of it is installed
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest "$scratch" "$1==$2"
    tar -xf "$scratch"/*.tar.gz -C "$scratch/out" --strip-components=1
}

fetch_npm() {
    (cd "$scratch" && npm pack --silent "$1@$2" >/dev/null)
    tar -xf "$scratch"/*.tgz -C "$scratch/out" --strip-components=1
}

fetch_debian() { # the pinned version while the archive has it, else its successor of the same suite
    if ! (cd "$scratch" && apt-get -q download "$1=$2" >/dev/null 2>&1); then
        echo "corpora: $1 $2 is no longer in the archive, taking its successor" >&2
        (cd "$scratch" && apt-get -q download "$1" >/dev/null)
    fi
    dpkg-deb -x "$scratch"/*.deb "$scratch/out"
}

fetch_debian-src-zip() {
    fetch_debian "$1" "$2"
    local zip
    zip=$(find "$scratch/out" -name src.zip -type f | head -n 1)
    mkdir "$scratch/unzipped"
    python3 -m zipfile -e "$zip" "$scratch/unzipped"
    rm -rf "$scratch/out"
    mv "$scratch/unzipped" "$scratch/out"
}

# Lays the named crates ("name version" lines on stdin) side by side in $scratch/out, as the registry published them.
fetch_listed() {
    local list home name version manifest=$scratch/manifest
    list=$(grep -v '^#')
    mkdir -p "$manifest/src"
    : >"$manifest/src/lib.rs"
    {
        printf '[package]\nname = "corpus"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
        while read -r name version; do
            printf '%s = { version = "=%s", default-features = false }\n' "$name" "${version%%+*}"
        done <<<"$list"
    } >"$manifest/Cargo.toml"
    cargo fetch --quiet --manifest-path "$manifest/Cargo.toml" --target x86_64-unknown-linux-gnu
    home=${CARGO_HOME:-$HOME/.cargo}
    while read -r name version; do
        cp -r "$home"/registry/src/*/"$name-$version" "$scratch/out/"
    done <<<"$list"
}

fetch_crate() {
    echo "$1 $2" | fetch_listed
    mv "$scratch/out/$1-$2" "$scratch/one"
    rm -rf "$scratch/out"
    mv "$scratch/one" "$scratch/out"
}

fetch_crates() { fetch_listed <"$here/crates.txt"; }

failed=0
while read -r name version how least; do
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    target=$cache/$name
    stamp=$cache/.$name.stamp
    want="$name $version"
    [ "$how" = crates ] && want="$want $(cksum <"$here/crates.txt")"
    if [ ! -f "$stamp" ] || [ "$(head -n 1 "$stamp")" != "$want" ]; then
        rm -rf "${scratch:?}"/* "$target" "$stamp"
        mkdir "$scratch/out"
        # A subshell of its own, so that errexit holds inside it.
        set +e
        (set -e; "fetch_$how" "$name" "$version" </dev/null)
        status=$?
        set -e
        files=$(find "$scratch/out" -type f | wc -l)
        if [ "$status" -ne 0 ] || [ "$files" -lt "$least" ]; then
            echo "corpora: $name $version could not be fetched whole (status $status, $files files, at least $least expected)" >&2
            failed=1
            continue
        fi
        mv "$scratch/out" "$target"
        bytes=$(find "$target" -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')
        printf '%s\n%s %s %d files %d bytes\n' "$want" "$name" "$version" "$files" "$bytes" >"$stamp"
    fi
    echo "$(tail -n 1 "$stamp") $target"
done < <(corpora)
exit "$failed"
