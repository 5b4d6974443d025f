package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":              "the row stays as a tombstone",
	"players.merged_into":     "becomes the id of the player merged into; earlier merges are followed",
	"former_names.player_id":  "becomes the id of the player merged into",
	"deletions.player_id":     "the row is deleted; a deletion that the player merged into has asked for stays",
	"banned_names.player_id":  "has no rows: a deleted player is not merged",
	"map_authors.author_id":   "follows by the states of the maps",
	"player_totals.player_id": "the row stays; the counts follow by the states of the maps and of the totals",
}

// ChangePair implements player.ModerationStore. The rows are locked in the order of their ids, so that concurrent calls
// do not deadlock.
func (s *Store) ChangePair(
	ctx context.Context, id, otherID string, at time.Time, rule player.Rule,
) (changed, other player.Player, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		before := map[string]player.Player{}
		for _, id := range []string{min(id, otherID), max(id, otherID)} {
			p, err := lockPlayer(ctx, tx, id)
			if err != nil {
				return err
			}
			if p.MergedInto != "" {
				return player.ErrMerged
			}
			before[id] = p
		}
		onlyAdmin, err := isOnlyAdmin(ctx, tx, before[id], before[otherID])
		if err != nil {
			return err
		}
		other = before[otherID]
		change, err := rule(player.Locked{Player: before[id], Other: &other, OnlyAdmin: onlyAdmin})
		if err != nil {
			return err
		}
		// The first loses its names before the other gets them.
		if changed, err = saveChange(ctx, tx, before[id], change, at); err != nil || change.Other == nil {
			return err
		}
		other, err = saveChange(ctx, tx, before[otherID], *change.Other, at)
		return err
	})
	return changed, other, err
}

const (
	deleteFormerNamesSQL = `delete from former_names where player_id = @player_id`
	insertFormerNamesSQL = `
		insert into former_names (name_key, player_id) select unnest(@name_keys::text[]), @player_id`
)

// replaceFormerNames replaces the rows by which a player is found by former names. A name is one
// player's at most.
func replaceFormerNames(ctx context.Context, tx pgx.Tx, p player.Player) error {
	args := pgx.NamedArgs{"player_id": p.ID, "name_keys": postgres.Column(p.FormerNames, playername.Key)}
	err := postgres.ExecBatch(ctx, tx, args, deleteFormerNamesSQL, insertFormerNamesSQL)
	return postgres.Wrap(err, "former names of player %s", p.ID)
}

const lockFormerSQL = `
	select ` + playerColumns + ` from players
	where id = (select player_id from former_names where name_key = @name_key)
	for update`

// takeFormerName takes a name from the player who had it formerly, and reports whether that player is banned. It
// returns errRetry.
func takeFormerName(ctx context.Context, tx pgx.Tx, name string, at time.Time) (banned bool, err error) {
	holder, err := selectPlayer(ctx, tx, lockFormerSQL, pgx.NamedArgs{"name_key": playername.Key(name)})
	switch {
	case errors.Is(err, player.ErrUnknown):
		return false, nil
	case err != nil:
		return false, err
	case holder.MergedInto != "":
		return false, errRetry
	}
	_, err = saveChange(ctx, tx, holder, player.Change{Player: holder.WithoutFormerName(name)}, at)
	return holder.Banned, err
}
