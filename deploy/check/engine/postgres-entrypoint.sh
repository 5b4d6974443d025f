#!/usr/bin/env bash
# What PostgreSQL's image documents for a container that runs as postgres: a new data folder is made with POSTGRES_INITDB_ARGS and
# POSTGRES_PASSWORD, and the scripts of /docker-entrypoint-initdb.d run against a server that listens on its socket alone.
set -Eeuo pipefail
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  # shellcheck disable=SC2086 # the arguments are words
  initdb --username=postgres --pwfile=<(printf '%s\n' "${POSTGRES_PASSWORD:?}") --pgdata="$PGDATA" ${POSTGRES_INITDB_ARGS:-}
  printf '\nhost all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" --options="$(printf '%q ' "${@:2}" -c listen_addresses=)" --wait start
  for script in /docker-entrypoint-initdb.d/*.sh; do
    if [ -x "$script" ]; then "$script"; else . "$script"; fi
  done
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
exec "$@"
