package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/groupcommit"
	"capzone.dev/services/records/internal/record"
)

// lookup is what a submission meets is looked for by.
type lookup struct {
	playerID string
	mapID    int64
	run      record.Run
}

// LookUp implements record.Runs, in one round trip with what others look for at the
// same time.
func (s *Records) LookUp(ctx context.Context, playerID string, mapID int64, r record.Run) (record.Found, error) {
	return s.lookups.Do(ctx, lookup{playerID, mapID, r})
}

func newLookups(s *Records) *groupcommit.Group[lookup, record.Found] {
	return groupcommit.New(groupcommit.Options[lookup, record.Found]{Max: mostAtOnce, Do: s.lookUp})
}

var (
	lookupPlayersSQL = strings.Replace(playerSQL, "= $1", "= any($1::uuid[])", 1)
	// Of two maps with one id, the younger one comes last.
	lookupMapsSQL = `select ` + mapColumns + ` from maps where bonk_db_id = any($1::bigint[]) and not removed order by id`
	// lookupTwinsSQL is twinSQL on the standing maps with the game's ids.
	lookupTwinsSQL = `
		select lookup.n, twin.*
		from unnest($1::text[], $2::bigint[], $3::int[], $4::timestamptz[])
			with ordinality as lookup (hash, bonk_db_id, finish_time, finish_stamp, n)
		cross join lateral (` + strings.NewReplacer(
		"$1", "lookup.hash",
		"$2", "(select id from maps where bonk_db_id = lookup.bonk_db_id and not removed order by id desc limit 1)",
		"$3", "lookup.finish_time", "$4", "lookup.finish_stamp",
	).Replace(twinSQL) + `) twin`
)

func (s *Records) lookUp(ctx context.Context, all []lookup) ([]record.Found, error) {
	players, maps := map[string]*record.Player{}, map[int64]*record.Map{}
	found := make([]record.Found, len(all))
	batch := &pgx.Batch{}
	batch.Queue(lookupPlayersSQL, column(all, func(l lookup) string { return l.playerID })).
		Query(each(onePlayer, func(p record.Player) { players[p.ID] = &p }))
	batch.Queue(lookupMapsSQL, column(all, func(l lookup) int64 { return l.mapID })).
		Query(each(oneMap, func(m record.Map) { maps[m.BonkDBID] = &m }))
	batch.Queue(lookupTwinsSQL,
		column(all, func(l lookup) string { return l.run.ReplayHash }),
		column(all, func(l lookup) int64 { return l.mapID }),
		column(all, func(l lookup) int { return l.run.FinishTime }),
		column(all, func(l lookup) time.Time { return l.run.FinishTimeStamp }),
	).Query(each(oneTwin, func(t twin) {
		run := t.run()
		found[t.N-1].Twin = &run
	}))
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("look for what %d runs meet: %w", len(all), err)
	}
	for i, l := range all {
		found[i].Player, found[i].Map = players[l.playerID], maps[l.mapID]
	}
	return found, nil
}

// twin is that of the run at a place.
type twin struct {
	N int
	runRow
}

func oneTwin(row pgx.Row) (t twin, err error) {
	err = row.Scan(&t.N, &t.ID, &t.MapID, &t.PlayerID, &t.FinishTime, &t.FinishStamp, &t.ReplayHash, &t.CreatedAt)
	return t, err
}

// each scans the rows of a statement of a batch.
func each[T any](scan func(pgx.Row) (T, error), found func(T)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		defer rows.Close()
		for rows.Next() {
			one, err := scan(rows)
			if err != nil {
				return err
			}
			found(one)
		}
		return rows.Err()
	}
}
