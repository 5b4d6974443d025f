#!/usr/bin/env bash
# Builds the programs of a Kubernetes node from Go modules into $NODE/bin, those that are missing there. containerd, runc, the plugins
# for networks and the tools of the firewall are Debian's packages.
set -euo pipefail
NODE=${NODE:?the folder for programs, images and data}
here=$(cd "$(dirname "$0")" && pwd)

kubernetes=1.35.4
etcd=v3.6.7
coredns=v1.14.7
kube_router=v2.1.0
prometheus_operator=v0.85.0
cloudnative_pg=v1.27.0

"$here/../../../.ci/install" containerd runc containernetworking-plugins iptables nftables ipset conntrack openssl

export GOTOOLCHAIN=local GOWORK=off CGO_ENABLED=0 GOFLAGS=-buildvcs=false
mkdir -p "$NODE/bin" "$NODE/source" "$NODE/definitions"

# module MODULE@VERSION prints the folder of a module's files.
module() { (cd / && GOFLAGS='' go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'); }

# compile PACKAGE [LDFLAGS] builds a program of the module in this folder.
compile() { go build -trimpath -ldflags "-s -w ${2:-}" -o "$NODE/bin/" "$1"; }

# build PROGRAM COMMAND… runs a command in a new folder where the program is missing, and prints the end of its output where it fails.
build() {
  [ ! -x "$NODE/bin/$1" ] || return 0
  echo "building $1"
  local folder=$NODE/source/$1 status
  rm -rf "$folder"
  mkdir -p "$folder"
  set +e
  (set -e; cd "$folder"; "${@:2}") >"$folder.log" 2>&1
  status=$?
  set -e
  [ $status = 0 ] || { tail -20 "$folder.log" >&2; exit $status; }
  rm -rf "$folder"
}

# The module of Kubernetes requires its parts in version 0.0.0 and has them in its repository. They are published by themselves, too.
kubernetes_module() {
  local part
  go mod init build
  go mod edit -require "k8s.io/kubernetes@v$kubernetes"
  for part in $(sed -nE 's/^\t(k8s.io\/[a-z-]+) v0.0.0$/\1/p' "$(module "k8s.io/kubernetes@v$kubernetes")/go.mod" | sort -u); do
    go mod edit -replace "$part=$part@v0${kubernetes#1}"
  done
}

# kubernetes_programs NAME… builds programs of Kubernetes.
kubernetes_programs() {
  local version=k8s.io/component-base/version name packages=("${@/#/k8s.io/kubernetes/cmd/}")
  kubernetes_module
  export GOFLAGS="$GOFLAGS -mod=mod"
  go get "${packages[@]/%/@v$kubernetes}"
  for name; do
    compile "k8s.io/kubernetes/cmd/$name" "-X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=35"
  done
}

# program MODULE@VERSION… builds a program of one file, which is the standard input, with these modules.
program() {
  cat >main.go
  go mod init "$(basename "$PWD")"
  go get "$@"
  go mod tidy
  compile .
}

build etcd program "go.etcd.io/etcd/server/v3@$etcd" <<'GO'
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
GO
build coredns program "github.com/coredns/coredns@$coredns" < <(
  printf 'package main\n\nimport (\n\t"github.com/coredns/coredns/coremain"\n\n'
  printf '\t_ "github.com/coredns/coredns/plugin/%s"\n' cache errors health kubernetes loadbalance log ready
  printf ')\n\nfunc main() { coremain.Run() }\n'
)
build policies program "github.com/cloudnativelabs/kube-router/v2@$kube_router" "k8s.io/client-go@v0${kubernetes#1}" \
  < <(sed '/^\/\/go:build/d' "$here/policies.go")
programs=(kube-apiserver kube-controller-manager kube-scheduler kube-proxy kubectl kubelet)
build "${programs[-1]}" kubernetes_programs "${programs[@]}" </dev/null

# What the operators of deploy/k8s define.
definitions=$(module "github.com/prometheus-operator/prometheus-operator@$prometheus_operator")/example/prometheus-operator-crd
install -m 644 "$definitions"/monitoring.coreos.com_{podmonitors,prometheusrules}.yaml "$NODE/definitions/"
definitions=$(module "github.com/cloudnative-pg/cloudnative-pg@$cloudnative_pg")/config/crd/bases
install -m 644 "$definitions"/postgresql.cnpg.io_{clusters,databases}.yaml "$NODE/definitions/"
