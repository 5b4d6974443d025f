package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/maps/internal/parkourmap"
)

// Each part of the union has an index of its own.
const mapsOfPlayerSQL = `
	select id from maps where author_id = @player
	union
	select id from maps where submitted_by_id = @player
	order by id`

// transferMaps gives all maps of a merged player, as author and as submitter, to the player
// whom they were merged into. Each map is a transaction of its own; repeating the call
// continues where an earlier one was interrupted. No map is made for the merged player
// meanwhile, because Create locks the copy and finds that it is merged.
func (s *Store) transferMaps(ctx context.Context, from string) error {
	rows, err := s.pool.Query(ctx, mapsOfPlayerSQL, pgx.NamedArgs{"player": from})
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", from, err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", from, err)
	}
	for _, id := range ids {
		if err := s.transferMap(ctx, id, from); err != nil {
			return fmt.Errorf("transfer map %s of player %s: %w", id, from, err)
		}
	}
	return nil
}

// errTransferred is returned where another replica has transferred the map.
var errTransferred = errors.New("the map was transferred before")

func (s *Store) transferMap(ctx context.Context, id, from string) error {
	err := s.edit(ctx, id, from, func(tx pgx.Tx, m *parkourmap.Map) error {
		if m.AuthorID != from && m.SubmittedByID != from {
			return errTransferred
		}
		into, err := lockMergedInto(ctx, tx, from)
		if err != nil {
			return err
		}
		if m.AuthorID == from {
			m.AuthorID = into
		}
		if m.SubmittedByID == from {
			m.SubmittedByID = into
		}
		return nil
	})
	if errors.Is(err, errTransferred) {
		return nil
	}
	return err
}

// lockMergedInto returns the player whom a player was merged into, across several merges, or
// the player itself. The answer holds until the end of tx.
func lockMergedInto(ctx context.Context, tx pgx.Tx, player string) (string, error) {
	for {
		var into *string
		err := tx.QueryRow(ctx, lockPlayerSQL, pgx.NamedArgs{"id": player}).Scan(&into)
		switch {
		case err != nil && !errors.Is(err, pgx.ErrNoRows):
			return "", fmt.Errorf("player that %s was merged into: %w", player, err)
		case into == nil:
			return player, nil
		}
		player = *into
	}
}
