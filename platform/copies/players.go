// Package copies stores a service's copies of players and maps, in its tables players and maps. A state replaces a copy
// of a lower version. A tombstone stays, so that an older state brings nothing back.
//
// Merges. The copy of a merged player names the one merged into at the end of all merges. A transaction that changes
// something of a player first takes the lock of merges, shared, so that whom it resolves is neither merged nor deleted
// meanwhile. One that stores the copy of a merged or deleted player takes it alone.
package copies

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// PlayerColumns are the columns that ScanPlayer reads.
const PlayerColumns = `
	id, version, removed, coalesce(merged_into::text, ''), name, former_names, level, skin_image_url, skin_color,
	nullif(roles, '{}'), registered, banned, ban_until, ban_public_reason, ban_decision_id, deleted, created_at`

// ScanPlayer reads a row of PlayerColumns.
func ScanPlayer(row pgx.CollectableRow) (p event.PlayerState, err error) {
	var ban event.Ban
	err = row.Scan(&p.ID, &p.Version, &p.Removed, &p.MergedInto, &p.Name, &p.FormerNames, &p.Level, &p.SkinImageURL,
		&p.SkinColor, &p.Roles, &p.Registered, &p.Banned, (*zeronull.Timestamptz)(&ban.Until), &ban.PublicReason,
		&ban.DecisionID, &p.Deleted, &p.CreatedAt)
	if p.Banned {
		p.Ban = &ban
	}
	return p, err
}

// PlayerSQL selects a player by id.
const PlayerSQL = `select ` + PlayerColumns + ` from players where id = $1`

// Player returns the copy of a player, also a tombstone, or event.ErrPlayerUnknown.
func Player(ctx context.Context, conn postgres.Conn, id string) (event.PlayerState, error) {
	p, err := postgres.CollectOne(ctx, conn, ScanPlayer, PlayerSQL, id)
	return p, postgres.ReadError(err, event.ErrPlayerUnknown, "copy of player %s", id)
}

const (
	// LockMergesSQL is run by merges and by transactions that add something of a player, which wait for each other.
	LockMergesSQL  = `select pg_advisory_xact_lock(hashtextextended('merge players', 0))`
	applyPlayerSQL = `
		insert into players as p (id, version, removed, merged_into, name, former_names, level, skin_image_url, skin_color,
			roles, registered, banned, ban_until, ban_public_reason, ban_decision_id, deleted, created_at)
		values (@id, @version, @removed,
			coalesce((select merged_into from players where id = nullif(@merged_into, '')::uuid),
				nullif(@merged_into, '')::uuid),
			@name, @former_names, @level, @skin_image_url, @skin_color, coalesce(@roles::text[], '{}'), @registered, @banned,
			@ban_until, @ban_public_reason, @ban_decision_id, @deleted, @created_at)
		on conflict (id) do update set
			version = excluded.version, removed = excluded.removed, merged_into = excluded.merged_into, name = excluded.name,
			former_names = excluded.former_names, level = excluded.level, skin_image_url = excluded.skin_image_url,
			skin_color = excluded.skin_color, roles = excluded.roles, registered = excluded.registered,
			banned = excluded.banned, ban_until = excluded.ban_until, ban_public_reason = excluded.ban_public_reason,
			ban_decision_id = excluded.ban_decision_id, deleted = excluded.deleted, created_at = excluded.created_at
		where p.version < excluded.version`
	// FlattenMergesSQL lets merged_into name no merged player.
	FlattenMergesSQL = `
		update players set merged_into = (select merged_into from players where id = @from) where merged_into = @from`
)

// ApplyPlayer stores the state of a player that is newer than the copy, and calls then in the same transaction, unless
// it is nil. then transfers or deletes what belongs to a player who was merged or deleted; the lock of merges is held.
func ApplyPlayer(
	ctx context.Context, db postgres.DB, p event.PlayerState, then func(ctx context.Context, tx pgx.Tx) error,
) error {
	return db.InTx(ctx, func(tx pgx.Tx) error {
		if p.MergedInto != "" || p.Deleted {
			if _, err := tx.Exec(ctx, LockMergesSQL); err != nil {
				return fmt.Errorf("lock of merges: %w", err)
			}
		}
		newer, err := UpsertPlayer(ctx, tx, p)
		if err != nil || !newer || then == nil {
			return err
		}
		return then(ctx, tx)
	})
}

