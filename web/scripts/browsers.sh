#!/usr/bin/env bash
# Installs the Debian packages of the browsers that the tests use, where they are absent: Chromium without windows and
# Firefox. CHROMIUM and FIREFOX name other programs.
set -euo pipefail

missing=()
[ -x "${CHROMIUM:-/usr/bin/chromium-headless-shell}" ] || missing+=(chromium-headless-shell)
[ -x "${FIREFOX:-/usr/bin/firefox-esr}" ] || missing+=(firefox-esr)
[ "${#missing[@]}" -gt 0 ] || exit 0

echo "installing ${missing[*]}"
exec "$(dirname "$0")/../../.ci/install" "${missing[@]}"
