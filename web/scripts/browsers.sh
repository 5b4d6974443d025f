#!/usr/bin/env bash
# Installs the Debian packages of the browsers that the tests use, where they are absent: Chromium without windows and
# Firefox. CHROMIUM and FIREFOX name other programs.
set -euo pipefail

missing=()
[ -x "${CHROMIUM:-/usr/bin/chromium-headless-shell}" ] || missing+=(chromium-headless-shell)
[ -x "${FIREFOX:-/usr/bin/firefox-esr}" ] || missing+=(firefox-esr)
[ "${#missing[@]}" -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "The browser tests need ${missing[*]}: apt-get install ${missing[*]}, or name programs in CHROMIUM and FIREFOX." >&2
  exit 1
fi
echo "installing ${missing[*]}"
apt-get -qq -o DPkg::Lock::Timeout=300 update
DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}" >/dev/null