// Transfer calls merge for a player who was merged, with whom the player was merged into, and forget for a player whose
// account was deleted, also for one into whom the player was merged: the states of the two may have come in another
// order. The function then of ApplyPlayer calls it.
func Transfer(
	ctx context.Context, tx pgx.Tx, p event.PlayerState,
	merge func(ctx context.Context, tx pgx.Tx, from, into string) error,
	forget func(ctx context.Context, tx pgx.Tx, playerID string) error,
) error {
	if p.MergedInto == "" {
		if p.Deleted {
			return forget(ctx, tx, p.ID)
		}
		return nil
	}
	into, err := Current(ctx, tx, p.ID)
	if err != nil {
		return err
	}
	if err := merge(ctx, tx, p.ID, into); err != nil {
		return err
	}
	if deleted, err := IsDeleted(ctx, tx, into); err != nil || !deleted {
		return err
	}
	return forget(ctx, tx, into)
}

// UpsertPlayer stores the state of a player in a transaction, leaves the row locked, and reports whether it was newer
// than the copy.
func UpsertPlayer(ctx context.Context, tx pgx.Tx, p event.PlayerState) (newer bool, err error) {
	var ban event.Ban
	if p.Ban != nil {
		ban = *p.Ban
	}
	applied, err := tx.Exec(ctx, applyPlayerSQL, pgx.NamedArgs{
		"id": p.ID, "version": p.Version, "removed": p.Removed, "merged_into": p.MergedInto, "name": p.Name,
		"former_names": p.FormerNames, "level": p.Level, "skin_image_url": p.SkinImageURL, "skin_color": p.SkinColor,
		"roles": p.Roles, "registered": p.Registered, "banned": p.Banned, "ban_until": zeronull.Timestamptz(ban.Until),
		"ban_public_reason": ban.PublicReason, "ban_decision_id": ban.DecisionID, "deleted": p.Deleted,
		"created_at": p.CreatedAt,
	})
	if err == nil && p.MergedInto != "" {
		_, err = tx.Exec(ctx, FlattenMergesSQL, pgx.NamedArgs{"from": p.ID})
	}
	if err != nil {
		return false, fmt.Errorf("copy of player %s: %w", p.ID, err)
	}
	return applied.RowsAffected() == 1, nil
}

// ShareMergesSQL takes the lock of merges, shared, until the end of the transaction.
const ShareMergesSQL = `select pg_advisory_xact_lock_shared(hashtextextended('merge players', 0))`

// ShareMerges keeps players from being merged or deleted until the end of tx.
func ShareMerges(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, ShareMergesSQL)
	return postgres.Wrap(err, "wait for merges")
}

const (
	currentSQL   = `select coalesce((select merged_into from players where id = @player), @player)::text`
	isDeletedSQL = `select exists (select from players where id = @player and deleted)`
)

// Current returns whom a player was merged into, or the player. It stays so where ShareMerges came before. An empty id
// stays empty, and a player without a copy is not known to be merged.
func Current(ctx context.Context, conn postgres.Conn, playerID string) (id string, err error) {
	if playerID == "" {
		return "", nil
	}
	err = conn.QueryRow(ctx, currentSQL, pgx.NamedArgs{"player": playerID}).Scan(&id)
	return id, postgres.Wrap(err, "merge of player %s", playerID)
}

// LockCurrent is Current after ShareMerges, in one round trip.
func LockCurrent(ctx context.Context, tx pgx.Tx, playerID string) (id string, err error) {
	batch := &pgx.Batch{}
	batch.Queue(ShareMergesSQL)
	if playerID != "" {
		postgres.QueueRow(batch, currentSQL, pgx.NamedArgs{"player": playerID}, &id)
	}
	err = tx.SendBatch(ctx, batch).Close() // sets id
	return id, postgres.Wrap(err, "merge of player %s", playerID)
}

// LockWriter is LockCurrent for a player who writes something. It returns access.ErrDeleted for one whose account
// was deleted.
func LockWriter(ctx context.Context, tx pgx.Tx, playerID string) (string, error) {
	id, err := LockCurrent(ctx, tx, playerID)
	if err != nil {
		return "", err
	}
	deleted, err := IsDeleted(ctx, tx, id)
	switch {
	case err != nil:
		return "", err
	case deleted:
		return "", access.ErrDeleted
	}
	return id, nil
}

// IsDeleted reports whether a player's account was deleted.
func IsDeleted(ctx context.Context, conn postgres.Conn, playerID string) (deleted bool, err error) {
	err = conn.QueryRow(ctx, isDeletedSQL, pgx.NamedArgs{"player": playerID}).Scan(&deleted)
	return deleted, postgres.Wrap(err, "deletion of player %s", playerID)
}
