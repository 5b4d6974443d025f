package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":              "the row stays as a tombstone",
	"players.merged_into":     "becomes the id of the player merged into; of players merged before it stays, and is followed",
	"former_names.player_id":  "becomes the id of the player merged into",
	"map_authors.author_id":   "follows by the states of the maps",
	"player_totals.player_id": "the row stays; the counts follow by the states of the maps and of the totals",
}

// EditPair implements player.EditablePlayers. The rows are locked in the order of their ids, so that
// concurrent calls do not deadlock.
func (s *Store) EditPair(
	ctx context.Context, firstID, secondID string, edit player.EditPair,
) (first, second player.Player, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		before := map[string]player.Player{}
		for _, id := range []string{min(firstID, secondID), max(firstID, secondID)} {
			p, err := lock(ctx, tx, id)
			if err != nil {
				return err
			}
			if p.MergedInto != "" {
				return player.ErrMerged
			}
			before[id] = p
		}
		first, second = before[firstID].Clone(), before[secondID].Clone()
		effects, err := edit(&first, &second)
		if err != nil {
			return err
		}
		// The first loses its names before the second gets them.
		if first, err = store(ctx, tx, before[firstID], first, effects); err != nil {
			return err
		}
		second, err = store(ctx, tx, before[secondID], second, player.Effects{})
		return err
	})
	return first, second, err
}

// indexFormerNames replaces the rows by which a player is found by former names. A name is one
// player's at most.
func indexFormerNames(ctx context.Context, tx pgx.Tx, p player.Player) error {
	keys := make([]string, len(p.FormerNames))
	for i, name := range p.FormerNames {
		keys[i] = playername.Key(name)
	}
	batch := &pgx.Batch{}
	args := pgx.NamedArgs{"player": p.ID, "keys": keys}
	batch.Queue(`delete from former_names where player_id = @player`, args)
	batch.Queue(`insert into former_names (name_key, player_id) select unnest(@keys::text[]), @player`, args)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("former names of player %s: %w", p.ID, err)
	}
	return nil
}

const lockFormerSQL = `
	select ` + columns + ` from players
	where id = (select player_id from former_names where name_key = $1)
	for update`

// takeFormerName takes a name from the player who had it formerly. It returns errNameMoved.
func takeFormerName(ctx context.Context, tx pgx.Tx, name string) error {
	holder, err := collectOne(tx.Query(ctx, lockFormerSQL, playername.Key(name)))
	switch {
	case errors.Is(err, player.ErrUnknown):
		return nil
	case err != nil:
		return err
	case holder.MergedInto != "":
		return errNameMoved
	}
	_, err = change(ctx, tx, holder, func(p *player.Player) (player.Effects, error) {
		p.LoseFormerName(name)
		return player.Effects{}, nil
	})
	return err
}
