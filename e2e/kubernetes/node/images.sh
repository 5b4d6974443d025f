#!/usr/bin/env bash
# Makes the images of the node's own pods on the engine of DOCKER_HOST: names, and a process that does nothing.
set -euo pipefail
NODE=${NODE:?the folder for programs, images and data}

# image NAME PROGRAM ENTRYPOINT makes an image of one program.
image() {
  tar -C "$(dirname "$2")" --dereference -c "$(basename "$2")" | docker import --change "ENTRYPOINT $3" - "$1" >/dev/null
}
image localhost/coredns:1 "$NODE/bin/coredns" '["/coredns"]'
image localhost/pause:1 "$(command -v busybox)" '["/busybox", "sleep", "1000000000"]'
