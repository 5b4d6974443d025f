package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Copies are what this service knows of maps and players. A state that is older
// than the copy, or the same again, changes nothing.
type Copies struct {
	pool *postgres.Pool
}

// NewCopies returns the copies in the database of pool.
func NewCopies(pool *postgres.Pool) *Copies { return &Copies{pool: pool} }

const mapColumns = `id, version, removed, name, bonk_db_id, fingerprint, medal_author, medal_gold, medal_silver, medal_bronze`

const (
	mapSQL = `select ` + mapColumns + ` from maps where id = $1`
	// For a moment two copies may have one id; the younger one is right.
	mapByGameIDSQL = `select ` + mapColumns + ` from maps where bonk_db_id = $1 and not removed order by id desc limit 1`
)

// Map implements record.MapCopies.
func (c *Copies) Map(ctx context.Context, id string) (record.Map, error) {
	return oneMap(c.pool.QueryRow(ctx, mapSQL, id))
}

// MapByGameID implements record.MapCopies.
func (c *Copies) MapByGameID(ctx context.Context, id int64) (record.Map, error) {
	return oneMap(c.pool.QueryRow(ctx, mapByGameIDSQL, id))
}

func oneMap(row pgx.Row) (m record.Map, err error) {
	err = row.Scan(&m.ID, &m.Version, &m.Removed, &m.Name, &m.BonkDBID, &m.Fingerprint,
		&m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver, &m.Medals.Bronze)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return record.Map{}, record.ErrMapUnknown
	case err != nil:
		return record.Map{}, fmt.Errorf("copy of a map: %w", err)
	}
	return m, nil
}

// TakeMap implements record.MapCopies. A tombstone is final.
func (c *Copies) TakeMap(ctx context.Context, m record.Map) error {
	err := postgres.InTx(ctx, c.pool, func(tx pgx.Tx) error {
		if m.Removed {
			if err := c.lockRemoved(ctx, tx, m.ID); err != nil {
				return err
			}
		}
		before, err := lockCopy(ctx, tx, "maps", "not removed", m.ID)
		if err != nil || before.version >= m.Version || before.version > 0 && !before.counts {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue(`
			update maps set
				version = @version, removed = @removed, name = @name, bonk_db_id = @bonkDBID, fingerprint = @fingerprint,
				medal_author = @author, medal_gold = @gold, medal_silver = @silver, medal_bronze = @bronze
			where id = @id`,
			pgx.NamedArgs{
				"id": m.ID, "version": m.Version, "removed": m.Removed, "name": m.Name, "bonkDBID": m.BonkDBID, "fingerprint": m.Fingerprint,
				"author": m.Medals.Author, "gold": m.Medals.Gold, "silver": m.Medals.Silver, "bronze": m.Medals.Bronze,
			})
		countSite(batch, totalMaps, before.changeTo(!m.Removed))
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return fmt.Errorf("copy map %s: %w", m.ID, err)
	}
	if m.Removed {
		// Also where the copy is as new: an earlier try may have been cut off.
		return c.retire(ctx, m.ID)
	}
	return nil
}

// lockRemoved locks a map that is taken down, so that no run is added to it while
// its copy changes.
func (c *Copies) lockRemoved(ctx context.Context, tx pgx.Tx, id string) error {
	batch := &pgx.Batch{}
	lockMap(batch, id)
	return tx.SendBatch(ctx, batch).Close()
}

const playerSQL = `
	select id, version, removed, coalesce(merged_into::text, ''), name, former_names, skin_image_url, skin_color, registered, banned
	from players where id = $1`

// Player implements record.PlayerCopies.
func (c *Copies) Player(ctx context.Context, id string) (record.Player, error) {
	return onePlayer(c.pool.QueryRow(ctx, playerSQL, id))
}

func onePlayer(row pgx.Row) (p record.Player, err error) {
	err = row.Scan(&p.ID, &p.Version, &p.Removed, &p.MergedInto, &p.Name, &p.FormerNames, &p.SkinImageURL, &p.SkinColor, &p.Registered, &p.Banned)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return record.Player{}, record.ErrPlayerUnknown
	case err != nil:
		return record.Player{}, fmt.Errorf("copy of a player: %w", err)
	}
	return p, nil
}

// TakePlayer implements record.PlayerCopies.
func (c *Copies) TakePlayer(ctx context.Context, p record.Player) error {
	err := postgres.InTx(ctx, c.pool, func(tx pgx.Tx) error {
		before, err := lockCopy(ctx, tx, "players", "registered", p.ID)
		if err != nil {
			return err
		}
		if before.version >= p.Version {
			return completeTombstone(ctx, tx, p)
		}
		batch := &pgx.Batch{}
		batch.Queue(`
			update players set
				version = @version, removed = @removed, merged_into = nullif(@mergedInto, '')::uuid, name = @name, former_names = @formerNames,
				skin_image_url = @skinImageURL, skin_color = @skinColor, registered = @registered, banned = @banned
			where id = @id`,
			pgx.NamedArgs{
				"id": p.ID, "version": p.Version, "removed": p.Removed, "mergedInto": p.MergedInto, "name": p.Name, "formerNames": p.FormerNames,
				"skinImageURL": p.SkinImageURL, "skinColor": p.SkinColor, "registered": p.Registered, "banned": p.Banned,
			})
		countSite(batch, totalPlayers, before.changeTo(p.Registered))
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return fmt.Errorf("copy player %s: %w", p.ID, err)
	}
	if p.MergedInto != "" {
		// Also where the copy is as new: an earlier try may have been cut off.
		return c.handOver(ctx, p.ID)
	}
	return nil
}

// completeTombstone notes whom a player was merged into where the copy was made
// by a release that knew of no merges.
func completeTombstone(ctx context.Context, tx pgx.Tx, p record.Player) error {
	if p.MergedInto == "" {
		return nil
	}
	_, err := tx.Exec(ctx, `update players set merged_into = $2 where id = $1 and merged_into is null`, p.ID, p.MergedInto)
	return err
}

// copyState is a copy as it was found under its lock.
type copyState struct {
	// version is 0 where there was no copy.
	version int64
	// counts tells whether it is in the site's total.
	counts bool
}

// changeTo is what the site's total changes by.
func (c copyState) changeTo(counts bool) int64 {
	switch {
	case counts && !c.counts:
		return 1
	case !counts && c.counts:
		return -1
	}
	return 0
}

// lockCopy locks a row of the table, which is made where there is none.
func lockCopy(ctx context.Context, tx pgx.Tx, table, counts, id string) (before copyState, err error) {
	batch := &pgx.Batch{}
	batch.Queue(`insert into `+table+` (id, version) values ($1, 0) on conflict do nothing`, id)
	batch.Queue(`select version, version > 0 and `+counts+` from `+table+` where id = $1 for update`, id).
		QueryRow(func(row pgx.Row) error { return row.Scan(&before.version, &before.counts) })
	err = tx.SendBatch(ctx, batch).Close()
	return before, err
}

// Recount counts the copies of the site's totals anew, where copies were lost
// and came again.
func (c *Copies) Recount(ctx context.Context) error {
	return postgres.InTx(ctx, c.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(`set local statement_timeout = 0`)
		// Nothing is copied meanwhile; reading goes on.
		batch.Queue(`lock table maps, players in share row exclusive mode`)
		batch.Queue(`delete from site_totals where total in ('maps', 'players')`)
		batch.Queue(`
			insert into site_totals (total, shard, count)
			select 'maps', 0, count(*) from maps where not removed
			union all
			select 'players', 0, count(*) from players where registered`)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("recount maps and players: %w", err)
		}
		return nil
	})
}
