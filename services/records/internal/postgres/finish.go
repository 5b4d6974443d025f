package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
)

const findFinishSQL = `
	select id from records
	where finish_time = @finish_time and finished_at = @finished_at
		and map_id in (select id from maps where game_map_id = @game_map_id)
	limit 1`

// FindFinish implements the interface of natsapi.Server.
func (s *Store) FindFinish(ctx context.Context, finish event.FindFinish) (recordID string, err error) {
	err = s.pool.QueryRow(ctx, findFinishSQL, pgx.NamedArgs{
		"game_map_id": finish.GameMapID, "finish_time": finish.FinishTime, "finished_at": finish.FinishTimeStamp,
	}).Scan(&recordID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find a finish on game map %d: %w", finish.GameMapID, err)
	}
	return recordID, nil
}
