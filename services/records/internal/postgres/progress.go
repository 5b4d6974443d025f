package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

const progressSQL = `
	select m.id as map_id, m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze,
		coalesce(b.record_id::text, '') as record_id, coalesce(b.finish_time, 0) as finish_time,
		case when b.record_id is null then 0
			else leaderboard_rank(m.id, b.finish_time, b.finished_at, b.record_id) end as rank,
		coalesce(w.finish_time, 0) as world_record,
		b.record_id is null and exists (
			select from maps o join personal_bests ob on ob.map_id = o.id and ob.player_id = @player
			where o.game_map_id = m.game_map_id and o.map_version < m.map_version and not o.removed
		) as played_older_version
	from unnest(@maps::uuid[]) with ordinality as asked (id, position)
		join maps m on m.id = asked.id and not m.removed
		left join personal_bests b on b.map_id = m.id and b.player_id = @player
		left join lateral (
			select finish_time from world_records where map_id = m.id order by finish_time limit 1
		) w on true
	order by asked.position`

// progressRow is a row of progressSQL.
type progressRow struct {
	MapID              string
	MedalAuthor        int
	MedalGold          int
	MedalSilver        int
	MedalBronze        int
	RecordID           string
	FinishTime         int
	Rank               int64
	WorldRecord        int
	PlayedOlderVersion bool
}

// Progress implements record.Queries.
func (s *Store) Progress(ctx context.Context, playerID string, mapIDs []string) ([]record.Progress, error) {
	rows, err := s.pool.Query(ctx, progressSQL, pgx.NamedArgs{"player": playerID, "maps": mapIDs})
	if err != nil {
		return nil, fmt.Errorf("progress of player %s: %w", playerID, err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[progressRow])
	if err != nil {
		return nil, fmt.Errorf("progress of player %s: %w", playerID, err)
	}
	list := make([]record.Progress, len(found))
	for i, row := range found {
		list[i] = record.Progress{
			MapID: row.MapID, RecordID: row.RecordID, FinishTime: row.FinishTime, Rank: row.Rank,
			WorldRecord: row.WorldRecord, PlayedOlderVersion: row.PlayedOlderVersion,
			Medals: racetime.Medals{
				Author: row.MedalAuthor, Gold: row.MedalGold, Silver: row.MedalSilver, Bronze: row.MedalBronze,
			},
		}
	}
	return list, nil
}
