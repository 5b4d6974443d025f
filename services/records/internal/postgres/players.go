package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

const playerSQL = `
	select id, version, removed, coalesce(merged_into::text, ''), name, former_names, skin_image_url, skin_color,
		registered, banned
	from players where id = $1`

// Player implements record.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (p record.Player, err error) {
	err = s.pool.QueryRow(ctx, playerSQL, id).Scan(&p.ID, &p.Version, &p.Removed, &p.MergedInto, &p.Name, &p.FormerNames,
		&p.SkinImageURL, &p.SkinColor, &p.Registered, &p.Banned)
	if errors.Is(err, pgx.ErrNoRows) {
		return record.Player{}, record.ErrPlayerUnknown
	}
	if err != nil {
		return record.Player{}, fmt.Errorf("copy of player %s: %w", id, err)
	}
	return p, nil
}

// applyPlayerSQL also completes a tombstone that a version of this service has stored which
// did not know of merges.
const applyPlayerSQL = `
	insert into players as p (id, version, removed, merged_into, name, former_names, skin_image_url, skin_color,
		registered, banned)
	values (@id, @version, @removed, nullif(@merged_into, '')::uuid, @name, @former_names, @skin_image_url, @skin_color,
		@registered, @banned)
	on conflict (id) do update set
		version = excluded.version, removed = excluded.removed, merged_into = excluded.merged_into, name = excluded.name,
		former_names = excluded.former_names, skin_image_url = excluded.skin_image_url, skin_color = excluded.skin_color,
		registered = excluded.registered, banned = excluded.banned
	where p.version < excluded.version
		or p.version = excluded.version and p.merged_into is null and excluded.merged_into is not null`

// ApplyPlayer implements record.PlayerCopies.
func (s *Store) ApplyPlayer(ctx context.Context, p record.Player) error {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, applyPlayerSQL, pgx.NamedArgs{
			"id": p.ID, "version": p.Version, "removed": p.Removed, "merged_into": p.MergedInto, "name": p.Name,
			"former_names": p.FormerNames, "skin_image_url": p.SkinImageURL, "skin_color": p.SkinColor,
			"registered": p.Registered, "banned": p.Banned,
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("apply player %s: %w", p.ID, err)
	}
	if p.MergedInto != "" {
		// Also for a copy that was a tombstone before: the process may have ended in between.
		return s.transferRecords(ctx, p.ID)
	}
	return nil
}

// Each half of mapsPlayedSQL has an index.
const mapsPlayedSQL = `
	select map_id from records where player_id = $1 and removed_at is null
	union
	select map_id from records where player_id = $1 and removed_at is not null
	order by map_id`

// transferRecords transfers all records of a player who was merged, also the removed ones,
// to the player they were merged into, one map in a transaction. It may be interrupted and
// repeated. No record is added for the merged player meanwhile (see findPlacementSQL).
func (s *Store) transferRecords(ctx context.Context, from string) error {
	rows, err := s.pool.Query(ctx, mapsPlayedSQL, from)
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", from, err)
	}
	maps, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", from, err)
	}
	for _, mapID := range maps {
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error { return transferOnMap(ctx, tx, mapID, from) })
		if err != nil {
			return fmt.Errorf("transfer the records of player %s on map %s: %w", from, mapID, err)
		}
	}
	return nil
}

const (
	transferSQL = `
		update records set player_id = @into, submitted_by = coalesce(submitted_by, player_id)
		where map_id = @map and player_id = @from`
	takePersonalBestSQL = `
		delete from personal_bests where map_id = @map and player_id = @from
		returning records`
)

// transferOnMap transfers the records on one map, and makes one personal best of two.
func transferOnMap(ctx context.Context, tx pgx.Tx, mapID, from string) error {
	if err := lockMap(ctx, tx, mapID); err != nil {
		return err
	}
	into, err := mergedInto(ctx, tx, from)
	if err != nil {
		return err
	}
	removed, err := isMapRemoved(ctx, tx, mapID)
	if err != nil {
		return err
	}
	args := pgx.NamedArgs{"map": mapID, "from": from, "into": into}
	if _, err := tx.Exec(ctx, transferSQL, args); err != nil {
		return err
	}
	if removed {
		return nil // clearLeaderboard deletes the personal best, and subtracts from the totals of its player
	}
	var records int
	err = tx.QueryRow(ctx, takePersonalBestSQL, args).Scan(&records)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // all records were removed
	}
	if err != nil {
		return err
	}
	if err := refreshPersonalBest(ctx, tx, mapID, into); err != nil {
		return err
	}
	// The world record is as fast as before, but it may be another player's now.
	ofMap, err := addMapRecords(ctx, tx, mapID, 0)
	if err != nil {
		return err
	}
	if err := outbox.Append(ctx, tx, ofMap); err != nil {
		return err
	}
	return moveTotals(ctx, tx, from, into, records)
}

// moveTotals moves records from one player's total to another's, and appends both events. It
// locks the totals in the order of the players' ids.
func moveTotals(ctx context.Context, tx pgx.Tx, from, into string, records int) error {
	first, second, change := from, into, -records
	if into < from {
		first, second, change = into, from, records
	}
	firstTotal, err := addPlayerRecords(ctx, tx, first, change)
	if err != nil {
		return err
	}
	secondTotal, err := addPlayerRecords(ctx, tx, second, -change)
	if err != nil {
		return err
	}
	return outbox.Append(ctx, tx, firstTotal, secondTotal)
}

// mergedInto returns the player that another one was merged into, at the end of all merges.
// It locks the copies, so that this stays so until the end of tx.
func mergedInto(ctx context.Context, tx pgx.Tx, player string) (string, error) {
	for {
		var into *string
		err := tx.QueryRow(ctx, `select merged_into from players where id = $1 for share`, player).Scan(&into)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return "", fmt.Errorf("merge of player %s: %w", player, err)
		}
		if into == nil {
			return player, nil
		}
		player = *into
	}
}
