#!/usr/bin/env bash
# Prints where a program of Prometheus is: `tool.sh promtool`, `tool.sh prometheus`. It is the one in PATH, or that
# of Debian's package, which is unpacked (not installed) into .tools. Fails where there is neither.
set -euo pipefail
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools

fetch() {
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  local unpacked
  unpacked=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder as it is now
  trap "rm -rf '$unpacked'" RETURN
  (cd "$unpacked" && { apt-get download -q prometheus || { apt-get update -q && apt-get download -q prometheus; }; }) || return 1
  dpkg-deb -x "$unpacked"/prometheus_*.deb "$unpacked" && mkdir -p "$tools/bin" && cp "$unpacked/usr/bin/promtool" "$unpacked/usr/bin/prometheus" "$tools/bin/"
}

command -v "$1" && exit
if [ ! -x "$tools/bin/$1" ] && ! fetch >&2; then
  echo "There is no $1 here: install Prometheus, or run this on Debian." >&2
  exit 1
fi
echo "$tools/bin/$1"
