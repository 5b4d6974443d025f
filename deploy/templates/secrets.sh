#!/usr/bin/env bash
# Code generated from deploy/services.yaml and deploy/templates by "make generate". DO NOT EDIT.
#
# Prints the secrets of a cluster, and the settings of its servers, from what deploy/docker/init.sh made:
#   deploy/k8s/secrets.sh | kubectl apply --filename -
# "secrets.sh trial" adds those of the servers of deploy/k8s/trial.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -e .env ] || { echo "$0: there is no .env: run deploy/docker/init.sh first" >&2; exit 1; }
set -a
. ./.env
set +a

# secret NAME and config NAME begin an object, whose values follow.
secret() { printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: {name: %s, namespace: capzone}\nstringData:\n' "$1"; }
config() { printf -- '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: capzone}\ndata:\n' "$1"; }
# value KEY VALUE, file KEY PATH, and passwords PREFIX, which are the variables of .env, are what an object has.
value() { printf '  %s: "%s"\n' "$1" "$2"; }
file() { printf '  %s: |\n' "$1" && sed 's/^/    /' "$2"; }
passwords() { local name && for name in $(compgen -e "$1"); do value "$name" "${!name}"; done; }
# login NAME USER PASSWORD is a login at PostgreSQL, as CloudNativePG reads it.
login() { secret "$1" && value username "$2" && value password "$3"; }

postgres=capzone-rw:5432
{{- range .}}

secret capzone-{{.Name}}
value database-url "postgres://{{.Name}}_app:$POSTGRES_{{upper .Name}}_PASSWORD@$postgres/capzone_{{.Name}}?sslmode=prefer&pool_max_conns={{.Connections}}"
value migration-database-url "postgres://{{.Name}}:$POSTGRES_{{upper .Name}}_PASSWORD@$postgres/capzone_{{.Name}}?sslmode=prefer"
value nats-url "nats://{{.Name}}:$NATS_{{upper .Name}}_PASSWORD@nats:4222"
{{- if .Valkey}}
value redis-url "redis://{{.Name}}:$VALKEY_{{upper .Name}}_PASSWORD@valkey:6379/0"
{{- end}}
{{- if .Bucket}}
value s3-secret-key "$MINIO_{{upper .Name}}_PASSWORD"
{{- end}}
{{- range values .Secrets}}
file {{.}} deploy/docker/secrets/{{.}}
{{- end}}
login capzone-{{.Name}}-database {{.Name}} "$POSTGRES_{{upper .Name}}_PASSWORD"
login capzone-{{.Name}}-app-database {{.Name}}_app "$POSTGRES_{{upper .Name}}_PASSWORD"
{{- end}}

secret capzone-gateway
value nats-url "nats://gateway:$NATS_GATEWAY_PASSWORD@nats:4222"
value redis-url "redis://gateway:$VALKEY_GATEWAY_PASSWORD@valkey:6379/0"

secret capzone-bot
value nats-url "nats://bot:$NATS_BOT_PASSWORD@nats:4222"
file account deploy/docker/secrets/bot_account

secret capzone-provision
value nats-url "nats://provision:$NATS_PROVISION_PASSWORD@nats:4222"

secret nats-passwords
passwords NATS_
config nats-users
file users.conf deploy/nats/users.conf
file nats-server.conf deploy/nats/nats-server.conf
secret valkey-users
file valkey_users deploy/docker/secrets/valkey_users

[ "${1:-}" = trial ] || exit 0
secret capzone-backup
value database-url "postgres://postgres:$POSTGRES_PASSWORD@$postgres/postgres?sslmode=prefer"
value s3-access-key capzone-root
value s3-secret-key "$MINIO_ROOT_PASSWORD"
secret postgres-passwords
passwords POSTGRES_
secret minio-passwords
passwords MINIO_
config valkey
file valkey.conf deploy/docker/valkey/valkey.conf
config postgres-databases
file 10-databases.sh deploy/docker/postgres/10-databases.sh
