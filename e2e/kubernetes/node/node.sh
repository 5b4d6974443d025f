#!/usr/bin/env bash
# Runs a Kubernetes node of the programs that programs.sh built, in namespaces of its own: nothing outside sees its addresses, and the
# end of its first process ends all of them. The machine needs control groups of version 1.
#
#   node.sh start       starts a new node, or does nothing where one runs
#   node.sh stop        ends it; what it kept stays in $NODE/state until the next start
#   node.sh load        imports the images of an archive of `docker save`, which is the standard input
#   node.sh run COMMAND…  runs a command where the node runs
# overlayfs must be able to write to $NODE, which is not below /run or /var.
set -euo pipefail
export NODE=${NODE:?the folder for programs, images and data}
here=$(readlink -f "$0")
state=$NODE/state
run=$NODE/run
logs=$NODE/logs

# The node's address is on a link that leads nowhere. config has the other ones.
address=10.255.0.1
services=10.96.0.0/16

pid() { cat "$run/pid"; }
runs() { [ -s "$run/pid" ] && grep -qsz "^NODE=$NODE\$" "/proc/$(pid)/environ"; }
inside() { nsenter --target "$(pid)" --net --mount --uts --ipc --pid --cgroup --wd=/ "$@"; }
client() { "$NODE/bin/kubectl" --kubeconfig "$state/admin.conf" "$@"; }

# await SECONDS COMMAND… waits until a command succeeds.
await() {
  local end=$((SECONDS + $1))
  until "${@:2}" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "after $1 seconds there is still no success of: ${*:2}" >&2; return 1; }
    sleep 0.2
  done
}

# enter_groups makes a control group in each hierarchy below the one of this process, and enters it.
enter_groups() {
  local names path folder file
  while IFS=: read -r _ names path; do
    folder=/sys/fs/cgroup/${names#name=}
    [ -n "$names" ] && [ -d "$folder" ] || continue
    folder=$folder${path%/}/node-$BASHPID
    mkdir "$folder"
    for file in cpuset.cpus cpuset.mems; do
      [ ! -e "$folder/$file" ] || cat "$folder/../$file" >"$folder/$file"
    done
    echo $BASHPID >"$folder/cgroup.procs"
    echo "$folder" >>"$run/groups"
  done < <(cat /proc/self/cgroup)
}

remove_groups() {
  local folder
  while read -r folder; do
    [ ! -d "$folder" ] || find "$folder" -depth -type d -exec rmdir {} +
  done <"$run/groups"
}

# note_child PID writes down the first process, which is the child of unshare.
note_child() {
  [ "$(<"/proc/$1/comm")" = unshare ] && tr -d ' ' <"/proc/$1/task/$1/children" >"$run/pid" && [ -s "$run/pid" ]
}

start() {
  runs && return
  stop
  rm -rf "$state"
  mkdir -p "$run" "$logs" "$state"
  (
    enter_groups
    exec setsid unshare --net --mount --uts --ipc --pid --cgroup --fork --mount-proc bash "$here" first-process
  ) >"$logs/node.log" 2>&1 </dev/null &
  await 10 note_child $!
  await 120 test -e "$run/ready" || { tail -n 5 "$logs"/*.log >&2; return 1; }
}

stop() {
  if runs; then
    local first
    first=$(pid)
    kill -9 "$first"
    await 30 test ! -d "/proc/$first"
  fi
  [ ! -s "$run/groups" ] || await 30 remove_groups
  rm -rf "$run"
}

# --- what the first process does
# keep NAME COMMAND… runs a program, and again whenever it ends.
keep() {
  local name=$1
  while :; do
    "${@:2}" 2>&1 </dev/null || true
    echo "$name has ended"
    sleep 1
  done >"$logs/$name.log" &
}

# mounts gives the node control groups and folders of its own. The kubelet sets some values of the whole machine; it finds them in
# files, as it wants them.
mounts() {
  local names setting file
  umount -lR /sys
  mount -t sysfs sysfs /sys
  mount -t tmpfs tmpfs /sys/fs/cgroup
  while IFS=: read -r _ names _; do
    [ -n "$names" ] || continue
    mkdir "/sys/fs/cgroup/${names#name=}"
    case $names in
    name=*) mount -t cgroup -o "none,$names" cgroup "/sys/fs/cgroup/${names#name=}" ;;
    *) mount -t cgroup -o "$names" cgroup "/sys/fs/cgroup/$names" ;;
    esac
  done < <(cat /proc/self/cgroup)
  for file in /run /var/lib /var/log; do mount -t tmpfs tmpfs $file; done
  for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
    kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
    file=/run/${setting##*/}
    echo "${setting#*=}" >"${file%=*}"
    mount --bind "${file%=*}" "/proc/sys/${setting%=*}"
  done
  # Without a name server the pull of a missing image fails at once.
  : >/run/resolv.conf
  mount --bind /run/resolv.conf /etc/resolv.conf
  install -D --target-directory /run/networks "${here%/*}/config/network.conflist"
  mount --make-rshared /
}

network() {
  hostname node
  ip link set lo up
  ip link add node type veth peer name nowhere
  ip link set nowhere up
  ip link set node up
  ip address add $address/24 dev node
  ip route add default dev node # an address of a service is routed before it is translated
  echo 1 >/proc/sys/net/ipv4/ip_forward
  echo 1 >/proc/sys/net/bridge/bridge-nf-call-iptables
}

# credentials makes the administrator's token. All programs have it, and the kubelet obeys everybody (config/kubelet.yaml): none but
# the node's pods are in its network.
credentials() {
  local token
  token=$(openssl rand -hex 16)
  openssl genrsa -out "$state/accounts.key" 2048
  echo "$token,admin,admin,system:masters" >"$state/tokens.csv"
  cat >"$state/admin.conf" <<YAML
apiVersion: v1
kind: Config
clusters: [{name: node, cluster: {server: "https://$address:6443", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: $token}}]
contexts: [{name: node, context: {cluster: node, user: admin}}]
current-context: node
YAML
  cp "$state/admin.conf" /run/
}

# volumes prints volumes, which are folders. A claim gets one of them when its first pod is scheduled.
volumes() {
  local number
  for number in {1..16}; do
    mkdir -p "$state/volumes/$number"
    cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: volume-$number}
spec:
  capacity: {storage: 100Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: local
  local: {path: $state/volumes/$number}
  nodeAffinity:
    required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node]}]}]}
