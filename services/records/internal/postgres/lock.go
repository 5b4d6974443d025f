package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// board is what a change of a map's runs finds under the map's lock.
type board struct {
	mapID string
	// removed is true when the map was taken down: there is no leaderboard.
	removed bool
	// merged is true when the player was merged into another: runs are theirs no
	// more. Where it is false, it stays so until the end of the transaction.
	merged bool
	// best is the player's row, nil where there is none.
	best *record.Run
	// runs is how many runs of the player on the map stand.
	runs int
	// ofMap and ofPlayer are the totals of both, locked too.
	ofMap    event.MapStats
	ofPlayer event.PlayerStats
}

func boardOf(mapID, playerID string) board {
	return board{mapID: mapID, ofMap: event.MapStats{MapID: mapID}, ofPlayer: event.PlayerStats{PlayerID: playerID}}
}

// lockBoard locks the map and the player's totals until the end of tx and reads
// what is there of the player. Who adds a run does so by enter.
func lockBoard(ctx context.Context, tx pgx.Tx, mapID, playerID string) (board, error) {
	b := boardOf(mapID, playerID)
	batch := &pgx.Batch{}
	lockMap(batch, mapID)
	// Each statement sees what was committed while the one before waited for the lock.
	batch.Queue(`select version, runs from map_totals where map_id = $1`, mapID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&b.ofMap.Version, &b.ofMap.Records) })
	batch.Queue(`select removed from maps where id = $1`, mapID).QueryRow(func(row pgx.Row) error {
		// Where the copy was lost, the map stands for all that is known.
		return ignoreNoRows(row.Scan(&b.removed))
	})
	batch.Queue(`select merged_into is not null from players where id = $1 for share`, playerID).QueryRow(func(row pgx.Row) error {
		return ignoreNoRows(row.Scan(&b.merged))
	})
	batch.Queue(`select run_id, finish_time, finish_stamp, runs from bests where map_id = $1 and player_id = $2`, mapID, playerID).
		QueryRow(func(row pgx.Row) error {
			best := record.Run{MapID: mapID, PlayerID: playerID}
			err := row.Scan(&best.ID, &best.FinishTime, &best.FinishTimeStamp, &b.runs)
			if err == nil {
				b.best = &best
			}
			return ignoreNoRows(err)
		})
	batch.Queue(`insert into player_totals (player_id, version, runs) values ($1, 0, 0) on conflict do nothing`, playerID)
	batch.Queue(`select version, runs from player_totals where player_id = $1 for update`, playerID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&b.ofPlayer.Version, &b.ofPlayer.Records) })
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return board{}, fmt.Errorf("lock map %s: %w", mapID, err)
	}
	return b, nil
}

// lockMap queues the lock of a map's row, which is made where there is none.
func lockMap(batch *pgx.Batch, mapID string) {
	batch.Queue(`insert into map_totals (map_id, version, runs, players) values ($1, 0, 0, 0) on conflict do nothing`, mapID)
	batch.Queue(`select from map_totals where map_id = $1 for update`, mapID)
}

// setBest queues that the player's row is of another run, and has so many runs.
func (b board) setBest(batch *pgx.Batch, best *record.Run, runs int) {
	if best == nil {
		batch.Queue(`delete from bests where map_id = $1 and player_id = $2`, b.mapID, b.best.PlayerID)
		moveCounts(batch, []row{{board: b}})
		return
	}
	setRows(batch, []row{{board: b, now: best, runs: runs}})
}

// setRuns queues that the player's row stays and has so many runs.
func (b board) setRuns(batch *pgx.Batch, runs int) {
	batch.Queue(`update bests set runs = $3 where map_id = $1 and player_id = $2`, b.mapID, b.best.PlayerID, runs)
}

func ignoreNoRows(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}

// now is the time in the precision in which it is shown and published.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
