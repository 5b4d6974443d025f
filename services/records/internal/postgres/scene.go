package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// Scene implements record.Runs, in one round trip.
func (s *Records) Scene(ctx context.Context, playerID string, mapID int64, r record.Run) (scene record.Scene, err error) {
	batch := &pgx.Batch{}
	batch.Queue(playerSQL, playerID).QueryRow(func(row pgx.Row) error {
		player, err := onePlayer(row)
		if err == nil {
			scene.Player = &player
		}
		return unless(err, record.ErrPlayerUnknown)
	})
	batch.Queue(mapByGameIDSQL, mapID).QueryRow(func(row pgx.Row) error {
		m, err := oneMap(row)
		if err == nil {
			scene.Map = &m
		}
		return unless(err, record.ErrMapUnknown)
	})
	batch.Queue(sceneTwinSQL, pgx.NamedArgs{
		"hash": r.ReplayHash, "bonkDBID": mapID, "time": r.FinishTime, "stamp": r.FinishTimeStamp,
	}).Query(func(rows pgx.Rows) error {
		twin, err := oneRun(rows, nil)
		if err == nil {
			scene.Twin = &twin
		}
		return unless(err, record.ErrRecordUnknown)
	})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return record.Scene{}, fmt.Errorf("look for what a run meets: %w", err)
	}
	return scene, nil
}

// sceneTwinSQL is twinSQL on the standing map with the game's id @bonkDBID.
var sceneTwinSQL = strings.Replace(twinSQL, "@map",
	"(select id from maps where bonk_db_id = @bonkDBID and not removed order by id desc limit 1)", 1)

// unless returns err where it is not the expected one.
func unless(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
