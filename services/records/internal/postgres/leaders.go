package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

const topSQL = `
	select player_id, record_id, finish_time, finished_at
	from personal_bests
	where map_id = @map
	order by finish_time, finished_at, record_id
	limit @rows`

// leaders are who stands at the top of a leaderboard, and its world record, which is nil where there is none.
type leaders struct {
	top         record.Top
	worldRecord *event.WorldRecord
}

// queueLeaders reads the leaders of a map that the transaction has locked.
func queueLeaders(batch *pgx.Batch, mapID string, into *leaders) {
	args := pgx.NamedArgs{"map": mapID, "rows": record.TopRows}
	batch.Queue(topSQL, args).Query(func(rows pgx.Rows) (err error) {
		into.top, err = pgx.CollectRows(rows, pgx.RowToStructByPos[record.Row])
		return err
	})
	batch.Queue(worldRecordSQL, args).QueryRow(func(row pgx.Row) (err error) {
		into.worldRecord, err = scanWorldRecord(row)
		return err
	})
}

// readLeaders reads the leaders of a map that the transaction has locked.
func readLeaders(ctx context.Context, tx pgx.Tx, mapID string) (found leaders, err error) {
	batch := &pgx.Batch{}
	queueLeaders(batch, mapID, &found)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return leaders{}, fmt.Errorf("leaders of map %s: %w", mapID, err)
	}
	return found, nil
}

// worldRecordUnless returns the world record, or nil where the others have the same one.
func (l leaders) worldRecordUnless(others leaders) *event.WorldRecord {
	if l.worldRecord == nil || others.worldRecord != nil && others.worldRecord.RecordID == l.worldRecord.RecordID {
		return nil
	}
	return l.worldRecord
}
