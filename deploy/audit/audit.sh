#!/usr/bin/env bash
# Looks for known vulnerabilities: govulncheck in the code of every Go module, npm in the packages that the site ships
# with. It fails for each one that go.exceptions and npm.exceptions do not name. A line there is an id, the last day
# of the exception (within a year) and the reason. An exception that is over or not needed any more fails too.
#
# Where a database cannot be reached, the script prints what was not checked and passes; with AUDIT_REQUIRED=1 it
# fails. GOVULNDB names another database of Go's vulnerabilities (https://…, or file:// and a folder).
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
exceptions=${AUDIT_EXCEPTIONS:-$here}
cd "$here/../.."

version=v1.8.0
govulncheck=${GOVULNCHECK:-$PWD/.tools/bin/govulncheck-$version}
today=$(date +%F)
next_year=$((${today%%-*} + 1))${today#????}
failed=0

fail() { echo "FAILED: $*" >&2; failed=1; }

not_checked() { # not_checked TOOL REASON
  printf '%.0s!' {1..100}
  printf '\n%s WAS NOT CHECKED: %s\n' "$1" "$2"
  printf '%.0s!' {1..100}
  echo
  [ -z "${AUDIT_REQUIRED:-}" ] || fail "$1 was not checked, and AUDIT_REQUIRED is set"
}

judge() { # judge TOOL ID...: compares what was found with the exceptions
  local tool=$1 id until reason file="$exceptions/$1.exceptions" excepted=" " found
  shift
  found=" $* "
  while read -r id until reason; do
    [[ -z $id || $id == \#* ]] && continue
    excepted+="$id "
    if [[ ! $until =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ || -z $reason ]]; then
      fail "the exception of $id lacks a last day or a reason"
    elif [[ $until < $today ]]; then
      fail "the exception of $id ended with $until: $reason"
    elif [[ $until > $next_year ]]; then
      fail "the exception of $id is for longer than a year"
    elif [[ $found != *" $id "* ]]; then
      fail "the exception of $id is not needed any more"
    fi
  done <"$file"
  for id in "$@"; do
    [[ $excepted == *" $id "* ]] || fail "$tool has the known vulnerability $id"
  done
  echo "$tool: checked, $# known vulnerabilities"
}

check_go() {
  local modules module report found=""
  modules=$(go list -m -f '{{.Dir}}') || { fail "go list"; return; }
  for module in $modules; do
    report=$(cd "$module" && GOWORK=off "$govulncheck" ${GOVULNDB:+-db "$GOVULNDB"} ./... 2>&1)
    case $? in
      0) ;;
      3) # what the code calls; what is merely required is not in these lines
        echo "$report"
        found+=" $(sed -nE 's/^Vulnerability #[0-9]+: (\S+)$/\1/p' <<<"$report" | tr '\n' ' ')" ;;
      *)
        if grep -qE 'fetching vulnerabilities|creating client' <<<"$report"; then
          not_checked go "$report"
          return
        fi
        fail "govulncheck in $module: $report"
        return ;;
    esac
  done
  judge go $(tr ' ' '\n' <<<"$found" | sort -u)
}

check_npm() {
  local report
  report=$(cd web && npm audit --omit=dev --json 2>/dev/null)
  if ! grep -q '"auditReportVersion": 2' <<<"$report"; then
    not_checked npm "$(grep -m1 -E '"(message|summary)"' <<<"$report" || echo 'npm gives no report')"
    return
  fi
  judge npm $(grep -oE 'GHSA(-[0-9a-z]{4}){3}' <<<"$report" | sort -u)
}

if [ ! -x "$govulncheck" ]; then
  GOBIN="$PWD/.tools/bin" .ci/retry go install "golang.org/x/vuln/cmd/govulncheck@$version" || exit 1
  mv .tools/bin/govulncheck "$govulncheck"
fi
check_go
check_npm
exit $failed
