package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

// maxAttempts bounds the attempts of Register. Another attempt follows a merge at the same moment, and a name is
// rarely merged twice.
const maxAttempts = 16

// errRetry is returned where the holder of a name was merged, and lost the name, while this
// transaction waited for the holder's row. The transaction holds the row's lock although the row is
// of no use to it. It ends before the next attempt, because a transaction that locked further
// players while it holds this lock could wait for a merge that waits for it.
var errRetry = errors.New("the name was moved by a merge")

// Register implements player.RegistrationStore. Of concurrent calls for a new name one inserts the row, by the unique
// name_key; the others wait for it.
func (s *Store) Register(ctx context.Context, r player.Registration) (registered player.Player, err error) {
	for range maxAttempts {
		err = s.db.InTx(ctx, func(tx pgx.Tx) error {
			before, err := lockByName(ctx, tx, r)
			if err != nil {
				return err
			}
			after, err := before.Register(r)
			if err != nil {
				return err
			}
			registered, _, err = save(ctx, tx, player.Locked{Player: before.Player, Other: before.Holder}, after, r.At)
			return err
		})
		if !errors.Is(err, errRetry) {
			return registered, err
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
func lockByName(ctx context.Context, tx pgx.Tx, r player.Registration) (n player.Named, err error) {
	args := pgx.NamedArgs{"name_key": playername.Key(r.Name)}
	inserted, err := insertPlaceholder(ctx, tx, r)
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
		n.IsBanned, err = isNameBanned(ctx, tx, r.Name)
	}
	return n, err
}

const insertPlaceholderSQL = `
	insert into players (id, version, name, name_key, registered, created_at, updated_at, search_key)
	values (@id, 0, @name, @name_key, false, @now, @now, @search_key)
	on conflict on constraint players_name_key do nothing`

// insertPlaceholder inserts a row of the name where there is none. Its version is 0, because no state
// of it was published yet.
func insertPlaceholder(ctx context.Context, tx pgx.Tx, r player.Registration) (inserted bool, err error) {
	tag, err := tx.Exec(ctx, insertPlaceholderSQL, pgx.NamedArgs{
		"id": r.NewID, "name": strings.TrimSpace(r.Name), "name_key": playername.Key(r.Name), "now": r.At,
		"search_key": search.Key(r.Name),
	})
	if err != nil {
		return false, fmt.Errorf("insert player %q: %w", r.Name, err)
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
