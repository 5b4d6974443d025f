package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
)

// Copies are what neighbours tell of the players' maps and records. A message
// that is older than the copy, or the same again, changes nothing.
type Copies struct {
	pool *postgres.Pool
}

// NewCopies returns the copies in the database of pool.
func NewCopies(pool *postgres.Pool) *Copies { return &Copies{pool: pool} }

// TakeMap takes the state of a map in: its author has one map more, and the one
// who was its author before has one less.
func (c *Copies) TakeMap(ctx context.Context, m event.MapState) error {
	var author *string // null for a map that was removed
	if !m.Removed {
		if err := checkIDs(m.AuthorID); err != nil {
			return err
		}
		author = &m.AuthorID
	}
	if err := checkIDs(m.ID); err != nil {
		return err
	}
	return postgres.InTx(ctx, c.pool, func(tx pgx.Tx) error {
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

// lockMap returns the copy's version and author, 0 and nobody where there was no copy.
func lockMap(ctx context.Context, tx pgx.Tx, id string) (version int64, author *string, err error) {
	_, err = tx.Exec(ctx, `insert into map_authors (map_id, version) values ($1, 0) on conflict do nothing`, id)
	if err == nil {
		err = tx.QueryRow(ctx, `select version, author_id from map_authors where map_id = $1 for update`, id).Scan(&version, &author)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("lock the copy of map %s: %w", id, err)
	}
	return version, author, nil
}

// moveMap counts one map less for one player and one more for another. The rows
// are locked in the order of their ids, as in every other transaction.
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

// TakeStats takes the totals of a player in, who need not be known yet.
func (c *Copies) TakeStats(ctx context.Context, s event.PlayerStats) error {
	if err := checkIDs(s.PlayerID); err != nil {
		return err
	}
	_, err := c.pool.Exec(ctx, `
		insert into player_totals (player_id, records, records_version)
		values (@player, @records, @version)
		on conflict (player_id) do update
			set records = excluded.records, records_version = excluded.records_version
			where player_totals.records_version < excluded.records_version`,
		pgx.NamedArgs{"player": s.PlayerID, "records": s.Records, "version": s.Version})
	if err != nil {
		return fmt.Errorf("copy the totals of player %s: %w", s.PlayerID, err)
	}
	return nil
}

// Recount counts the maps of every player again, from the copies alone, for
// totals that were lost while the copies were not, or the other way round.
func (c *Copies) Recount(ctx context.Context) error {
	return postgres.InTx(ctx, c.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		// However many maps there are, they may be counted for as long as it takes.
		batch.Queue(`set local statement_timeout = 0`)
		// Nobody takes a map in meanwhile; reading goes on.
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

// checkIDs makes an id that is none end the message, which no repetition mends.
func checkIDs(ids ...string) error {
	for _, id := range ids {
		if !event.IsID(id) {
			return eventbus.Undecodable(fmt.Errorf("%q is no id", id))
		}
	}
	return nil
}
