package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const (
	topSQL = `
		select player_id, record_id, finish_time, finished_at
		from personal_bests
		where map_id = @map
		order by finish_time, finished_at, record_id
		limit @rows`
	// currentWorldRecordsSQL leaves out removed maps, of which not all world records may be deleted.
	currentWorldRecordsSQL = `
		select w.map_id, w.record_id, w.player_id, w.finish_time, w.since
		from unnest(@maps::uuid[]) as asked (id) cross join lateral (
			select map_id, record_id, player_id, finish_time, since
			from world_records
			where map_id = asked.id
			order by finish_time
			limit 1
		) w
		where not exists (select from maps where id = asked.id and removed)
		order by w.map_id`
)

// leaders are who stands at the top of a leaderboard, and its world record, which is nil where there is none.
type leaders struct {
	top         record.Top
	worldRecord *event.WorldRecord
}

// queueLeaders reads the leaders of a map that the transaction has locked.
func queueLeaders(batch *pgx.Batch, mapID string, into *leaders) {
	args := pgx.NamedArgs{"map": mapID, "rows": record.TopRows}
	postgres.QueueRows(batch, (*[]record.Row)(&into.top), pgx.RowToStructByPos[record.Row], topSQL, args)
	queueWorldRecord(batch, args, &into.worldRecord)
}

// worldRecordUnless returns the world record, or nil where the others have the same one.
func (l leaders) worldRecordUnless(others leaders) *event.WorldRecord {
	if l.worldRecord == nil || others.worldRecord != nil && others.worldRecord.RecordID == l.worldRecord.RecordID {
		return nil
	}
	return l.worldRecord
}

// currentWorldRecords returns the world records of maps that the transaction has locked, in the order of the maps' ids.
func currentWorldRecords(ctx context.Context, tx pgx.Tx, maps []string) ([]event.MapWorldRecord, error) {
	current, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[event.MapWorldRecord], currentWorldRecordsSQL,
		pgx.NamedArgs{"maps": maps})
	return current, postgres.Wrap(err, "world records")
}

// worldRecordsThatDiffer returns at most event.MaxHiddenWorldRecords of the world records: those that are not among the
// others.
func worldRecordsThatDiffer(worldRecords, others []event.MapWorldRecord) (differ []event.MapWorldRecord) {
	isOther := map[string]bool{}
	for _, w := range others {
		isOther[w.RecordID] = true
	}
	for _, w := range worldRecords {
		if !isOther[w.RecordID] {
			differ = append(differ, w)
		}
	}
	return differ[:min(len(differ), event.MaxHiddenWorldRecords)]
}

// worldRecordSQL selects the world record of a map as it is published.
const worldRecordSQL = `
	select record_id, player_id, finish_time, since from world_records where map_id = @map order by finish_time limit 1`

// queueWorldRecord adds the query of a map's world record to a batch. It stays nil where there is none.
func queueWorldRecord(batch *pgx.Batch, args pgx.NamedArgs, into **event.WorldRecord) {
	batch.Queue(worldRecordSQL, args).QueryRow(func(row pgx.Row) error {
		var w event.WorldRecord
		err := row.Scan(&w.RecordID, &w.PlayerID, &w.FinishTime, &w.At)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		*into = &w
		return err
	})
}
