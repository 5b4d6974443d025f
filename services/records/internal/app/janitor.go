package app

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
	"capzone.dev/services/records/internal/files"
	"capzone.dev/services/records/internal/postgres"
)

const (
	// appealPeriod is how long the replay of a removed record is kept.
	appealPeriod = 365 * 24 * time.Hour
	purgeEvery   = time.Hour
	purgeBatch   = 100
)

// purgeReplays deletes the replays of records that were removed before the appeal period, and
// returns how many.
func purgeReplays(store *postgres.Store) func(context.Context) (int, error) {
	return func(ctx context.Context) (purged int, err error) {
		for n := purgeBatch; n == purgeBatch; purged += n {
			if n, err = store.PurgeReplays(ctx, time.Now().Add(-appealPeriod), purgeBatch, files.Key); err != nil {
				return purged, err
			}
		}
		return purged, nil
	}
}

// isFileUsed reports whether a record needs the file under a key.
func isFileUsed(store *postgres.Store) objectstore.IsReferenced {
	return func(ctx context.Context, tx pgx.Tx, key string) (bool, error) {
		hash, ok := files.Hash(key)
		if !ok {
			return false, nil
		}
		return store.UsesReplay(ctx, tx, hash)
	}
}
