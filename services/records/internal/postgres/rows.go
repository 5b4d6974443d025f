package postgres

import (
	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// recordColumns are the columns of recordTargets.
const recordColumns = `r.id, r.map_id, r.player_id, r.finish_time, r.finished_at, r.undated, r.replay_hash, r.created_at`

// recordTargets returns where a row of recordColumns is scanned to.
func recordTargets(r *record.Record) []any {
	return []any{&r.ID, &r.MapID, &r.PlayerID, &r.FinishTime, &r.FinishTimeStamp, &r.Undated, &r.ReplayHash, &r.CreatedAt}
}

const (
	// isActive is the condition of an active record r.
	isActive = `r.removed_at is null and r.map_id not in (select id from maps where removed)
		and r.player_id not in (select player_id from player_totals where hidden)`
	// rankedColumns are the columns of rankedTargets.
	rankedColumns = recordColumns + `,
		r.map_id, r.player_id,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, ''), coalesce(p.deleted, false),
		coalesce(m.name, ''), coalesce(m.medal_author, 0), coalesce(m.medal_gold, 0), coalesce(m.medal_silver, 0),
		coalesce(m.medal_bronze, 0),
		own.record_id is not null,
		case when own.record_id is null then 0 else leaderboard_rank(r.map_id, r.finish_time, r.finished_at, r.id) end,
		coalesce((select players from map_totals where map_id = r.map_id), 0),
		coalesce(w.record_id = r.id, false),
		coalesce(w.record_id <> r.id and w.finish_time = r.finish_time, false)`
	// rankedJoins join records r with what is shown of them. A map or a player without a copy has no columns. Each limit
	// keeps the planner from joining whole tables with a page whose length it does not know.
	rankedJoins = `
		left join lateral (select * from players where id = r.player_id limit 1) p on true
		left join lateral (select * from maps where id = r.map_id limit 1) m on true
		left join lateral (
			select record_id, finish_time, player_id, since from world_records
			where map_id = r.map_id order by finish_time limit 1
		) w on true
		left join lateral (
			select finish_time, finished_at, record_id from personal_bests
			where map_id = r.map_id and player_id = r.player_id and record_id = r.id
			limit 1
		) own on true`
)

// rankedTargets returns where a row of rankedColumns is scanned to. The names of a map or a player without a copy are
// empty.
func rankedTargets(r *record.RankedRecord) []any {
	return append(recordTargets(&r.Record), &r.Map.ID, &r.Player.ID,
		&r.Player.Name, &r.Player.SkinImageURL, &r.Player.SkinColor, &r.Player.Deleted, &r.Map.Name,
		&r.Map.Medals.Author, &r.Map.Medals.Gold, &r.Map.Medals.Silver, &r.Map.Medals.Bronze,
		&r.PersonalBest, &r.Rank, &r.Of, &r.IsWorldRecord, &r.EqualsWorldRecord)
}

// scanRanked is a pgx.RowToFunc of rankedColumns.
func scanRanked(row pgx.CollectableRow) (r record.RankedRecord, err error) {
	err = row.Scan(rankedTargets(&r)...)
	return r, err
}

// cut returns at most limit rows, and whether there are more.
func cut(rows []record.RankedRecord, limit int) (page []record.RankedRecord, hasNext bool) {
	if len(rows) <= limit {
		return rows, false
	}
	return rows[:limit], true
}
