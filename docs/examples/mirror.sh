#!/usr/bin/env bash
# Makes a mirror in mirror.db, or goes on with one, and keeps it current. Needs curl, jq and sqlite3.
# select * from leaderboard where map = '…' order by rank shows a leaderboard.
site=${SITE:-http://localhost:8080} db=${DB:-mirror.db} insert='insert or ignore into records values'
sql() { sqlite3 -cmd '.timeout 5000' "$db" "$@"; }
get() { curl -sfL --retry 10 "$site$@"; }

begin() { # makes the tables from the newest dump
  local dump; dump=$(get /dumps/latest) && rm -f "$db" || return
  for table in maps players records; do
    get "/dumps/$(jq -r .date <<<"$dump")/$table.csv" >"$db.csv" &&
      sql '.mode csv' ".import '$db.csv' dump_$table" || return
  done
  sql "create table records (id primary key, map, player, time integer, stamp, accepted);
    create index best on records (map, player, time);
    create table maps (id primary key); create table gone (id primary key);
    create table merged (id primary key, into_id); create table seen (id);
    insert into maps select _id from dump_maps;
    insert into gone select _id from dump_players where hidden = 'true';
    insert into records select _id, map, player, finishTime, finishTimeStamp, createdAt from dump_records;
    create view leaderboard as
      select map, player, id, time, row_number() over (partition by map order by time, stamp, id) as rank
      from (select *, row_number() over (partition by map, player order by time, accepted, id) as n from records
        where map in (select id from maps) and id not in (select id from gone)
          and player not in (select id from gone))
      where n = 1;
    drop table dump_maps; drop table dump_players; drop table dump_records;
    insert into seen values ($(jq .sequence <<<"$dump"))"
}
load() { # load FILTER: inserts the records of a list of the API, page by page
  local page next=
  while [ "$next" != null ]; do
    page=$(get "/api/v1/records?limit=100&$1${next:+&after=$next}") || return
    jq -r --arg insert "$insert" '
      .data[] | [._id, .map._id, .player._id, .finishTime, .finishTimeStamp, .createdAt] |
      map("\u0027\(.)\u0027") | "\($insert) (\(join(", ")));"' <<<"$page" |
      sql && next=$(jq -r .pagination.next <<<"$page") || return
  done
}
apply() { # apply TYPE ID RECORD MAP PLAYER INTO TIME STAMP ACCEPTED
  local player="coalesce((select into_id from merged where id = '$5'), '$5')"
  local record="$insert ('$3', '$4', $player, '$7', '$8', '$9')"
  case $1 in
    record) sql "$record" ;;
    record.removed)
      sql "insert or ignore into gone values ('$3')" &&
        { load "map=$4&player=$5" || [ $? = 22 ]; } ;; # 22: no such map now
    record.restored) sql "delete from gone where id = '$3'; $record" ;;
    records.hidden) sql "insert or ignore into gone values ('$5')" ;;
    records.shown) sql "delete from gone where id = '$5'" && load "player=$5" ;;
    map) sql "insert or ignore into maps values ('$4')" ;;
    map.restored)
      sql "insert or ignore into maps values ('$4')" &&
        for _ in {1..30}; do load "map=$4" && break; sleep 1; done ;;
    map.removed) sql "delete from maps where id = '$4'" ;;
    player.merged)
      sql "update records set player = '$6' where player = '$5';
        update merged set into_id = '$6' where into_id = '$5';
        insert or replace into merged values ('$5', '$6')" ;;
    reset) rm "$db" ;; # the last event is too old: begin anew
  esac && sql "update seen set id = $2"
}
while [ -s "$db" ] || begin || exit; do
  get "/api/v1/events?after=$(sql 'select id from seen')" -N -H 'Accept: application/x-ndjson' |
    jq --unbuffered -r '
      [.type, .id, .recordId, .mapId, .playerId, .intoId, .finishTime, .finishTimeStamp, .createdAt // .at] |
      map(. // "-") | join(" ")' |
    while read -r -a event; do apply "${event[@]}" || break; done
  sleep 2
done
