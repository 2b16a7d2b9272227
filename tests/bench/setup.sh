#!/usr/bin/env bash
# Installs the peers of the benchmarks and counts, once, into the cache folder of the tests: universal-ctags, Go and a JDK
# from Debian, brokk-bifrost from PyPI, the TypeScript compiler from npm. A second run installs nothing.
set -euo pipefail
cache=${RIFT_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rift-tests}
bifrost=0.12.0
typescript=6.0.3
mkdir -p "$cache"

packages=()
ctags --version 2>/dev/null | grep -q 'Universal Ctags' || packages+=(universal-ctags)
command -v go >/dev/null || packages+=(golang-go)
command -v javac >/dev/null || packages+=(default-jdk-headless)
if [ ${#packages[@]} -gt 0 ]; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

if [ "$(cat "$cache/bifrost.stamp" 2>/dev/null)" != "$bifrost" ]; then
    rm -rf "$cache/bifrost"
    python3 -m venv "$cache/bifrost"
    "$cache/bifrost/bin/pip" install --quiet --disable-pip-version-check "brokk-bifrost==$bifrost"
    echo "$bifrost" >"$cache/bifrost.stamp"
fi

if [ "$(cat "$cache/typescript.stamp" 2>/dev/null)" != "$typescript" ]; then
    rm -rf "$cache/typescript"
    mkdir -p "$cache/typescript"
    npm install --prefix "$cache/typescript" --no-save --no-audit --no-fund --silent "typescript@$typescript"
    echo "$typescript" >"$cache/typescript.stamp"
fi
