package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// ApplyMap stores the author of a map and counts the map for that player. Of several versions of a
// map only the newest counts. A state that is not newer than the copy changes nothing.
func (s *Store) ApplyMap(ctx context.Context, m event.MapState) error {
	var author *string // null for a map that does not count
	if !m.Removed && !m.Superseded {
		author = &m.AuthorID
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		version, before, err := lockMap(ctx, tx, m.ID)
		if err != nil || version >= m.Version {
			return err
		}
		_, err = tx.Exec(ctx, `update map_authors set version = @version, author_id = @author where map_id = @id`,
			pgx.NamedArgs{"id": m.ID, "version": m.Version, "author": author})
		if err != nil {
			return fmt.Errorf("copy map %s: %w", m.ID, err)
		}
		return moveMap(ctx, tx, before, author)
	})
}

// lockMap locks the copy of a map and returns its version and author, 0 and nil where there was none.
func lockMap(ctx context.Context, tx pgx.Tx, id string) (version int64, author *string, err error) {
	_, err = tx.Exec(ctx, `insert into map_authors (map_id, version) values ($1, 0) on conflict do nothing`, id)
	if err == nil {
		err = tx.QueryRow(ctx, `select version, author_id from map_authors where map_id = $1 for update`, id).Scan(&version,
			&author)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("lock the copy of map %s: %w", id, err)
	}
	return version, author, nil
}

// moveMap moves one map from a player's total to another's. The rows are locked in the order of
// their ids, as in every other transaction.
func moveMap(ctx context.Context, tx pgx.Tx, from, to *string) error {
	if from != nil && to != nil && *from == *to {
		return nil
	}
	_, err := tx.Exec(ctx, `
		insert into player_totals (player_id, maps)
		select id, change
		from (values (@from::uuid, -1), (@to::uuid, 1)) as moved (id, change)
		where id is not null
		order by id
		on conflict (player_id) do update set maps = player_totals.maps + excluded.maps`,
		pgx.NamedArgs{"from": from, "to": to})
	if err != nil {
		return fmt.Errorf("count maps: %w", err)
	}
	return nil
}

// ApplyStats stores the number of a player's records. The player may still be unknown. A state that
// is not newer than the copy changes nothing.
func (s *Store) ApplyStats(ctx context.Context, stats event.PlayerStats) error {
	_, err := s.pool.Exec(ctx, `
		insert into player_totals (player_id, records, records_version)
		values (@player, @records, @version)
		on conflict (player_id) do update
			set records = excluded.records, records_version = excluded.records_version
			where player_totals.records_version < excluded.records_version`,
		pgx.NamedArgs{"player": stats.PlayerID, "records": stats.Records, "version": stats.Version})
	if err != nil {
		return fmt.Errorf("copy the totals of player %s: %w", stats.PlayerID, err)
	}
	return nil
}

// Recount counts the maps of every player again from the copies.
func (s *Store) Recount(ctx context.Context) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		// Counting may take longer than a request's statements.
		batch.Queue(`set local statement_timeout = 0`)
		// Writers wait, readers do not.
		batch.Queue(`lock table map_authors in share row exclusive mode`)
		batch.Queue(`
			update player_totals set maps = 0
			where maps <> 0 and not exists (select from map_authors where author_id = player_id)`)
		batch.Queue(`
			insert into player_totals (player_id, maps)
			select author_id, count(*) from map_authors where author_id is not null group by author_id order by author_id
			on conflict (player_id) do update set maps = excluded.maps
				where player_totals.maps <> excluded.maps`)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("recount maps: %w", err)
		}
		return nil
	})
}
