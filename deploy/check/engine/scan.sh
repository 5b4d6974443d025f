#!/bin/sh
# Writes an SBOM of each file system that BuildKit names, as its protocol for scanners asks: an in-toto statement with a document in SPDX.
set -eu

# scan FOLDER lists what is installed in a folder.
scan() {
  name=$(basename "$1")
  syft scan --quiet --source-name "$name" --override-default-catalogers image --output spdx-json=/tmp/spdx.json "dir:$1"
  {
    printf '{"_type":"https://in-toto.io/Statement/v0.1","predicateType":"https://spdx.dev/Document","predicate":'
    cat /tmp/spdx.json
    printf '}'
  } >"$BUILDKIT_SCAN_DESTINATION/$name.spdx.json"
}

scan "$BUILDKIT_SCAN_SOURCE"
for stage in "${BUILDKIT_SCAN_SOURCE_EXTRAS:-/nonexistent}"/*; do
  if [ -d "$stage" ]; then scan "$stage"; fi
done
