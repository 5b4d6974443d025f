package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

const replayHashesSQL = `
	select replay_hash from records
	where replay_hash > @after and replay_purged_at is null
	order by replay_hash
	limit @limit`

// ReplayHashes implements record.ReplayHashes.
func (s *Store) ReplayHashes(ctx context.Context, after string, limit int) ([]string, error) {
	hashes, err := postgres.Collect(ctx, s.db, pgx.RowTo[string],
		replayHashesSQL, pgx.NamedArgs{"after": after, "limit": limit})
	return hashes, postgres.Wrap(err, "hashes of replays")
}
