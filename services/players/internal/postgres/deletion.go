package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

const deletionSQL = `select requested_at, due_at from deletions where player_id = @player`

// Deletion implements player.DeletionStore.
func (s *Store) Deletion(ctx context.Context, playerID string) (player.Deletion, error) {
	return selectDeletion(ctx, s.db, playerID)
}

func selectDeletion(ctx context.Context, conn postgres.Conn, playerID string) (d player.Deletion, err error) {
	err = conn.QueryRow(ctx, deletionSQL, pgx.NamedArgs{"player": playerID}).Scan(&d.RequestedAt, &d.ScheduledFor)
	return d, postgres.ReadError(err, nil, "deletion of player %s", playerID)
}

const insertDeletionSQL = `
	insert into deletions (player_id, requested_at, due_at) values (@player, @requested_at, @due_at)
	on conflict (player_id) do nothing`

// ScheduleDeletion implements player.DeletionStore.
func (s *Store) ScheduleDeletion(
	ctx context.Context, playerID string, d player.Deletion,
) (stored player.Deletion, created bool, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		p, err := lockPlayer(ctx, tx, playerID)
		if err != nil {
			return err
		}
		if err := checkDeletion(ctx, tx, p); err != nil {
			return err
		}
		inserted, err := tx.Exec(ctx, insertDeletionSQL, pgx.NamedArgs{
			"player": p.ID, "requested_at": d.RequestedAt, "due_at": d.ScheduledFor,
		})
		if err != nil {
			return fmt.Errorf("schedule the deletion of player %s: %w", p.ID, err)
		}
		created = inserted.RowsAffected() == 1
		stored, err = selectDeletion(ctx, tx, p.ID)
		return err
	})
	return stored, created, err
}

const cancelDeletionSQL = `delete from deletions where player_id = @player`

// CancelDeletion implements player.DeletionStore. Of this and a deletion at the same moment, the one that deletes the
// row first counts.
func (s *Store) CancelDeletion(ctx context.Context, playerID string) error {
	_, err := s.db.Exec(ctx, cancelDeletionSQL, pgx.NamedArgs{"player": playerID})
	return postgres.Wrap(err, "cancel the deletion of player %s", playerID)
}

// Delete implements player.DeletionStore.
func (s *Store) Delete(
	ctx context.Context, by access.Attribution, playerID string, at time.Time,
) (deleted player.Player, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lockPlayer(ctx, tx, playerID)
		if err != nil {
			return err
		}
		if err := checkDeletion(ctx, tx, before); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, cancelDeletionSQL, pgx.NamedArgs{"player": before.ID}); err != nil {
			return fmt.Errorf("delete player %s: %w", before.ID, err)
		}
		deleted, err = deletePlayer(ctx, tx, before, by, at)
		return err
	})
	return deleted, err
}

const (
	lockDueSQL = `
		select ` + playerColumns + ` from players
		where id = (
			select p.id from deletions d join players p on p.id = d.player_id
			where d.due_at <= @now order by d.due_at, d.player_id limit 1
			for update of p skip locked)
		for update`
	takeDueSQL  = `delete from deletions where player_id = @player and due_at <= @now`
	postponeSQL = `update deletions set due_at = @later where player_id = @player and due_at <= @now`
)

// DeleteDue implements player.DeletionStore.
func (s *Store) DeleteDue(
	ctx context.Context, by access.Attribution, now, later time.Time,
) (p player.Player, found bool, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := selectPlayer(ctx, tx, lockDueSQL, pgx.NamedArgs{"now": now})
		if errors.Is(err, player.ErrUnknown) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		args := pgx.NamedArgs{"player": before.ID, "now": now, "later": later}
		if err := checkDeletion(ctx, tx, before); err != nil {
			p = before
			_, err := tx.Exec(ctx, postponeSQL, args)
			return postgres.Wrap(err, "postpone the deletion of player %s", before.ID)
		}
		taken, err := tx.Exec(ctx, takeDueSQL, args)
		if err != nil {
			return fmt.Errorf("delete player %s: %w", before.ID, err)
		}
		if taken.RowsAffected() == 0 {
			return nil // the player has changed their mind
		}
		p, err = deletePlayer(ctx, tx, before, by, now)
		return err
	})
	return p, found, err
}

// checkDeletion returns why a player whose row is locked cannot be deleted.
func checkDeletion(ctx context.Context, tx pgx.Tx, p player.Player) error {
	locked, err := readLocked(ctx, tx, p)
	if err != nil {
		return err
	}
	return locked.CheckDeletion()
}

const takenKeysSQL = `select name_key from players where name_key = any (@keys)`

// deletePlayer deletes a player whose row is locked.
func deletePlayer(
	ctx context.Context, tx pgx.Tx, before player.Player, by access.Attribution, at time.Time,
) (player.Player, error) {
	keys := postgres.Column(player.DeletedNames(before.ID), player.DeletedNameKey)
	taken, err := postgres.Collect(ctx, tx, pgx.RowTo[string], takenKeysSQL, pgx.NamedArgs{"keys": keys})
	if err != nil {
		return player.Player{}, fmt.Errorf("names of deleted players like %s: %w", before.ID, err)
	}
	change, err := player.DeletionChange(before, taken, at, by)
	if err != nil {
		return player.Player{}, err
	}
	return saveChange(ctx, tx, before, change, at)
}

const (
	renameDeletedSQL = `
		update players set deleted_at = @at, name_key = @name_key, search_key = @search_key where id = @player`
	// renameMergedSQL deletes the names of the players who were merged into a player, and of those before them.
	renameMergedSQL = `
		with recursive merged (id) as (
			select p.id from players p where p.merged_into = @player
			union
			select p.id from players p join merged m on p.merged_into = m.id
		)
		update players set name = @name, search_key = @search_key where id in (select id from merged)`
	insertBannedNamesSQL = `
		insert into banned_names (name_hash, player_id) select unnest(@hashes::bytea[]), @player
		on conflict do nothing`
	deleteBannedNamesSQL = `delete from banned_names where player_id = @player`
	isNameBannedSQL      = `
		select exists (
			select from banned_names b join players p on p.id = b.player_id where b.name_hash = @hash and p.banned)`
)

// updateDeletion stores what a change means for deletions: the names of a player who is deleted, the end of the ban of
// such a player, and that a player who is merged is not deleted.
func updateDeletion(ctx context.Context, tx pgx.Tx, before, p player.Player) error {
	var statements []string
	switch {
	case p.IsDeleted() && !before.IsDeleted():
		statements = []string{renameDeletedSQL, renameMergedSQL, insertBannedNamesSQL}
	case p.IsDeleted() && before.Banned && !p.Banned:
		statements = []string{deleteBannedNamesSQL}
	case p.MergedInto != "":
		statements = []string{cancelDeletionSQL}
	default:
		return nil
	}
	err := postgres.ExecBatch(ctx, tx, pgx.NamedArgs{
		"player": p.ID, "at": p.DeletedAt, "name_key": player.DeletedNameKey(p.Name), "search_key": search.Key(p.Name),
		"name": p.Name, "hashes": before.BannedNames(),
	}, statements...)
	return postgres.Wrap(err, "deletion of player %s", p.ID)
}

// isNameBanned reports whether a name was that of a deleted player who is banned.
func isNameBanned(ctx context.Context, tx pgx.Tx, name string) (banned bool, err error) {
	err = tx.QueryRow(ctx, isNameBannedSQL, pgx.NamedArgs{"hash": player.NameHash(name)}).Scan(&banned)
	return banned, postgres.Wrap(err, "banned names")
}
