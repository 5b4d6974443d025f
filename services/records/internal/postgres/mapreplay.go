package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

const (
	setFirstSQL = `
		insert into first_records (map_id, record_id) values (@map, @id) on conflict (map_id) do nothing`
	markFirstSQL = `
		insert into first_records (map_id, record_id)
		select map_id, id from records where map_id = @map and replay_hash = @replay_hash
		on conflict (map_id) do nothing`
)

// MarkFirst implements record.MapReplayStore.
func (s *Store) MarkFirst(ctx context.Context, mapID, replayHash string) error {
	_, err := s.db.Exec(ctx, markFirstSQL, pgx.NamedArgs{"map": mapID, "replay_hash": replayHash})
	return postgres.Wrap(err, "mark the first record of map %s", mapID)
}
