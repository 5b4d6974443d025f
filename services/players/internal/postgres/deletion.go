package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

const deletionSQL = `select requested_at, due_at from deletions where player_id = @player`

// Deletion implements player.DeletionStore.
func (s *Store) Deletion(ctx context.Context, playerID string) (d player.Deletion, err error) {
	err = s.db.QueryRow(ctx, deletionSQL, pgx.NamedArgs{"player": playerID}).Scan(&d.RequestedAt, &d.ScheduledFor)
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
		before, err := lock(ctx, tx, playerID, "")
		if err != nil {
			return err
		}
		if err := before.CheckDeletion(); err != nil {
			return err
		}
		inserted, err := tx.Exec(ctx, insertDeletionSQL, pgx.NamedArgs{
			"player": playerID, "requested_at": d.RequestedAt, "due_at": d.ScheduledFor,
		})
		if err != nil {
			return fmt.Errorf("schedule the deletion of player %s: %w", playerID, err)
		}
		created = inserted.RowsAffected() == 1
		stored, err = s.In(tx).Deletion(ctx, playerID)
		return err
	})
	return stored, created, err
}

const cancelDeletionSQL = `delete from deletions where player_id = @player`

// CancelDeletion implements player.DeletionStore.
func (s *Store) CancelDeletion(ctx context.Context, playerID string) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		p, err := lockPlayer(ctx, tx, playerID)
		if err != nil {
			return err
		}
		if err := p.CheckAccount(); err != nil {
			return err
		}
		return cancelDeletion(ctx, tx, p.ID)
	})
}

func cancelDeletion(ctx context.Context, tx pgx.Tx, playerID string) error {
	_, err := tx.Exec(ctx, cancelDeletionSQL, pgx.NamedArgs{"player": playerID})
	return postgres.Wrap(err, "cancel the deletion of player %s", playerID)
}

// Delete implements player.DeletionStore. Of this, a deletion by another replica and a cancellation at the same moment,
// the one that locks the player first counts.
func (s *Store) Delete(ctx context.Context, d player.AccountDeletion) (deleted player.Player, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.lockAccount(ctx, tx, d.PlayerID)
		if err != nil {
			return err
		}
		after, err := before.Delete(d)
		if err != nil {
			return err
		}
		if deleted, _, err = save(ctx, tx, before.Locked, after, d.At); err != nil {
			return err
		}
		return forget(ctx, tx, before.Player, deleted)
	})
	return deleted, err
}

const takenKeysSQL = `select name_key from players where name_key = any (@keys)`

// lockAccount locks a player and returns what decides about the deletion.
func (s *Store) lockAccount(ctx context.Context, tx pgx.Tx, playerID string) (a player.LockedAccount, err error) {
	if a.Locked, err = lock(ctx, tx, playerID, ""); err != nil {
		return a, err
	}
	if a.Deletion, err = s.In(tx).Deletion(ctx, playerID); err != nil {
		return a, err
	}
	keys := postgres.Column(player.DeletedNames(a.Player.ID), player.DeletedNameKey)
	a.TakenKeys, err = postgres.Collect(ctx, tx, pgx.RowTo[string], takenKeysSQL, pgx.NamedArgs{"keys": keys})
	return a, postgres.Wrap(err, "names of deleted players like %s", playerID)
}

const deletionsDueSQL = `select player_id from deletions where due_at <= @now order by due_at, player_id limit @limit`

// DeletionsDue implements player.DeletionStore.
func (s *Store) DeletionsDue(ctx context.Context, now time.Time, limit int) ([]string, error) {
	args := pgx.NamedArgs{"now": now, "limit": limit}
	ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], deletionsDueSQL, args)
	return ids, postgres.Wrap(err, "deletions that are due")
}

const postponeSQL = `update deletions set due_at = @due_at where player_id = @player and due_at < @due_at`

// PostponeDeletion implements player.DeletionStore. A player who has changed their mind twice meanwhile has more time.
func (s *Store) PostponeDeletion(ctx context.Context, playerID string, dueAt time.Time) error {
	_, err := s.db.Exec(ctx, postponeSQL, pgx.NamedArgs{"player": playerID, "due_at": dueAt})
	return postgres.Wrap(err, "postpone the deletion of player %s", playerID)
}
