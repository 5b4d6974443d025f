#!/usr/bin/env bash
# Makes stand-ins for the base images of docker-compose.yml and deploy/docker under the tags that those files name, on an engine that
# reaches no registry. Go and Node lie on busybox alone, so that a step that needs more than Alpine has fails here, too. PostgreSQL
# and Valkey are Debian's packages of the same major versions in the layout of the official images, and rclone is Debian's program.
set -euo pipefail
ENGINE=${ENGINE:?the folder for programs, images and data}
export DOCKER_HOST=unix://$ENGINE/docker.sock
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
roots=$ENGINE/roots
mkdir -p "$roots"

# tag NAME prints the tag of an image as the project's files name it.
tag() {
  grep -hoE "(image: |FROM (--platform=[^ ]+ )?)$1:[^ ]+" "$root/docker-compose.yml" "$root"/deploy/docker/*ockerfile | sed -E 's/.* //' | sort -u
}
missing() { ! docker image inspect "$1" >/dev/null 2>&1; }

# import FOLDER TAG CHANGE… makes an image of a folder.
import() {
  local folder=$1 image=$2 changes=() change
  shift 2
  for change; do changes+=(--change "$change"); done
  tar -C "$folder" --numeric-owner -c . | docker import "${changes[@]}" - "$image" >/dev/null
  rm -rf "$folder"
  echo "made $image"
}

certificates="ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"
path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# bare FOLDER makes a root with busybox, certificates and two users.
bare() {
  rm -rf "$1"
  mkdir -p "$1"/{bin,sbin,usr/bin,usr/sbin,usr/local,etc/ssl/certs,tmp,var/tmp,root,home,proc,sys,dev,lib64,lib/x86_64-linux-gnu}
  chmod 1777 "$1/tmp" "$1/var/tmp"
  cp "$(readlink -f "$(command -v busybox)")" "$1/bin/busybox"
  local applet
  for applet in $(busybox --list); do
    [ "$applet" = busybox ] || ln -s /bin/busybox "$1/bin/$applet"
  done
  ln -s /bin/env "$1/usr/bin/env"
  cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
  printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n' >"$1/etc/passwd"
  printf 'root:x:0:\nnobody:x:65534:\n' >"$1/etc/group"
  echo 'hosts: files dns' >"$1/etc/nsswitch.conf"
}

# debian SUITE FOLDER PACKAGE… makes a small Debian with packages that are unpacked, not configured: their scripts would start servers.
debian() {
  local suite=$1 folder=$2 mirror
  shift 2
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null | sed -nE '0,/^(deb |URIs:)/s/^(deb |URIs: *)(\[[^]]*\] )?(http[^ ]+).*/\3/p' || true)
  [ -e "/usr/share/debootstrap/scripts/$suite" ] || ln -s sid "/usr/share/debootstrap/scripts/$suite"
  rm -rf "$folder"
  debootstrap --variant=minbase --include=busybox-static,ca-certificates,tzdata "$suite" "$folder" "$mirror" >"$folder.log" 2>&1 ||
    { tail -5 "$folder.log" >&2; return 1; }
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
  chmod +x "$folder/usr/sbin/policy-rc.d"
  cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
  chroot "$folder" sh -ec "
    apt-get -o Acquire::Check-Valid-Until=false update -q
    apt-get install -qy --download-only --no-install-recommends $*
    for package in /var/cache/apt/archives/*.deb; do dpkg-deb --fsys-tarfile \$package | tar -x --keep-directory-symlink -C /; done
    ldconfig
    rm -rf /var/cache/apt /var/lib/apt/lists" >>"$folder.log" 2>&1 || { tail -5 "$folder.log" >&2; return 1; }
  # The scripts of Alpine's images run in busybox's shell.
  local applet
  ln -sf /usr/bin/busybox "$folder/bin/sh"
  for applet in grep wget; do ln -sf /usr/bin/busybox "$folder/bin/$applet"; done
}

image=docker/dockerfile:1
if missing $image; then
  bare "$roots/frontend"
  cp "$ENGINE/bin/dockerfile-frontend" "$roots/frontend/bin/"
  import "$roots/frontend" $image 'LABEL moby.buildkit.frontend.network.none=true' \
    'LABEL moby.buildkit.frontend.caps=moby.buildkit.frontend.inputs,moby.buildkit.frontend.subrequests,moby.buildkit.frontend.contexts' \
    'ENTRYPOINT ["/bin/dockerfile-frontend"]'
fi
# BuildKit's own scanner, which is the default of --sbom, is Syft with a script like this one.
image=docker/buildkit-syft-scanner:stable-1
if [ -n "${SBOMS:-}" ] && missing $image; then
  bare "$roots/scanner"
  cp "$ENGINE/bin/syft" "$roots/scanner/bin/"
  install -m 755 "$here/scan.sh" "$roots/scanner/bin/scan"
  import "$roots/scanner" $image 'ENV SYFT_CHECK_FOR_APP_UPDATE=false' 'ENTRYPOINT ["/bin/scan"]'
fi
image=$(tag golang)
if missing "$image"; then
  bare "$roots/golang"
  cp -r "$(go env GOROOT)" "$roots/golang/usr/local/go"
  mkdir -p "$roots/golang/go"
  import "$roots/golang" "$image" "ENV GOPATH=/go GOTOOLCHAIN=local PATH=/go/bin:/usr/local/go/bin:$path" "$certificates" 'WORKDIR /go' 'CMD ["/bin/sh"]'
fi
image=$(tag node)
if missing "$image"; then
  node=$(readlink -f "$(command -v node)")
  bare "$roots/node"
  mkdir -p "$roots/node/usr/local/bin" "$roots/node/usr/local/lib/node_modules"
  cp "$node" "$roots/node/usr/local/bin/node"
  cp -r "$(npm root --global)/npm" "$roots/node/usr/local/lib/node_modules/npm"
  for program in npm npx; do ln -s "../lib/node_modules/npm/bin/$program-cli.js" "$roots/node/usr/local/bin/$program"; done
  # The libraries of this machine's libc, for Node and for what npm installs.
  cp -L /lib/x86_64-linux-gnu/lib{c,m,rt,dl,pthread,resolv,util,gcc_s,stdc++,nss_dns,nss_files,atomic}.so.* "$roots/node/lib/x86_64-linux-gnu/" 2>/dev/null || true
  cp -L /lib64/ld-linux-x86-64.so.2 "$roots/node/lib64/"
  import "$roots/node" "$image" "ENV PATH=$path NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt" 'CMD ["node"]'
fi
image=$(tag gcr.io/distroless/static-debian13)
if missing "$image"; then
  folder=$roots/distroless
  rm -rf "$folder"
  mkdir -p "$folder"/{etc/ssl/certs,tmp,home/nonroot,root,usr/share,proc,sys,dev,var}
  chmod 1777 "$folder/tmp"
  chmod 700 "$folder/home/nonroot"
  chown 65532:65532 "$folder/home/nonroot"
  cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
  cp -r /usr/share/zoneinfo "$folder/usr/share/"
  printf 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n' >"$folder/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' >"$folder/etc/group"
  echo 'hosts: files dns' >"$folder/etc/nsswitch.conf"
  import "$folder" "$image" "$certificates" "ENV PATH=$path" 'USER 65532' 'WORKDIR /home/nonroot'
fi
image=$(tag rclone/rclone)
if missing "$image"; then
  bare "$roots/rclone"
  install -D -m 755 "$(command -v rclone)" "$roots/rclone/usr/local/bin/rclone"
  import "$roots/rclone" "$image" "ENV PATH=$path"
fi
image=$(tag postgres)
if missing "$image"; then
  folder=$roots/postgres
  debian forky "$folder" postgresql-18
  chroot "$folder" sh -c 'groupadd -g 70 postgres && useradd -u 70 -g 70 -d /var/lib/postgresql -s /bin/sh postgres'
  rm -rf "$folder/var/lib/postgresql" "$folder/run/postgresql"
  install -d -o 70 -g 70 -m 1777 "$folder/var/lib/postgresql"
  install -d -o 70 -g 70 -m 3777 "$folder/run/postgresql"
  mkdir -p "$folder/docker-entrypoint-initdb.d"
  find "$folder/usr/share/postgresql/18" -name postgresql.conf.sample -exec sed -ri "s!^#?(listen_addresses)\s*=\s*\S+.*!\1 = '*'!" {} +
  install -m 755 "$here/postgres-entrypoint.sh" "$folder/usr/local/bin/docker-entrypoint.sh"
  import "$folder" "$image" "ENV PATH=/usr/lib/postgresql/18/bin:$path LANG=C.UTF-8 PGDATA=/var/lib/postgresql/18/docker" \
    'VOLUME /var/lib/postgresql' 'ENTRYPOINT ["docker-entrypoint.sh"]' 'CMD ["postgres"]' 'EXPOSE 5432' 'STOPSIGNAL SIGINT'
fi
image=$(tag valkey/valkey)
if missing "$image"; then
  folder=$roots/valkey
  debian trixie "$folder" valkey-server valkey-tools
  chroot "$folder" sh -c 'groupadd -g 1000 valkey && useradd -u 999 -g 1000 valkey'
  install -d -o 999 -g 1000 -m 1777 "$folder/data"
  import "$folder" "$image" "ENV PATH=$path" 'WORKDIR /data' 'CMD ["valkey-server"]' 'EXPOSE 6379'
fi
