package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/players/internal/player"
)

const lockPlayerSQL = `select ` + playerColumns + ` from players where id = @id for update`

// lockPlayer returns a player and locks the row. It returns player.ErrUnknown.
func lockPlayer(ctx context.Context, tx pgx.Tx, id string) (player.Player, error) {
	return selectPlayer(ctx, tx, lockPlayerSQL, pgx.NamedArgs{"id": id})
}

// lock locks a player, and another one unless otherID is empty, and returns what decides about them. The rows are
// locked in the order of their ids, so that concurrent calls do not deadlock. It returns player.ErrUnknown or
// player.ErrMerged.
func lock(ctx context.Context, tx pgx.Tx, id, otherID string) (player.Locked, error) {
	ids := []string{id}
	if otherID != "" {
		ids = []string{min(id, otherID), max(id, otherID)}
	}
	players := map[string]player.Player{}
	for _, id := range ids {
		p, err := lockPlayer(ctx, tx, id)
		if err != nil {
			return player.Locked{}, err
		}
		if p.MergedInto != "" {
			return player.Locked{}, player.ErrMerged
		}
		players[id] = p
	}
	onlyAdmin, err := isOnlyAdmin(ctx, tx, slices.Collect(maps.Values(players))...)
	locked := player.Locked{Player: players[id], OnlyAdmin: onlyAdmin}
	if otherID != "" {
		locked.Other = new(players[otherID])
	}
	return locked, err
}

// lockAdminsSQL lets one transaction at a time count admins, so that of two who are deleted, banned or merged, or lose
// the role, one stays. The key is that of version 1.0.0, whose replicas run besides during an update.
const lockAdminsSQL = `select pg_advisory_xact_lock(hashtextextended('delete an admin', 0))`

// isOnlyAdmin reports whether one of the players is an admin and there is no other admin who is not banned. The rows of
// the players are locked.
func isOnlyAdmin(ctx context.Context, tx pgx.Tx, players ...player.Player) (bool, error) {
	if !slices.ContainsFunc(players, func(p player.Player) bool { return p.HasRole(access.Admin) }) {
		return false, nil
	}
	if _, err := tx.Exec(ctx, lockAdminsSQL); err != nil {
		return false, fmt.Errorf("lock of admins: %w", err)
	}
	hasOther, err := hasAdmin(ctx, tx, postgres.Column(players, func(p player.Player) string { return p.ID }))
	return !hasOther, err
}

// save stores a change of players whose rows are locked, and returns both. The first loses its names before the other
// gets them.
func save(
	ctx context.Context, tx pgx.Tx, before player.Locked, change player.Change, at time.Time,
) (changed, other player.Player, err error) {
	if changed, err = saveOne(ctx, tx, before.Player, change, at); err == nil && change.Other != nil {
		other, err = saveOne(ctx, tx, *before.Other, *change.Other, at)
	}
	return changed, other, err
}

// saveOne stores the next version of a player, and with the player the files, events and entries of the audit log.
func saveOne(
	ctx context.Context, tx pgx.Tx, before player.Player, change player.Change, at time.Time,
) (player.Player, error) {
	p, changes := change.Next(before, at)
	if !changes {
		return before, nil
	}
	statements := []string{updatePlayerSQL}
	if !slices.Equal(p.FormerNames, before.FormerNames) {
		statements = append(statements, deleteFormerNamesSQL, insertFormerNamesSQL)
	}
	if before.Banned && !p.Banned {
		statements = append(statements, deleteBannedNamesSQL)
	}
	if err := postgres.ExecBatch(ctx, tx, playerArgs(p), statements...); err != nil {
		return player.Player{}, fmt.Errorf("store player %s: %w", p.ID, err)
	}
	if p.Avatar != before.Avatar {
		if err := swapAvatar(ctx, tx, before.Avatar, change.Avatar); err != nil {
			return player.Player{}, err
		}
	}
	events := []outbox.Event{p.State()}
	for _, fact := range change.Facts {
		events = append(events, fact)
	}
	if err := outbox.Append(ctx, tx, events...); err != nil {
		return player.Player{}, err
	}
	return p, audit.Append(ctx, tx, change.Entries...)
}

const (
	updatePlayerSQL = `
		update players set
			version = @version, name = @name, name_key = @name_key, search_key = @search_key,
			former_names = @former_names, merged_into = @merged_into, level = @level, skin = @skin,
			skin_color = @skin_color, avatar_key = @avatar_key, roles = @roles, registered = @registered,
			banned = @banned, ban_reason = @ban_reason, ban_public_reason = @ban_public_reason, ban_until = @ban_until,
			ban_decision_id = @ban_decision_id, deleted_at = @deleted_at, created_at = @created_at, updated_at = @updated_at,
			language = case when @is_account then language end
		where id = @id`

	// By the rows of former_names a player is found. A name is one player's at most.
	deleteFormerNamesSQL = `delete from former_names where player_id = @id`
	insertFormerNamesSQL = `insert into former_names (name_key, player_id) select unnest(@former_keys::text[]), @id`

	deleteBannedNamesSQL = `delete from banned_names where player_id = @id`
)

// playerArgs are the arguments of the statements that store a player.
func playerArgs(p player.Player) pgx.NamedArgs {
	return pgx.NamedArgs{
		"id": p.ID, "version": p.Version, "name": p.Name, "name_key": zeronull.Text(p.NameKey()),
		"search_key": search.Key(p.Name), "level": p.Level,
		"former_names": append([]string{}, p.FormerNames...), "merged_into": zeronull.Text(p.MergedInto),
		"former_keys": postgres.Column(p.FormerNames, playername.Key),
		"skin":        zeronull.Text(p.Skin), "skin_color": zeronull.Text(p.SkinColor), "avatar_key": zeronull.Text(p.Avatar),
		"roles": append([]string{}, p.Roles...), "registered": p.Registered,
		"banned": p.Banned, "ban_reason": p.Ban.Reason, "ban_public_reason": p.Ban.PublicReason,
		"ban_until": zeronull.Timestamptz(p.Ban.Until), "ban_decision_id": p.Ban.DecisionID,
		"deleted_at": zeronull.Timestamptz(p.DeletedAt), "created_at": p.CreatedAt, "updated_at": p.UpdatedAt,
		"is_account": p.MergedInto == "" && !p.IsDeleted(),
	}
}

func swapAvatar(ctx context.Context, tx pgx.Tx, old string, avatar storedfile.Upload) error {
	if avatar.Key != "" {
		if err := objectstore.Attach(ctx, tx, avatar); err != nil {
			return err
		}
	}
	if old == "" {
		return nil
	}
	return objectstore.Release(ctx, tx, old)
}
