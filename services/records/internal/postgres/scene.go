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

// sight is what a submission meets is looked for by.
type sight struct {
	playerID string
	mapID    int64
	run      record.Run
}

// Scene implements record.Runs, in one round trip with what others look for at the
// same time.
func (s *Records) Scene(ctx context.Context, playerID string, mapID int64, r record.Run) (record.Scene, error) {
	return s.scenes.Do(ctx, sight{playerID, mapID, r})
}

func newScenes(s *Records) *groupcommit.Group[sight, record.Scene] {
	return groupcommit.New(groupcommit.Options[sight, record.Scene]{Max: mostAtOnce, Do: s.look})
}

var (
	scenePlayersSQL = strings.Replace(playerSQL, "= $1", "= any($1::uuid[])", 1)
	// Of two maps with one id, the younger one comes last.
	sceneMapsSQL = `select ` + mapColumns + ` from maps where bonk_db_id = any($1::bigint[]) and not removed order by id`
	// sceneTwinsSQL is twinSQL on the standing maps with the game's ids.
	sceneTwinsSQL = `
		select sight.n, twin.*
		from unnest($1::text[], $2::bigint[], $3::int[], $4::timestamptz[])
			with ordinality as sight (hash, bonk_db_id, finish_time, finish_stamp, n)
		cross join lateral (` + strings.NewReplacer(
		"$1", "sight.hash",
		"$2", "(select id from maps where bonk_db_id = sight.bonk_db_id and not removed order by id desc limit 1)",
		"$3", "sight.finish_time", "$4", "sight.finish_stamp",
	).Replace(twinSQL) + `) twin`
)

func (s *Records) look(ctx context.Context, all []sight) ([]record.Scene, error) {
	players, maps := map[string]*record.Player{}, map[int64]*record.Map{}
	scenes := make([]record.Scene, len(all))
	batch := &pgx.Batch{}
	batch.Queue(scenePlayersSQL, column(all, func(s sight) string { return s.playerID })).
		Query(each(onePlayer, func(p record.Player) { players[p.ID] = &p }))
	batch.Queue(sceneMapsSQL, column(all, func(s sight) int64 { return s.mapID })).
		Query(each(oneMap, func(m record.Map) { maps[m.BonkDBID] = &m }))
	batch.Queue(sceneTwinsSQL,
		column(all, func(s sight) string { return s.run.ReplayHash }),
		column(all, func(s sight) int64 { return s.mapID }),
		column(all, func(s sight) int { return s.run.FinishTime }),
		column(all, func(s sight) time.Time { return s.run.FinishTimeStamp }),
	).Query(each(oneTwin, func(t twin) {
		run := t.run()
		scenes[t.N-1].Twin = &run
	}))
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("look for what %d runs meet: %w", len(all), err)
	}
	for i, s := range all {
		scenes[i].Player, scenes[i].Map = players[s.playerID], maps[s.mapID]
	}
	return scenes, nil
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