YAML
  done
}

first_process() {
  mounts
  network
  credentials
  local config=${here%/*}/config
  export PATH=$NODE/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run KUBECONFIG=/run/admin.conf
  keep etcd etcd --data-dir "$state/etcd" --unsafe-no-fsync
  keep containerd containerd --config "$config/containerd.toml" --root "$state/containerd"
  keep kube-apiserver kube-apiserver --etcd-servers=http://127.0.0.1:2379 --cert-dir="$state/certificates" \
    --advertise-address=$address --service-cluster-ip-range=$services --allow-privileged --authorization-mode=RBAC \
    --token-auth-file="$state/tokens.csv" --kubelet-preferred-address-types=InternalIP \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$state/accounts.key" \
    --service-account-signing-key-file="$state/accounts.key"
  await 120 client get --raw /readyz
  keep kube-controller-manager kube-controller-manager --kubeconfig="$KUBECONFIG" --leader-elect=false \
    --root-ca-file="$state/certificates/apiserver.crt" --service-account-private-key-file="$state/accounts.key" \
    --flex-volume-plugin-dir=/run/plugins
  keep kube-scheduler kube-scheduler --kubeconfig="$KUBECONFIG" --leader-elect=false
  keep kubelet kubelet --config="$config/kubelet.yaml" --kubeconfig="$KUBECONFIG" --root-dir="$state/kubelet" \
    --cert-dir="$state/certificates" --hostname-override=node --node-ip=$address
  keep kube-proxy kube-proxy --config="$config/proxy.yaml"
  keep policies policies --kubeconfig="$KUBECONFIG" --hostname-override=node --service-cluster-ip-range=$services
  await 60 ctr version
  await 60 client wait --for=condition=Ready node/node --timeout=10s
  volumes | client apply --server-side --filename - --filename "$config/system.yaml" >/dev/null
  touch "$run/ready"
  wait
}

case ${1:-} in
start | stop) "$1" ;;
load) inside ctr --namespace k8s.io images import - ;;
run) inside "${@:2}" ;;
first-process) first_process ;;
*)
  sed -n '2,/^set /s/^# \{0,1\}//p' "$here" >&2
  exit 2
  ;;
esac
