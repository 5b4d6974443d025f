#!/usr/bin/env bash
# engine.sh start|stop: runs the engine that programs.sh built, on a socket of its own ($ENGINE/docker.sock).
set -euo pipefail
ENGINE=${ENGINE:?the folder for programs, images and data}
export DOCKER_HOST=unix://$ENGINE/docker.sock
answers() { docker version >/dev/null 2>&1; }

case ${1:-} in
start)
  answers && exit 0
  mkdir -p "$ENGINE/run" "$ENGINE/data" "$ENGINE/exec"
  # It finds docker-proxy by PATH. The mirror's address refuses at once, so that a missing image fails at once.
  # Images are kept in containerd, as Docker 29 does by default: provenance and SBOMs need it.
  PATH=$ENGINE/bin:$PATH setsid "$ENGINE/bin/dockerd" --host "$DOCKER_HOST" --data-root "$ENGINE/data" --exec-root "$ENGINE/exec" \
    --feature containerd-snapshotter=true --pidfile "$ENGINE/run/dockerd.pid" --registry-mirror http://127.0.0.1:9 >"$ENGINE/dockerd.log" 2>&1 </dev/null &
  for _ in $(seq 120); do
    answers && exit 0
    sleep 0.5
  done
  tail -20 "$ENGINE/dockerd.log" >&2
  echo "the engine did not start" >&2
  exit 1
  ;;
stop)
  [ -s "$ENGINE/run/dockerd.pid" ] || exit 0
  pid=$(cat "$ENGINE/run/dockerd.pid")
  kill "$pid" 2>/dev/null || exit 0
  while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
  ;;
*)
  echo "usage: $0 start|stop" >&2
  exit 2
  ;;
esac
