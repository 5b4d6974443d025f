package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

// Register implements player.RegistrationStore.
func (s *Store) Register(ctx context.Context, r player.Registration) (player.Player, error) {
	return s.changeByName(ctx, r.Name, r.NewID, r.At,
		func(n player.Named) (player.Change, error) { return n.Register(r) })
}

// Ensure implements player.RegistrationStore.
func (s *Store) Ensure(ctx context.Context, name, newID string, at time.Time) (player.Player, error) {
	return s.changeByName(ctx, name, newID, at,
		func(n player.Named) (player.Change, error) { return n.Ensure(name), nil })
}

// maxAttempts bounds the attempts of changeByName. Another attempt follows a merge at the same moment, and a name is
// rarely merged twice.
const maxAttempts = 16

// errRetry is returned where the holder of a name was merged, and lost the name, while this
// transaction waited for the holder's row. The transaction holds the row's lock although the row is
// of no use to it. It ends before the next attempt, because a transaction that locked further
// players while it holds this lock could wait for a merge that waits for it.
var errRetry = errors.New("the name was moved by a merge")

// changeByName stores what a rule returns for the player of a name. Of concurrent calls for a new name one inserts the
// row, by the unique name_key; the others wait for it.
func (s *Store) changeByName(
	ctx context.Context, name, newID string, at time.Time, rule func(player.Named) (player.Change, error),
) (changed player.Player, err error) {
	for range maxAttempts {
		err = s.db.InTx(ctx, func(tx pgx.Tx) error {
			before, err := lockByName(ctx, tx, name, newID, at)
			if err != nil {
				return err
			}
			change, err := rule(before)
			if err != nil {
				return err
			}
			changed, _, err = save(ctx, tx, player.Locked{Player: before.Player, Other: before.Holder}, change, at)
			return err
		})
		if !errors.Is(err, errRetry) {
			return changed, err
		}
	}
	return player.Player{}, player.ErrBusy.Wrap(err)
}

const (
	// lockByNameSQL ignores former names, which others may take.
	lockByNameSQL = `select ` + playerColumns + ` from players where name_key = @name_key for update`
	lockFormerSQL = `
		select ` + playerColumns + ` from players
		where id = (select player_id from former_names where name_key = @name_key)
		for update`
)

// lockByName returns the player of the name and locks the row, which it inserts where there is none, and then that of
// who had the name formerly. It returns errRetry.
func lockByName(ctx context.Context, tx pgx.Tx, name, newID string, at time.Time) (n player.Named, err error) {
	args := pgx.NamedArgs{"name_key": playername.Key(name)}
	inserted, err := insertPlaceholder(ctx, tx, name, newID, at)
	if err != nil {
		return n, err
	}
	if inserted {
		switch holder, err := selectPlayer(ctx, tx, lockFormerSQL, args); {
		case errors.Is(err, player.ErrUnknown):
		case err != nil:
			return n, err
		case holder.MergedInto != "":
			return n, errRetry
		default:
			n.Holder = &holder
		}
	}
	n.Player, err = selectPlayer(ctx, tx, lockByNameSQL, args)
	switch {
	case errors.Is(err, player.ErrUnknown):
		err = errRetry
	case err == nil && !n.Player.Registered:
		n.IsBanned, err = isNameBanned(ctx, tx, name)
	}
	return n, err
}

const insertPlaceholderSQL = `
	insert into players (id, version, name, name_key, registered, created_at, updated_at, search_key)
	values (@id, 0, @name, @name_key, false, @now, @now, @search_key)
	on conflict on constraint players_name_key do nothing`

// insertPlaceholder inserts a row of the name where there is none. Its version is 0, because no state
// of it was published yet.
func insertPlaceholder(ctx context.Context, tx pgx.Tx, name, id string, at time.Time) (inserted bool, err error) {
	tag, err := tx.Exec(ctx, insertPlaceholderSQL, pgx.NamedArgs{
		"id": id, "name": strings.TrimSpace(name), "name_key": playername.Key(name), "now": at,
		"search_key": search.Key(name),
	})
	if err != nil {
		return false, fmt.Errorf("insert player %q: %w", name, err)
	}
	return tag.RowsAffected() == 1, nil
}

const isNameBannedSQL = `
	select exists (
		select from banned_names b join players p on p.id = b.player_id where b.name_hash = @hash and p.banned)`

// isNameBanned reports whether a name was that of a deleted player who is banned.
func isNameBanned(ctx context.Context, tx pgx.Tx, name string) (banned bool, err error) {
	err = tx.QueryRow(ctx, isNameBannedSQL, pgx.NamedArgs{"hash": player.NameHash(name)}).Scan(&banned)
	return banned, postgres.Wrap(err, "banned names")
}
