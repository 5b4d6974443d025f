#!/usr/bin/env bash
# Saves everything that Capzone keeps into a folder, while the site runs, or restores it onto empty servers.
# It finds the databases and buckets by their names. It needs rclone, and pg_dump, pg_restore and psql of the server's version (PG_BIN names their folder).
set -euo pipefail
umask 077

usage='usage: backup.sh save FOLDER | backup.sh restore FOLDER

  save      dump every database and mirror every bucket into the folder; again into the same one copies only new files
  restore   bring the folder to empty databases and to the buckets, while no service runs

Environment: DATABASE_URL (any database of the server, as a role that may read or write all), S3_ENDPOINT,
S3_ACCESS_KEY, S3_SECRET_KEY, PG_BIN'

die() { echo "backup: $*" >&2; exit 1; }

[[ $# -eq 2 && $1 =~ ^(save|restore)$ ]] || { echo "$usage" >&2; exit 2; }
for name in DATABASE_URL S3_ENDPOINT S3_ACCESS_KEY S3_SECRET_KEY; do
  [[ -n ${!name:-} ]] || die "$name is not set"
done
[[ -z ${PG_BIN:-} ]] || PATH="$PG_BIN:$PATH"
mkdir -p "$2"
folder=$(cd "$2" && pwd)

# The databases capzone_NAME are dumped in this order, after those of all other services: what a row names in another database is
# in that one's dump, which is younger.
last=(records maps auth players)

# The address without its database, its password, and the settings that only the services' driver knows.
[[ $DATABASE_URL =~ ^(postgres(ql)?://)([^:@/]*)(:([^@/]*))?@([^/?]+)(/[^?]*)?(\?(.*))?$ ]] ||
  die "DATABASE_URL is no URL like postgres://user:password@host:port/database"
server="${BASH_REMATCH[1]}${BASH_REMATCH[3]}@${BASH_REMATCH[6]}"
maintenance=${BASH_REMATCH[7]#/}
PGPASSWORD=$(printf '%b' "${BASH_REMATCH[5]//%/\\x}") # in the environment, where other users do not see it
export PGPASSWORD
settings=$(tr '&' '\n' <<<"${BASH_REMATCH[9]}" |
  grep -E '^(ssl[a-z]*|connect_timeout|target_session_attrs|application_name|options|hostaddr|gssencmode|channel_binding|keepalives[a-z_]*)=' |
  paste -sd '&' - || true)
address() { echo "$server/$1?$settings"; }
query() { psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname "$(address "$1")" --command "$2"; }

# ordered NAMES sets databases to the names of services in the order of the dumps.
ordered() {
  mapfile -t databases < <(
    grep . <<<"$1" | grep -vxF "$(printf '%s\n' "${last[@]}")" || true
    printf '%s\n' "${last[@]}"
  )
}

unset "${!AWS_@}" # rclone reads these too, and they may belong to another storage
export RCLONE_CONFIG=/dev/null RCLONE_S3_PROVIDER=Other RCLONE_S3_REGION=us-east-1 RCLONE_S3_ENDPOINT=$S3_ENDPOINT
export RCLONE_S3_ACCESS_KEY_ID=$S3_ACCESS_KEY RCLONE_S3_SECRET_ACCESS_KEY=$S3_SECRET_KEY
export RCLONE_LOW_LEVEL_RETRIES=3 RCLONE_SIZE_ONLY=true # a key is made of the content's hash: a file of the same name and size is the same

seen=$(mktemp -d)
trap 'rm -rf "$seen"' EXIT

mirror() { # copies the files that the mirror lacks, and writes down the names of all that the buckets have
  for service in "${buckets[@]}"; do
    rclone copy ":s3:capzone-$service" "$folder/files/$service"
    rclone lsf --recursive --files-only ":s3:capzone-$service" >>"$seen/$service"
  done
}

# A row is written after its file. So every file that a dumped row names has been in a bucket before or after the
# dumps. Files that were in a bucket neither before nor after are removed from the mirror last.
save() {
  local found
  found=$(query "${maintenance:-postgres}" "select substr(datname, 9) from pg_database where datname like 'capzone\_%' order by datname")
  ordered "$found"
  found=$(rclone lsf --dirs-only :s3:)
  mapfile -t buckets < <(sed -nE 's,^capzone-(.*)/$,\1,p' <<<"$found")
  rm -rf "$folder/databases.new"
  mkdir -p "$folder/databases.new"
  mirror
  for service in "${databases[@]}"; do
    pg_dump --dbname "$(address "capzone_$service")" --format custom --no-owner --no-privileges \
      --file "$folder/databases.new/$service.dump"
    echo "database of $service"
  done
  mirror
  rm -rf "$folder/databases.old"
  [[ ! -e $folder/databases ]] || mv "$folder/databases" "$folder/databases.old"
  mv "$folder/databases.new" "$folder/databases"
  rm -rf "$folder/databases.old"
  for service in "${buckets[@]}"; do
    mkdir -p "$folder/files/$service"
    (cd "$folder/files/$service" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort |
      LC_ALL=C comm -23 - <(LC_ALL=C sort -u "$seen/$service") | tr '\n' '\0' | xargs -0 rm -f --)
    echo "$(sort -u "$seen/$service" | wc -l) files of $service"
  done
}

# The databases were dumped one after the other, and must agree again. A copy from an older dump than its source takes
# what is newer by itself. A copy from a younger dump may be ahead of its source: it is emptied, and filled by what the
# source publishes. The facts of the last day are published once more; consumers know their ids.
settle() {
  echo 'update outbox set published_at = null where version = 0;'
  case $1 in
    maps) echo 'update map_stats set version = 0, records = 0;' ;;
    players) echo 'delete from map_authors; update player_totals set maps = 0, records = 0, records_version = 0;' ;;
  esac
}

# Files come first, then the rows that name them. A service that is younger than the backup keeps its empty database.
restore() {
  ordered "$(ls "$folder/databases" 2>/dev/null | sed -n 's/\.dump$//p')"
  mapfile -t buckets < <(ls "$folder/files" 2>/dev/null)
  for service in "${databases[@]}"; do
    [[ -e $folder/databases/$service.dump ]] || die "this is no whole backup: there is no databases/$service.dump"
    [[ $(query "capzone_$service" "select count(*) from pg_tables where schemaname = 'public'") == 0 ]] ||
      die "the database of $service is not empty: restore onto empty databases, before any service has started"
  done
  for service in "${buckets[@]}"; do
    mkdir -p "$folder/files/$service"
    rclone mkdir ":s3:capzone-$service"
    rclone copy --include '*.webp' --header-upload 'Content-Type: image/webp' "$folder/files/$service" ":s3:capzone-$service"
    rclone copy --exclude '*.webp' --header-upload 'Content-Type: text/plain; charset=utf-8' \
      "$folder/files/$service" ":s3:capzone-$service"
    echo "files of $service"
  done
  for service in "${databases[@]}"; do
    owner=$(query "capzone_$service" 'select pg_get_userbyid(datdba) from pg_database where datname = current_database()')
    pg_restore --dbname "$(address "capzone_$service")" --single-transaction --exit-on-error --no-owner --no-privileges \
      --role "$owner" "$folder/databases/$service.dump"
    query "capzone_$service" "$(settle "$service")"
    echo "database of $service"
  done
  echo "Everything is back. Start the services, and run \`republish\` of players, maps and records: the copies follow."
}

"$1"
