package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
)

const worldRecordsSQL = `
	select w.record_id, w.finish_time, w.since, w.player_id,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, '')
	from world_records w left join players p on p.id = w.player_id
	where w.map_id = @map
	order by w.finish_time
	limit @limit`

// WorldRecords implements leaderboard.Queries. Each world record is faster than the one before it, so
// that the fastest are the newest.
func (s *Store) WorldRecords(ctx context.Context, mapID string) ([]leaderboard.WorldRecord, error) {
	all, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (w leaderboard.WorldRecord, err error) {
		err = row.Scan(&w.ID, &w.FinishTime, &w.Since, &w.Player.ID, &w.Player.Name, &w.Player.SkinImageURL,
			&w.Player.SkinColor)
		return w, err
	}, worldRecordsSQL, pgx.NamedArgs{"map": mapID, "limit": leaderboard.MaxWorldRecords})
	slices.Reverse(all)
	return all, postgres.Wrap(err, "world records of map %s", mapID)
}

// newestWorldRecordsSQL skips a map that was removed a moment ago.
const newestWorldRecordsSQL = `
	with page as materialized (
		select record_id as id, since, (
			select min(b.finish_time) from world_records b where b.map_id = w.map_id and b.finish_time > w.finish_time
		) as previous_world_record
		from world_records w
		where map_id not in (select id from maps where removed)
		order by since desc, record_id desc
		limit @limit
	)
	select ` + rankedColumns + `, coalesce(page.previous_world_record, 0), points.points,
		coalesce(m.picture_bucket, ''), coalesce(m.picture_key, '')
	from page join records r on r.id = page.id ` + rankedJoins + `
		left join record_points points
			on own.record_id is not null and points.map_id = r.map_id and points.player_id = r.player_id
	order by page.since desc, page.id desc`

// NewestWorldRecords implements leaderboard.Queries.
func (s *Store) NewestWorldRecords(ctx context.Context, limit int) ([]leaderboard.ListedWorldRecord, error) {
	list, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (w leaderboard.ListedWorldRecord, err error) {
		err = row.Scan(append(rankedTargets(&w.RankedRecord), &w.PreviousWorldRecord, &w.Points,
			&w.Map.Picture.Bucket, &w.Map.Picture.Key)...)
		return w, err
	}, newestWorldRecordsSQL, pgx.NamedArgs{"limit": limit})
	return list, postgres.Wrap(err, "newest world records")
}

const rebuildWorldRecordsSQL = `select rebuild_world_records(@map)`

// RebuildWorldRecords computes the world records of all maps from their records, one map in a transaction.
func (s *Store) RebuildWorldRecords(ctx context.Context) error {
	return s.inBatches(ctx, mapsAfterSQL, pointsMapsBatch, func(maps []string) error {
		for _, mapID := range maps {
			err := s.db.InTx(ctx, func(tx pgx.Tx) error {
				if err := lockMaps(ctx, tx, mapID); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, rebuildWorldRecordsSQL, pgx.NamedArgs{"map": mapID})
				return err
			})
			if err != nil {
				return fmt.Errorf("world records of map %s: %w", mapID, err)
			}
		}
		return nil
	})
}
