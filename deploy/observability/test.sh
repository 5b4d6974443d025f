#!/usr/bin/env bash
# Checks the rules and the scrape configuration, and shows by promtool when critical alerts fire. Where promtool cannot
# be had, the tests are skipped; with NO_SKIP set that is a failure.
set -euo pipefail
cd "$(dirname "$0")"

if ! promtool=$(./tool.sh promtool); then
  if [ -n "${NO_SKIP:-}" ]; then exit 1; fi
  echo "SKIPPED: the tests of alert rules" >&2
  exit 0
fi
"$promtool" check config prometheus/prometheus.yml
"$promtool" test rules prometheus/alerts_test.yml
