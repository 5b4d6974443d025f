#!/usr/bin/env bash
# Builds a Docker Engine, Compose, BuildKit's Dockerfile frontend and, where SBOMS is set, the scanner Syft from Go modules into $ENGINE/bin, because no
# registry and no release page is needed for them. containerd and runc come from Debian's package docker.io.
set -euo pipefail
ENGINE=${ENGINE:?the folder for programs, images and data}

compose=v2.40.3
buildkit=v0.25.2
engine=v28.5.2
syft=v1.52.0

[ "$(id -u)" != 0 ] || "$(dirname "$0")/../../../.ci/install" docker.io debootstrap busybox-static rclone

export GOTOOLCHAIN=local GOWORK=off CGO_ENABLED=0
mkdir -p "$ENGINE/bin" "$ENGINE/source"

# build PACKAGE VERSION PROGRAM [LDFLAGS] builds a program with the module versions that its own module requires.
build() {
  local program=$ENGINE/bin/$3 folder
  [ ! -x "$program" ] || return 0
  echo "building $3 $2"
  folder=$(mktemp -d "$ENGINE/source/XXXXXX")
  (
    cd "$folder"
    export GOFLAGS=-buildvcs=false
    go mod init build
    go get "$1@$2"
    go build -trimpath -ldflags "-s -w ${4:-}" -o "$program" "$1"
  ) >"$folder.log" 2>&1 || { tail -20 "$folder.log" >&2; return 1; }
  rm -rf "$folder" "$folder.log"
}
build github.com/docker/compose/v2/cmd $compose docker-compose "-X github.com/docker/compose/v2/internal.Version=$compose"
build github.com/moby/buildkit/frontend/dockerfile/cmd/dockerfile-frontend $buildkit dockerfile-frontend
[ -z "${SBOMS:-}" ] || build github.com/anchore/syft/cmd/syft $syft syft

# The engine's module has no go.mod. Its vendor.mod is one under another name.
if [ ! -x "$ENGINE/bin/dockerd" ]; then
  echo "building dockerd $engine"
  source=$(cd / && GOFLAGS='' go mod download -json "github.com/docker/docker@$engine+incompatible" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  rm -rf "$ENGINE/source/docker"
  cp -r "$source" "$ENGINE/source/docker"
  chmod -R u+w "$ENGINE/source/docker"
  cd "$ENGINE/source/docker"
  cp vendor.mod go.mod
  cp vendor.sum go.sum
  version=github.com/docker/docker/dockerversion
  for program in docker-proxy dockerd; do
    GOFLAGS="-mod=mod -buildvcs=false" go build -tags exclude_graphdriver_btrfs \
      -ldflags "-s -w -X $version.Version=${engine#v} -X $version.GitCommit=source" -o "$ENGINE/bin/$program" "./cmd/$program"
  done >"$ENGINE/source/docker.log" 2>&1 || { tail -20 "$ENGINE/source/docker.log" >&2; exit 1; }
  cd "$ENGINE"
  rm -rf "$ENGINE/source/docker"
fi
