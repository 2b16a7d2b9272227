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
# The oldest Node that the Inspector runs on; a system Node at least this new is used as it is.
node_least=22.19.0
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

# The MCP Inspector, exactly as tests/peers/package-lock.json pins it.
install_inspector() {
    local want
    inspector=$cache/peers/node_modules/.bin/mcp-inspector
    want=$(cksum <"$here/peers/package-lock.json")
    install_node || return 1
    stamped peers "$want" && [ -e "$inspector" ] && return
    need_npm || return 1
    say "installing the MCP Inspector"
    rm -rf "$cache/peers"
    mkdir -p "$cache/peers"
    cp "$here/peers/package.json" "$here/peers/package-lock.json" "$cache/peers/"
    # Not `npm ci`: it refuses a lockfile whose optional packages for other systems are absent.
    (cd "$cache/peers" && PATH=$(dirname "$node"):$PATH npm install --no-save --no-audit --no-fund --ignore-scripts) ||
        return 1
    stamp peers "$want"
}

node=
inspector=
if install_inspector >>"$log" 2> >(tee -a "$log" | grep '^tests/setup:' >&2); then
    printf 'RIFT_TEST_NODE=%s\nRIFT_TEST_INSPECTOR=%s\n' "$node" "$inspector" >"$cache/env.new"
else
    missing+=("MCP Inspector (npm): the tests named inspector::*")
    : >"$cache/env.new"
fi
mv "$cache/env.new" "$cache/env"

if [ ${#missing[@]} -gt 0 ]; then
    say "could not install the following, so these tests will not run (details: $log):"
    for line in "${missing[@]}"; do say "  $line"; done
    [ "${CI:-}" = true ] && exit 1
fi
exit 0
