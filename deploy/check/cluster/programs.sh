#!/usr/bin/env bash
# Builds a Kubernetes API server, its client and etcd from Go modules into $CLUSTER/bin, and copies the operators' resource definitions
# into $CLUSTER/definitions.
set -euo pipefail
CLUSTER=${CLUSTER:?the folder for programs and data}

kubernetes=1.35.4
etcd=v3.6.7
prometheus_operator=v0.85.0
cloudnative_pg=v1.27.0

export GOTOOLCHAIN=local GOWORK=off CGO_ENABLED=0
mkdir -p "$CLUSTER/bin" "$CLUSTER/source" "$CLUSTER/definitions"

# module MODULE@VERSION prints the folder of a module's files.
module() { (cd / && GOFLAGS='' go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'); }

# build NAME runs the function build_NAME, and prints the end of its output where it fails.
build() {
  local log=$CLUSTER/source/$1.log status
  echo "building $1"
  set +e
  (set -e; "build_$1") >"$log" 2>&1
  status=$?
  set -e
  [ $status = 0 ] || { tail -20 "$log" >&2; exit 1; }
}

# k8s.io/kubernetes requires its parts in version 0.0.0 and replaces them by folders of its repository: here by their published versions.
build_kubernetes() {
  rm -rf "$CLUSTER/source/kubernetes"
  mkdir -p "$CLUSTER/source/kubernetes"
  cd "$CLUSTER/source/kubernetes"
  go mod init build
  go mod edit -require "k8s.io/kubernetes@v$kubernetes"
  for part in $(sed -nE 's/^\t(k8s.io\/[a-z-]+) v0.0.0$/\1/p' "$(module "k8s.io/kubernetes@v$kubernetes")/go.mod" | sort -u); do
    go mod edit -replace "$part=$part@v0${kubernetes#1}"
  done
  export GOFLAGS="-buildvcs=false -mod=mod"
  go get "k8s.io/kubernetes/cmd/kube-apiserver@v$kubernetes" "k8s.io/kubernetes/cmd/kubectl@v$kubernetes"
  version=k8s.io/component-base/version
  for program in kubectl kube-apiserver; do
    go build -trimpath -ldflags "-s -w -X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=35" \
      -o "$CLUSTER/bin/" "k8s.io/kubernetes/cmd/$program"
  done
}

build_etcd() {
  rm -rf "$CLUSTER/source/etcd"
  mkdir -p "$CLUSTER/source/etcd"
  cd "$CLUSTER/source/etcd"
  go mod init build
  printf 'package main\n\nimport (\n\t"os"\n\n\t"go.etcd.io/etcd/server/v3/etcdmain"\n)\n\nfunc main() { etcdmain.Main(os.Args) }\n' >main.go
  export GOFLAGS=-buildvcs=false
  go get "go.etcd.io/etcd/server/v3@$etcd"
  go mod tidy
  go build -trimpath -ldflags '-s -w' -o "$CLUSTER/bin/etcd" .
}

[ -x "$CLUSTER/bin/etcd" ] || build etcd
[ -x "$CLUSTER/bin/kube-apiserver" ] || build kubernetes
definitions=$(module "github.com/prometheus-operator/prometheus-operator@$prometheus_operator")/example/prometheus-operator-crd
install -m 644 "$definitions"/monitoring.coreos.com_{podmonitors,prometheusrules}.yaml "$CLUSTER/definitions/"
definitions=$(module "github.com/cloudnative-pg/cloudnative-pg@$cloudnative_pg")/config/crd/bases
install -m 644 "$definitions"/postgresql.cnpg.io_{clusters,databases}.yaml "$CLUSTER/definitions/"
