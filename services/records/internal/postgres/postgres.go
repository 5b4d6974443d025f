// Package postgres keeps runs, leaderboards, totals and the copies of maps and
// players in PostgreSQL.
//
// Everything that belongs to a map is changed under the lock of the map's row in
// map_totals: its runs, its leaderboard, its totals, and whether it was taken
// down. Runs of one map are so accepted one after the other, of different maps at
// once, by one transaction where they come at the same moment (see add.go). Players'
// totals are locked after that, in the order of their ids, and the site's last, so
// that no two transactions wait for each other in a ring.
//
// A leaderboard of any length is read at little cost: see stretch.go.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/groupcommit"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Records is where runs are kept, ranked and found.
type Records struct {
	pool *postgres.Pool
	// near is up to which offset a page is reached by walking from the first row.
	near int
	// lookups and additions bring together what is asked and added at once.
	lookups   *groupcommit.Group[lookup, record.Found]
	additions *groupcommit.Group[*addition, record.Standing]
}

// NewRecords returns the records in the database of pool.
func NewRecords(pool *postgres.Pool) *Records {
	s := &Records{pool: pool, near: nearOffset}
	s.lookups, s.additions = newLookups(s), newAdditions(s)
	return s
}

const runColumns = `id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at`

// runRow is a run as the table has it.
type runRow struct {
	ID          string
	MapID       string
	PlayerID    string
	FinishTime  int
	FinishStamp time.Time
	ReplayHash  string
	CreatedAt   time.Time
}

func (r runRow) run() record.Run {
	return record.Run{
		ID: r.ID, MapID: r.MapID, PlayerID: r.PlayerID,
		FinishTime: r.FinishTime, FinishTimeStamp: r.FinishStamp.UTC(),
		ReplayHash: r.ReplayHash, CreatedAt: r.CreatedAt.UTC(),
	}
}

// oneRun reads one run. Returns record.ErrRecordUnknown where there is none.
func oneRun(rows pgx.Rows, err error) (record.Run, error) {
	if err != nil {
		return record.Run{}, fmt.Errorf("read a run: %w", err)
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[runRow])
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return record.Run{}, record.ErrRecordUnknown
	case err != nil:
		return record.Run{}, fmt.Errorf("read a run: %w", err)
	}
	return r.run(), nil
}

// Twin implements record.Runs.
func (s *Records) Twin(ctx context.Context, r record.Run) (record.Run, error) {
	return oneRun(s.pool.Query(ctx, twinSQL, r.ReplayHash, r.MapID, r.FinishTime, r.FinishTimeStamp))
}

const twinSQL = `
	select ` + runColumns + ` from runs
	where replay_hash = $1
	   or map_id = $2 and finish_time = $3 and finish_stamp = $4
	order by replay_hash = $1 desc
	limit 1`

// NamesReplay tells whether any run needs the replay of the hash: also a removed
// one, until its replay is let go (see appeal.go).
func (s *Records) NamesReplay(ctx context.Context, tx pgx.Tx, hash string) (named bool, err error) {
	err = tx.QueryRow(ctx, namesReplaySQL, hash).Scan(&named)
	return named, err
}

const namesReplaySQL = `select exists (select from runs where replay_hash = $1 and replay_gone_at is null)`
