package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/maps/internal/parkourmap"
)

// Each part has an index of its own.
const mapsOfSQL = `
	select id from maps where author_id = $1 and removed_at is null
	union
	select id from maps where author_id = $1 and removed_at is not null
	union
	select id from maps where submitted_by_id = $1
	order by id`

// errHandedOver says that another replica was faster.
var errHandedOver = errors.New("the map was handed over before")

// handOver makes all maps of a player who was merged, as author and as who handed
// them in, those of whom they were merged into, one after the other. What is left
// is what is left to do, so that it may be cut off and begun again. No map is made
// for the player meanwhile: whoever makes one holds the player's copy, which says
// by now that they were merged.
func (s *Store) handOver(ctx context.Context, from string) error {
	rows, err := s.pool.Query(ctx, mapsOfSQL, from)
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", from, err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", from, err)
	}
	for _, id := range ids {
		err := s.change(ctx, id, from, func(ctx context.Context, tx pgx.Tx, m *parkourmap.Map, search indexed) error {
			return handOverMap(ctx, tx, from, m, search)
		})
		if err != nil && !errors.Is(err, errHandedOver) {
			return fmt.Errorf("hand over map %s of player %s: %w", id, from, err)
		}
	}
	return nil
}

func handOverMap(ctx context.Context, tx pgx.Tx, from string, m *parkourmap.Map, search indexed) error {
	if m.AuthorID != from && m.SubmittedByID != from {
		return errHandedOver
	}
	into, err := owner(ctx, tx, from)
	if err != nil {
		return err
	}
	if m.AuthorID == from {
		m.AuthorID = into
		key, err := authorKey(ctx, tx, into)
		if err != nil {
			return err
		}
		// A map that was taken down is not found by its author, nor by anything.
		if !m.Removed {
			if err := search.reindex(ctx, tx, into, key); err != nil {
				return err
			}
		}
	}
	if m.SubmittedByID == from {
		m.SubmittedByID = into
	}
	_, err = tx.Exec(ctx, "update maps set author_id = @author, submitted_by_id = @submitter where id = @id",
		pgx.NamedArgs{"id": m.ID, "author": m.AuthorID, "submitter": m.SubmittedByID})
	if err != nil {
		return fmt.Errorf("owners of map %s: %w", m.ID, err)
	}
	return nil
}

// owner returns whose the maps of a player are: the player's or, where they were
// merged into another, that one's. It stays so until the end of tx.
func owner(ctx context.Context, tx pgx.Tx, player string) (string, error) {
	for {
		var into *string
		err := tx.QueryRow(ctx, "select merged_into from players where id = $1 for share", player).Scan(&into)
		switch {
		case err != nil && !errors.Is(err, pgx.ErrNoRows):
			return "", fmt.Errorf("who player %s was merged into: %w", player, err)
		case into == nil:
			return player, nil
		}
		player = *into
	}
}
