package postgres

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/players/internal/player"
)

// Change implements player.ModerationStore.
func (s *Store) Change(
	ctx context.Context, id string, at time.Time, rule player.Rule,
) (changed player.Player, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lockPlayer(ctx, tx, id)
		if err != nil {
			return err
		}
		changed, err = applyRule(ctx, tx, before, at, rule)
		return err
	})
	return changed, err
}

// maxAttempts bounds the attempts of ChangeByName. Another attempt follows a merge at the same moment, and a name is
// rarely merged twice.
const maxAttempts = 16

// errRetry is returned where the holder of a name was merged, and lost the name, while this
// transaction waited for the holder's row. The transaction holds the row's lock although the row is
// of no use to it. It ends before the next attempt, because a transaction that locked further
// players while it holds this lock could wait for a merge that waits for it.
var errRetry = errors.New("the name was moved by a merge")

// ChangeByName implements player.PlayersByName. Of concurrent calls for a new name one inserts the
// row, by the unique name_key; the others wait for it.
func (s *Store) ChangeByName(
	ctx context.Context, name, newID string, at time.Time, rule player.Rule,
) (changed player.Player, err error) {
	for range maxAttempts {
		err = s.db.InTx(ctx, func(tx pgx.Tx) error {
			before, isNameBanned, err := lockByName(ctx, tx, name, newID, at)
			if err != nil {
				return err
			}
			changed, err = applyRule(ctx, tx, before, at, func(l player.Locked) (player.Change, error) {
				l.IsNameBanned = isNameBanned
				return rule(l)
			})
			return err
		})
		if !errors.Is(err, errRetry) {
			return changed, err
		}
	}
	return player.Player{}, player.ErrBusy.Wrap(err)
}

const lockPlayerSQL = `select ` + playerColumns + ` from players where id = @id for update`

// lockPlayer returns a player and locks the row. It returns player.ErrUnknown.
func lockPlayer(ctx context.Context, tx pgx.Tx, id string) (player.Player, error) {
	if !event.IsID(id) {
		return player.Player{}, player.ErrUnknown
	}
	return selectPlayer(ctx, tx, lockPlayerSQL, pgx.NamedArgs{"id": id})
}

// lockByNameSQL ignores former names, which others may take.
const lockByNameSQL = `select ` + playerColumns + ` from players where name_key = @name_key for update`

// lockByName returns the player of the name and locks the row. It inserts a row where there is none. It reports whether
// the name is banned (see player.Locked). It returns errRetry.
func lockByName(
	ctx context.Context, tx pgx.Tx, name, newID string, at time.Time,
) (p player.Player, banned bool, err error) {
	inserted, err := insertPlaceholder(ctx, tx, name, newID, at)
	if err == nil && inserted {
		banned, err = takeFormerName(ctx, tx, name, at)
	}
	if err != nil {
		return player.Player{}, false, err
	}
	p, err = selectPlayer(ctx, tx, lockByNameSQL, pgx.NamedArgs{"name_key": playername.Key(name)})
	switch {
	case errors.Is(err, player.ErrUnknown):
		err = errRetry
	case err == nil && !banned && !p.Registered:
		banned, err = isNameBanned(ctx, tx, name)
	}
	return p, banned, err
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

// applyRule stores what the rule returns for a player whose row is locked.
func applyRule(
	ctx context.Context, tx pgx.Tx, before player.Player, at time.Time, rule player.Rule,
) (player.Player, error) {
	locked, err := readLocked(ctx, tx, before)
	if err != nil {
		return player.Player{}, err
	}
	change, err := rule(locked)
	if err != nil {
		return player.Player{}, err
	}
	return saveChange(ctx, tx, before, change, at)
}

// readLocked returns what decides about a player whose row is locked. It returns player.ErrMerged.
func readLocked(ctx context.Context, tx pgx.Tx, p player.Player) (player.Locked, error) {
	if p.MergedInto != "" {
		return player.Locked{}, player.ErrMerged
	}
	onlyAdmin, err := isOnlyAdmin(ctx, tx, p)
	return player.Locked{Player: p, OnlyAdmin: onlyAdmin}, err
}

// saveChange stores a changed player, and with the player the files, events and rows of the audit log. A change
// that changed nothing stores nothing, except for a new placeholder.
func saveChange(
	ctx context.Context, tx pgx.Tx, before player.Player, change player.Change, at time.Time,
) (player.Player, error) {
	p := change.Player
	if p.Version > 0 && reflect.DeepEqual(p, before) {
		return before, nil
	}
	shown := before // by the profile, which shows no ban
	shown.Banned, shown.Ban = p.Banned, p.Ban
	if !reflect.DeepEqual(p, shown) {
		p.UpdatedAt = at
	}
	p.Version++
	if err := updatePlayer(ctx, tx, p); err != nil {
		return player.Player{}, err
	}
	if !slices.Equal(p.FormerNames, before.FormerNames) {
		if err := replaceFormerNames(ctx, tx, p); err != nil {
			return player.Player{}, err
		}
	}
	if p.Avatar != before.Avatar {
		if err := swapAvatar(ctx, tx, before.Avatar, change.Avatar); err != nil {
			return player.Player{}, err
		}
	}
	if err := updateDeletion(ctx, tx, before, p); err != nil {
		return player.Player{}, err
	}
	events := []outbox.Event{p.State()}
	for _, fact := range change.Facts {
		events = append(events, fact)
	}
	if err := outbox.Append(ctx, tx, events...); err != nil {
		return player.Player{}, err
	}
	var entries []access.Entry
	for _, action := range change.Actions {
		entries = append(entries, access.Entry{
			By: change.By, Action: action, Target: p.ID,
			Before: player.AuditValues(action, before), After: player.AuditValues(action, p),
		})
	}
	return p, audit.Append(ctx, tx, entries...)
}

const updatePlayerSQL = `
	update players set
		version = @version, name = @name, name_key = case when @merged_into::uuid is null then name_key end,
		former_names = @former_names, merged_into = @merged_into, level = @level, skin = @skin,
		skin_color = @skin_color, avatar_key = @avatar_key, roles = @roles, registered = @registered,
		banned = @banned, ban_reason = @ban_reason, ban_public_reason = @ban_public_reason, ban_until = @ban_until,
		ban_decision_id = @ban_decision_id, created_at = @created_at, updated_at = @updated_at,
		language = case when @is_account then language end
	where id = @id`

func updatePlayer(ctx context.Context, tx pgx.Tx, p player.Player) error {
	_, err := tx.Exec(ctx, updatePlayerSQL, pgx.NamedArgs{
		"id": p.ID, "version": p.Version, "name": p.Name, "level": p.Level,
		"former_names": append([]string{}, p.FormerNames...), "merged_into": zeronull.Text(p.MergedInto),
		"skin": zeronull.Text(p.Skin), "skin_color": zeronull.Text(p.SkinColor), "avatar_key": zeronull.Text(p.Avatar),
		"roles": append([]string{}, p.Roles...), "registered": p.Registered,
		"banned": p.Banned, "ban_reason": p.Ban.Reason, "ban_public_reason": p.Ban.PublicReason,
		"ban_until": zeronull.Timestamptz(p.Ban.Until), "ban_decision_id": p.Ban.DecisionID,
		"created_at": p.CreatedAt, "updated_at": p.UpdatedAt,
		"is_account": p.MergedInto == "" && !p.IsDeleted(),
	})
	return postgres.Wrap(err, "store player %s", p.ID)
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
