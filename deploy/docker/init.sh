#!/usr/bin/env bash
# Makes the secrets of a new deployment: .env beside docker-compose.yml, and the files of
# deploy/docker/secrets. Everything is random; what exists is never overwritten.
#
#   deploy/docker/init.sh https://capzone.example
set -euo pipefail

usage() {
  echo "usage: $0 PUBLIC_URL" >&2
  echo "PUBLIC_URL is the site's address as browsers see it: https://HOST, or http://localhost:8080 to try it out." >&2
  exit 2
}

[ $# -eq 1 ] || usage
url=${1%/}
[[ $url =~ ^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$ ]] || usage
command -v openssl >/dev/null || { echo "$0: openssl is needed to make random secrets and the signing key" >&2; exit 1; }

root=$(cd "$(dirname "$0")/../.." && pwd)
env_file=$root/.env
secrets=$root/deploy/docker/secrets
for existing in "$env_file" "$secrets"; do
  if [ -e "$existing" ]; then
    echo "$0: $existing exists already, and the data were made with what is in it. Nothing was changed." >&2
    echo "docs/operations.md tells how to change single secrets." >&2
    exit 1
  fi
done

# docker-compose.yml needs an engine that knows start_interval (25) and Compose 2.24; Compose 5 builds with buildx only.
# On a machine without Docker the secrets may be for a cluster.
refuse() { echo "$0: $1" >&2; exit 1; }
if command -v docker >/dev/null; then
  engine=$(docker version --format '{{.Server.Version}}' 2>/dev/null || true)
  if [[ $engine =~ ^([0-9]+)\. ]] && ((BASH_REMATCH[1] < 25)); then
    refuse "this Docker Engine is version $engine. Capzone needs version 25 or newer."
  fi
  compose=$(docker compose version --short 2>/dev/null || true)
  if [[ $compose =~ ^v?([0-9]+)\.([0-9]+) ]]; then
    major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
    if ((major < 2 || major == 2 && minor < 24)); then
      refuse "this Docker Compose is version $compose. Capzone needs version 2.24 or newer."
    fi
    if ((major >= 5)) && ! docker buildx version >/dev/null 2>&1; then
      refuse "Docker Compose $compose needs the plugin buildx to build images (package docker-buildx-plugin)."
    fi
  fi
fi

umask 077
# Everything is made in a folder beside its place and moved there whole, so that a
# failure half way leaves nothing behind.
draft=$(mktemp -d "$root/deploy/docker/.secrets.XXXXXX")
trap 'rm -rf "$draft"' EXIT
mkdir "$draft/secrets"

# The first character is a letter, because the NATS server takes digits for a number.
password() { printf 'p%s' "$(openssl rand -hex 24)"; }

valkey_auth=$(password)
valkey_gateway=$(password)
{
  echo "# Made by deploy/docker/init.sh. It gives full access to the site: keep it, and a copy of it, secret."
  echo "PUBLIC_URL=$url"
  # Without TLS browsers reach the gateway itself, at the port of the address.
  if [[ $url =~ ^http://.*:([0-9]+)$ ]]; then echo "PORT=${BASH_REMATCH[1]}"; fi
  # Those of Valkey are known here, because its file of users has their hashes.
  grep -oE '(POSTGRES|NATS|MINIO)_([A-Z]+_)?PASSWORD' "$root/docker-compose.yml" | sort -u | while read -r name; do
    echo "$name=$(password)"
  done
  echo "VALKEY_AUTH_PASSWORD=$valkey_auth"
  echo "VALKEY_GATEWAY_PASSWORD=$valkey_gateway"
} >"$draft/env"

digest() { printf %s "$1" | openssl dgst -sha256 -r | cut -d' ' -f1; }
{
  echo "user default off"
  # Each may touch its own keys only; "health" may ask whether the server answers.
  common="resetchannels -@all +@read +@write +@connection +@scripting +@transaction +@fast -@dangerous"
  echo "user auth on #$(digest "$valkey_auth") ~capzone:login:* ~rate:capzone:login:* $common"
  echo "user gateway on #$(digest "$valkey_gateway") ~rate:gateway:* $common"
  echo "user health on nopass resetkeys resetchannels -@all +ping"
} >"$draft/secrets/valkey_users"

openssl genpkey -algorithm ed25519 -out "$draft/secrets/token_keys"
openssl rand -hex 32 >"$draft/secrets/code_secret"
# The game account of the verification bot, for its operator to fill in (docs/bot.md).
: >"$draft/secrets/bot_account"

# The programs in the containers are other users than the owner of the files, which are mounted one by one.
# Other users of this machine cannot read them, because they cannot enter the folder.
chmod 0444 "$draft"/secrets/*
chmod 0644 "$draft/secrets/bot_account"

mv "$draft/secrets" "$secrets"
mv "$draft/env" "$env_file"
echo "Made $env_file and $secrets. Keep a copy of both somewhere safe."
