package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const (
	setFirstSQL = `
		insert into first_records (map_id, record_id) values (@map, @id) on conflict (map_id) do nothing`
	markFirstSQL = `
		insert into first_records (map_id, record_id)
		select map_id, id from records where map_id = @map and replay_hash = @replay_hash
		on conflict (map_id) do nothing`
)

// SubmitMapReplay implements record.MapReplayStore.
func (s *Store) SubmitMapReplay(ctx context.Context, p *record.PreparedMapReplay) error {
	if p.Accepted != nil {
		_, err := s.Submit(ctx, *p.Accepted)
		if !errors.Is(err, record.ErrReplayExists) {
			return err
		}
		// The player has submitted it meanwhile.
	}
	if p.Replay.IsUpdate {
		return nil
	}
	args := pgx.NamedArgs{"map": p.Replay.MapID, "replay_hash": p.Replay.ReplayHash}
	_, err := s.db.Exec(ctx, markFirstSQL, args)
	return postgres.Wrap(err, "mark the first record of map %s", p.Replay.MapID)
}
