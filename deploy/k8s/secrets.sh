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

secret capzone-auth
value database-url "postgres://auth_app:$POSTGRES_AUTH_PASSWORD@$postgres/capzone_auth?sslmode=prefer&pool_max_conns=16"
value migration-database-url "postgres://auth:$POSTGRES_AUTH_PASSWORD@$postgres/capzone_auth?sslmode=prefer"
value nats-url "nats://auth:$NATS_AUTH_PASSWORD@nats:4222"
value redis-url "redis://auth:$VALKEY_AUTH_PASSWORD@valkey:6379/0"
file code_secret deploy/docker/secrets/code_secret
file token_keys deploy/docker/secrets/token_keys
login capzone-auth-database auth "$POSTGRES_AUTH_PASSWORD"
login capzone-auth-app-database auth_app "$POSTGRES_AUTH_PASSWORD"

secret capzone-maps
value database-url "postgres://maps_app:$POSTGRES_MAPS_PASSWORD@$postgres/capzone_maps?sslmode=prefer&pool_max_conns=16"
value migration-database-url "postgres://maps:$POSTGRES_MAPS_PASSWORD@$postgres/capzone_maps?sslmode=prefer"
value nats-url "nats://maps:$NATS_MAPS_PASSWORD@nats:4222"
value s3-secret-key "$MINIO_MAPS_PASSWORD"
login capzone-maps-database maps "$POSTGRES_MAPS_PASSWORD"
login capzone-maps-app-database maps_app "$POSTGRES_MAPS_PASSWORD"

secret capzone-moderation
value database-url "postgres://moderation_app:$POSTGRES_MODERATION_PASSWORD@$postgres/capzone_moderation?sslmode=prefer&pool_max_conns=16"
value migration-database-url "postgres://moderation:$POSTGRES_MODERATION_PASSWORD@$postgres/capzone_moderation?sslmode=prefer"
value nats-url "nats://moderation:$NATS_MODERATION_PASSWORD@nats:4222"
login capzone-moderation-database moderation "$POSTGRES_MODERATION_PASSWORD"
login capzone-moderation-app-database moderation_app "$POSTGRES_MODERATION_PASSWORD"

secret capzone-notifications
value database-url "postgres://notifications_app:$POSTGRES_NOTIFICATIONS_PASSWORD@$postgres/capzone_notifications?sslmode=prefer&pool_max_conns=16"
value migration-database-url "postgres://notifications:$POSTGRES_NOTIFICATIONS_PASSWORD@$postgres/capzone_notifications?sslmode=prefer"
value nats-url "nats://notifications:$NATS_NOTIFICATIONS_PASSWORD@nats:4222"
login capzone-notifications-database notifications "$POSTGRES_NOTIFICATIONS_PASSWORD"
login capzone-notifications-app-database notifications_app "$POSTGRES_NOTIFICATIONS_PASSWORD"

secret capzone-players
value database-url "postgres://players_app:$POSTGRES_PLAYERS_PASSWORD@$postgres/capzone_players?sslmode=prefer&pool_max_conns=16"
value migration-database-url "postgres://players:$POSTGRES_PLAYERS_PASSWORD@$postgres/capzone_players?sslmode=prefer"
value nats-url "nats://players:$NATS_PLAYERS_PASSWORD@nats:4222"
value s3-secret-key "$MINIO_PLAYERS_PASSWORD"
login capzone-players-database players "$POSTGRES_PLAYERS_PASSWORD"
login capzone-players-app-database players_app "$POSTGRES_PLAYERS_PASSWORD"

secret capzone-records
value database-url "postgres://records_app:$POSTGRES_RECORDS_PASSWORD@$postgres/capzone_records?sslmode=prefer&pool_max_conns=24"
value migration-database-url "postgres://records:$POSTGRES_RECORDS_PASSWORD@$postgres/capzone_records?sslmode=prefer"
value nats-url "nats://records:$NATS_RECORDS_PASSWORD@nats:4222"
value s3-secret-key "$MINIO_RECORDS_PASSWORD"
login capzone-records-database records "$POSTGRES_RECORDS_PASSWORD"
login capzone-records-app-database records_app "$POSTGRES_RECORDS_PASSWORD"

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
