package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// handOver gives all runs of a player who was merged to whom they were merged
// into, one map after the other. What is left of the player's runs is what is
// left to do, so that it may be cut off and begun again. No run is added for the
// player meanwhile: whoever adds one holds the player's copy, which says by now
// that they were merged.
func (c *Copies) handOver(ctx context.Context, from string) error {
	maps, err := c.mapsPlayed(ctx, from)
	if err != nil {
		return err
	}
	for _, id := range maps {
		err := postgres.InTx(ctx, c.pool, func(tx pgx.Tx) error { return handOverOn(ctx, tx, id, from) })
		if err != nil {
			return fmt.Errorf("hand over the runs of player %s on map %s: %w", from, id, err)
		}
	}
	return nil
}

// Each half has an index of its own.
const mapsPlayedSQL = `
	select map_id from runs where player_id = $1 and removed_at is null
	union
	select map_id from runs where player_id = $1 and removed_at is not null
	order by map_id`

// mapsPlayed returns the maps on which a player has runs, also removed ones.
func (c *Copies) mapsPlayed(ctx context.Context, player string) ([]string, error) {
	rows, err := c.pool.Query(ctx, mapsPlayedSQL, player)
	if err != nil {
		return nil, fmt.Errorf("maps of player %s: %w", player, err)
	}
	maps, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("maps of player %s: %w", player, err)
	}
	return maps, nil
}

// handOverOn hands over the runs on one map, and makes one row of the
// leaderboard of two.
func handOverOn(ctx context.Context, tx pgx.Tx, mapID, from string) error {
	into, err := lockBoth(ctx, tx, mapID, from)
	if err != nil {
		return err
	}
	left, err := lockBoard(ctx, tx, mapID, from)
	if err != nil {
		return err
	}
	taken, err := lockBoard(ctx, tx, mapID, into)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		update runs set player_id = @into, handed_in_by = coalesce(handed_in_by, player_id)
		where map_id = @map and player_id = @from`,
		pgx.NamedArgs{"map": mapID, "from": from, "into": into})
	if err != nil {
		return err
	}
	// Of a map that was taken down, the leaderboard goes by itself (see retire.go).
	if left.removed || left.best == nil {
		return nil
	}
	best, err := nextBest(ctx, tx, record.Run{MapID: mapID, PlayerID: into})
	if err != nil {
		return err
	}
	if best == nil {
		return errors.New("the leaderboard has a row of a player without runs")
	}
	batch := &pgx.Batch{}
	left.setBest(batch, nil, 0)
	taken.setBest(batch, best, left.runs+taken.runs)
	if taken.best != nil {
		batch.Queue(`update map_totals set players = players - 1 where map_id = $1`, mapID)
	}
	if err := errors.Join(left.countPlayer(ctx, batch, -left.runs), taken.countPlayer(ctx, batch, left.runs)); err != nil {
		return err
	}
	return tx.SendBatch(ctx, batch).Close()
}

// lockBoth locks the map, and the totals of the player and of whom the player was
// merged into, in the order of their ids.
func lockBoth(ctx context.Context, tx pgx.Tx, mapID, from string) (into string, err error) {
	batch := &pgx.Batch{}
	lockMap(batch, mapID)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return "", fmt.Errorf("lock map %s: %w", mapID, err)
	}
	if into, err = owner(ctx, tx, from); err != nil {
		return "", err
	}
	batch = &pgx.Batch{}
	for _, id := range []string{min(from, into), max(from, into)} {
		batch.Queue(`insert into player_totals (player_id, version, runs) values ($1, 0, 0) on conflict do nothing`, id)
		batch.Queue(`select from player_totals where player_id = $1 for update`, id)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return "", fmt.Errorf("lock the totals of players %s and %s: %w", from, into, err)
	}
	return into, nil
}

// owner returns whose the runs of a player are: the player's or, where they were
// merged into another, that one's. It stays so until the end of tx.
func owner(ctx context.Context, tx pgx.Tx, player string) (string, error) {
	for {
		var into *string
		err := tx.QueryRow(ctx, `select merged_into from players where id = $1 for share`, player).Scan(&into)
		switch {
		case err != nil && !errors.Is(err, pgx.ErrNoRows):
			return "", fmt.Errorf("who player %s was merged into: %w", player, err)
		case into == nil:
			return player, nil
		}
		player = *into
	}
}
