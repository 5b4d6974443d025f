package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const worldRecordsSQL = `
	select w.record_id, w.finish_time, w.since, r.player_id,
		coalesce(p.name, ''), coalesce(p.skin_image_url, ''), coalesce(p.skin_color, '')
	from world_records w join records r on r.id = w.record_id left join players p on p.id = r.player_id
	where w.map_id = @map
	order by w.finish_time desc`

// WorldRecords implements record.Queries. Each world record is faster than the one before it.
func (s *Store) WorldRecords(ctx context.Context, mapID string) ([]record.WorldRecord, error) {
	rows, err := s.pool.Query(ctx, worldRecordsSQL, pgx.NamedArgs{"map": mapID})
	if err != nil {
		return nil, fmt.Errorf("world records of map %s: %w", mapID, err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w record.WorldRecord, err error) {
		err = row.Scan(&w.ID, &w.FinishTime, &w.Since, &w.Player.ID, &w.Player.Name, &w.Player.SkinImageURL,
			&w.Player.SkinColor)
		w.Since = w.Since.UTC()
		return w, err
	})
	if err != nil {
		return nil, fmt.Errorf("world records of map %s: %w", mapID, err)
	}
	return all, nil
}

// newestWorldRecordsSQL passes over a map that was removed a moment ago.
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
	select ` + entryColumns + `, page.previous_world_record ` + entriesOfPage + `
	order by page.since desc, page.id desc`

// NewestWorldRecords implements record.Queries.
func (s *Store) NewestWorldRecords(ctx context.Context, limit int) ([]record.ListedWorldRecord, error) {
	type listedRow struct {
		entryRow
		PreviousWorldRecord *int
	}
	rows, err := s.pool.Query(ctx, newestWorldRecordsSQL, pgx.NamedArgs{"limit": limit})
	if err != nil {
		return nil, fmt.Errorf("newest world records: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (record.ListedWorldRecord, error) {
		found, err := pgx.RowToStructByName[listedRow](row)
		return record.ListedWorldRecord{Entry: found.entry(), PreviousWorldRecord: orZero(found.PreviousWorldRecord)}, err
	})
	if err != nil {
		return nil, fmt.Errorf("newest world records: %w", err)
	}
	return list, nil
}

// orZero returns what a column has, and the zero value for null.
func orZero[T any](column *T) (value T) {
	if column != nil {
		value = *column
	}
	return value
}

// worldRecordSQL selects the world record of a map as it is published.
const worldRecordSQL = `
	select w.record_id, r.player_id, w.finish_time, w.since
	from world_records w join records r on r.id = w.record_id
	where w.map_id = @map
	order by w.finish_time
	limit 1`

// scanWorldRecord scans a row of worldRecordSQL. It returns nil where there is none.
func scanWorldRecord(row pgx.Row) (*event.WorldRecord, error) {
	w := event.WorldRecord{}
	err := row.Scan(&w.RecordID, &w.PlayerID, &w.FinishTime, &w.At)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	w.At = w.At.UTC()
	return &w, err
}

const (
	mapsAfterSQL           = `select map_id from map_totals where map_id > $1 order by map_id limit 1000`
	rebuildWorldRecordsSQL = `select rebuild_world_records($1)`
)

// RebuildWorldRecords computes the world records of all maps from their records, one map in a transaction.
func (s *Store) RebuildWorldRecords(ctx context.Context) error {
	for after := noID; ; {
		rows, err := s.pool.Query(ctx, mapsAfterSQL, after)
		if err != nil {
			return fmt.Errorf("maps with records: %w", err)
		}
		maps, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return fmt.Errorf("maps with records: %w", err)
		}
		if len(maps) == 0 {
			return nil
		}
		for _, mapID := range maps {
			err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
				if err := lockMap(ctx, tx, mapID); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, rebuildWorldRecordsSQL, mapID)
				return err
			})
			if err != nil {
				return fmt.Errorf("world records of map %s: %w", mapID, err)
			}
		}
		after = maps[len(maps)-1]
	}
}

// noID is lower than all ids.
const noID = "00000000-0000-0000-0000-000000000000"

// The previous bests are those among the records that were accepted before.
const detailsSQL = `
	select r.rank_at_submission, (
			select min(b.finish_time) from records b
			where b.map_id = r.map_id and b.player_id = r.player_id and b.removed_at is null and b.seq < r.seq
		), (
			select min(b.finish_time) from world_records b where b.map_id = r.map_id and b.seq < r.seq
		),
		w.record_id, w.finish_time, w.since, w.player_id, p.name, p.skin_image_url, p.skin_color,
		m.map_version, m.superseded, m.picture_bucket, m.picture_key
	from records r
		left join maps m on m.id = r.map_id
		left join lateral (
			select b.record_id, b.finish_time, b.since, h.player_id
			from world_records b join records h on h.id = b.record_id
			where b.map_id = r.map_id
			order by b.finish_time
			limit 1
		) w on true
		left join players p on p.id = w.player_id
	where r.id = @id`

// Details implements record.Queries.
func (s *Store) Details(ctx context.Context, id string) (record.Details, error) {
	entry, err := s.Get(ctx, id)
	if err != nil {
		return record.Details{}, err
	}
	var rank *int64
	var previousBest, previousWorldRecord, finishTime, mapVersion *int
	var worldRecord, holder, name, skinImageURL, skinColor, pictureBucket, pictureKey *string
	var since *time.Time
	var superseded *bool
	err = s.pool.QueryRow(ctx, detailsSQL, pgx.NamedArgs{"id": id}).Scan(&rank, &previousBest, &previousWorldRecord,
		&worldRecord, &finishTime, &since, &holder, &name, &skinImageURL, &skinColor, &mapVersion, &superseded,
		&pictureBucket, &pictureKey)
	if err != nil {
		return record.Details{}, fmt.Errorf("details of record %s: %w", id, err)
	}
	entry.Map.MapVersion, entry.Map.Superseded = orZero(mapVersion), orZero(superseded)
	entry.Map.Picture = record.StoredFile{Bucket: orZero(pictureBucket), Key: orZero(pictureKey)}
	return record.Details{
		Entry: entry, RankAtSubmission: orZero(rank),
		PreviousBest: orZero(previousBest), PreviousWorldRecord: orZero(previousWorldRecord),
		WorldRecord: record.WorldRecord{
			ID: orZero(worldRecord), FinishTime: orZero(finishTime), Since: orZero(since).UTC(), Player: record.Player{
				ID: orZero(holder), Name: orZero(name), SkinImageURL: orZero(skinImageURL), SkinColor: orZero(skinColor),
			},
		},
	}, nil
}
