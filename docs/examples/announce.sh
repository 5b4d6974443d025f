#!/usr/bin/env bash
# Writes a line for each world record, and remembers in a file which event was the last. Needs curl and jq.
site=${SITE:-http://localhost:8080/api/v1}
seen=${SEEN:-last-event}        # the number of the last event
touch "$seen"

announce() { # announce EVENT: writes a line for a world record
  local player map seconds
  player=$(curl -sf "$site/players/$(jq -r .playerId <<<"$1")" | jq -r .data.name)
  map=$(curl -sf "$site/maps/$(jq -r .mapId <<<"$1")" | jq -r .data.name)
  seconds=$(jq -r '.finishTime / 1000' <<<"$1")
  echo "$player has set a world record on $map: $seconds s"
}

while true; do
  curl -sfN -H 'Accept: application/x-ndjson' "$site/events?types=worldRecord&after=$(cat "$seen")" |
    while read -r event; do
      if [ "$(jq -r .type <<<"$event")" = record ]; then announce "$event"; fi
      jq -r .id <<<"$event" >"$seen"
    done
  sleep 2
done
