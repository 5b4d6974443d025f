#!/usr/bin/env bash
# Upgrades the running site without refusing a request: builds the images, then replaces one service after the other.
# New containers of a service start beside the old ones; once they are healthy, the old ones finish their requests and end.
# Several gateways need a range of ports, as PORT=8080-8081 in .env, and a proxy that uses both. The images of NATS and MinIO are
# not built: with containerd each build has a digest of its own, so that Compose would restart them even if nothing changed.
#
#   deploy/docker/upgrade.sh
set -euo pipefail
cd "$(dirname "$0")/../.."

services=$(sed -nE 's,^ +entrypoint: \[/([a-z]+)\]$,\1,p' docker-compose.yml)
# One of the services builds the image of all.
# shellcheck disable=SC2086 # the names are words
docker compose build $services gateway bot provision
# Roles of the databases, streams and consumers of the new version may be there before its programs.
docker compose exec --no-TTY postgres sh <deploy/docker/postgres/10-databases.sh
docker compose run --rm --no-deps provision

for service in $services gateway; do
  old=$(docker compose ps --quiet "$service")
  [ -n "$old" ] || continue
  replicas=$(wc -w <<<"$old")
  if [ "$service" = gateway ] && ! grep -Eq '^PORT=[0-9]+-[0-9]+$' .env; then
    echo "$0: PORT in .env is one port, which two gateways cannot share: the site is closed while the gateway restarts" >&2
    continue # the last command replaces it
  fi
  docker compose up --detach --wait --no-deps --no-recreate --scale "$service=$((2 * replicas))" "$service"
  sleep 10 # the gateway resolves names every three seconds and checks replicas every second; longer on a busy machine
  # shellcheck disable=SC2086 # the ids are words
  docker stop $old >/dev/null && docker rm $old >/dev/null
done

# The bot, whose rooms close, and servers whose settings have changed.
docker compose up --detach --wait
