package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// ApplyMap stores the author of a map and counts the map for that player. Only the newest version
// of a map counts. A state that is not newer than the copy changes nothing.
func (s *Store) ApplyMap(ctx context.Context, m event.MapState) error {
	var author *string // null for a map that does not count
	if !m.Removed && !m.Superseded {
		author = &m.AuthorID
	}
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		version, before, err := lockMap(ctx, tx, m.ID)
		if err != nil || version >= m.Version {
			return err
		}
		_, err = tx.Exec(ctx, updateMapSQL, pgx.NamedArgs{"map_id": m.ID, "version": m.Version, "author_id": author})
		if err != nil {
			return fmt.Errorf("copy map %s: %w", m.ID, err)
		}
		return moveMap(ctx, tx, before, author)
	})
}

const (
	updateMapSQL = `update map_authors set version = @version, author_id = @author_id where map_id = @map_id`
	insertMapSQL = `insert into map_authors (map_id, version) values (@map_id, 0) on conflict do nothing`
	lockMapSQL   = `select version, author_id from map_authors where map_id = @map_id for update`
)

// lockMap locks the copy of a map and returns its version and author, 0 and nil where there was none.
func lockMap(ctx context.Context, tx pgx.Tx, id string) (version int64, author *string, err error) {
	args := pgx.NamedArgs{"map_id": id}
	if _, err = tx.Exec(ctx, insertMapSQL, args); err == nil {
		err = tx.QueryRow(ctx, lockMapSQL, args).Scan(&version, &author)
	}
	return version, author, postgres.Wrap(err, "lock the copy of map %s", id)
}

const moveMapSQL = `
	insert into player_totals (player_id, maps)
	select id, change
	from (values (@from_id::uuid, -1), (@to_id::uuid, 1)) as moved (id, change)
	where id is not null
	order by id
	on conflict (player_id) do update set maps = player_totals.maps + excluded.maps`

// moveMap moves one map from a player's total to another's. The rows are locked in the order of
// their ids, as in every other transaction.
func moveMap(ctx context.Context, tx pgx.Tx, from, to *string) error {
	if from != nil && to != nil && *from == *to {
		return nil
	}
	_, err := tx.Exec(ctx, moveMapSQL, pgx.NamedArgs{"from_id": from, "to_id": to})
	return postgres.Wrap(err, "count maps")
}

const applyStatsSQL = `
	insert into player_totals (player_id, records, records_version)
	values (@player_id, @records, @version)
	on conflict (player_id) do update
		set records = excluded.records, records_version = excluded.records_version
		where player_totals.records_version < excluded.records_version`

// ApplyStats stores the number of a player's records. The player may still be unknown. A state that
// is not newer than the copy changes nothing.
func (s *Store) ApplyStats(ctx context.Context, stats event.PlayerStats) error {
	_, err := s.db.Exec(ctx, applyStatsSQL, pgx.NamedArgs{
		"player_id": stats.PlayerID, "records": stats.Records, "version": stats.Version,
	})
	return postgres.Wrap(err, "copy the totals of player %s", stats.PlayerID)
}

const (
	// Counting may take longer than a request's statements.
	unlimitedTimeSQL = `set local statement_timeout = 0`
	// Writers wait, readers do not.
	lockMapsSQL   = `lock table map_authors in share row exclusive mode`
	clearCountSQL = `
		update player_totals set maps = 0
		where maps <> 0 and not exists (select from map_authors where author_id = player_id)`
	countMapsSQL = `
		insert into player_totals (player_id, maps)
		select author_id, count(*) from map_authors where author_id is not null group by author_id order by author_id
		on conflict (player_id) do update set maps = excluded.maps
			where player_totals.maps <> excluded.maps`
)

// Rebuild counts the maps of every player again from the copies.
func (s *Store) Rebuild(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		err := postgres.ExecBatch(ctx, tx, nil, unlimitedTimeSQL, lockMapsSQL, clearCountSQL, countMapsSQL)
		return postgres.Wrap(err, "recount maps")
	})
}
