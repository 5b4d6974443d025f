#!/usr/bin/env bash
# Checks the rules and the scrape configuration, and shows by promtool when each alert fires.
#
# promtool is the one in PATH, or that of Debian's package prometheus, which is unpacked (not installed) into
# .tools. Where there is neither, the tests are skipped; with NO_SKIP set that is a failure.
set -euo pipefail
cd "$(dirname "$0")"
tools=$(cd ../.. && pwd)/.tools

find_promtool() {
  command -v promtool && return
  [ -x "$tools/bin/promtool" ] || fetch_promtool >&2 || return 1
  echo "$tools/bin/promtool"
}

fetch_promtool() {
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  local unpacked
  unpacked=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder as it is now
  trap "rm -rf '$unpacked'" RETURN
  (cd "$unpacked" && { apt-get download -q prometheus || { apt-get update -q && apt-get download -q prometheus; }; }) || return 1
  dpkg-deb -x "$unpacked"/prometheus_*.deb "$unpacked" && mkdir -p "$tools/bin" && cp "$unpacked/usr/bin/promtool" "$tools/bin/"
}

if ! promtool=$(find_promtool); then
  echo "There is no promtool here: install Prometheus, or run this on Debian." >&2
  if [ -n "${NO_SKIP:-}" ]; then exit 1; fi
  echo "SKIPPED: the tests of alert rules" >&2
  exit 0
fi
"$promtool" check config prometheus/prometheus.yml
"$promtool" test rules prometheus/tests/*.yml
