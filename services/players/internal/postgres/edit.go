package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

// Edit implements player.EditablePlayers.
func (s *Store) Edit(ctx context.Context, id string, edit player.Edit) (p player.Player, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if p, err = lock(ctx, tx, id); err != nil {
			return err
		}
		p, err = change(ctx, tx, p, edit)
		return err
	})
	return p, err
}

// errNameMoved is returned where the holder of a name was merged, and lost the name, while this
// transaction waited for the holder's row. The transaction holds the row's lock although the row is
// of no use to it. It ends before the next attempt, because a transaction that locked further
// players while it holds this lock could wait for a merge that waits for it.
var errNameMoved = errors.New("the name was moved by a merge")

// EditByName implements player.PlayersByName. Of concurrent calls for a new name one inserts the
// row, by the unique name_key; the others wait for it.
func (s *Store) EditByName(ctx context.Context, name string, edit player.Edit) (p player.Player, err error) {
	for {
		err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			if p, err = lockByName(ctx, tx, name); err != nil {
				return err
			}
			p, err = change(ctx, tx, p, edit)
			return err
		})
		if !errors.Is(err, errNameMoved) {
			return p, err
		}
	}
}

// lockByNameSQL ignores former names, which others may take.
const lockByNameSQL = `select ` + columns + ` from players where name_key = $1 for update`

// lockByName returns the player of the name and locks the row. It inserts a row where there is
// none. It returns errNameMoved.
func lockByName(ctx context.Context, tx pgx.Tx, name string) (player.Player, error) {
	inserted, err := insertUnknown(ctx, tx, name)
	if err != nil {
		return player.Player{}, err
	}
	if inserted {
		if err := takeFormerName(ctx, tx, name); err != nil {
			return player.Player{}, err
		}
	}
	p, err := collectOne(tx.Query(ctx, lockByNameSQL, playername.Key(name)))
	if errors.Is(err, player.ErrUnknown) {
		return player.Player{}, errNameMoved
	}
	return p, err
}

// insertUnknown inserts a row of the name where there is none. Its version is 0, because no state
// of it was published yet.
func insertUnknown(ctx context.Context, tx pgx.Tx, name string) (inserted bool, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return false, fmt.Errorf("player's id: %w", err)
	}
	tag, err := tx.Exec(ctx, `
		insert into players (id, version, name, name_key, registered, created_at, updated_at, search_key)
		values (@id, 0, @name, @nameKey, false, @now, @now, @searchKey)
		on conflict on constraint players_name_key do nothing`,
		pgx.NamedArgs{
			"id": id, "name": strings.TrimSpace(name), "nameKey": playername.Key(name), "now": now(),
			"searchKey": search.Key(name),
		})
	if err != nil {
		return false, fmt.Errorf("insert player %q: %w", name, err)
	}
	return tag.RowsAffected() == 1, nil
}

// change applies edit to a player whose row is locked, and stores the outcome with its events.
func change(ctx context.Context, tx pgx.Tx, before player.Player, edit player.Edit) (player.Player, error) {
	if before.MergedInto != "" {
		return player.Player{}, player.ErrMerged
	}
	p := before.Clone()
	effects, err := edit(&p)
	if err != nil {
		return player.Player{}, err
	}
	return store(ctx, tx, before, p, effects)
}

// store stores an edited player with its events. An edit that changed nothing has no effects.
func store(ctx context.Context, tx pgx.Tx, before, p player.Player, effects player.Effects) (player.Player, error) {
	if p.Version > 0 && p.SameAs(before) {
		return before, nil
	}
	p.Version++
	p.UpdatedAt = now()
	if err := update(ctx, tx, p); err != nil {
		return player.Player{}, err
	}
	if !slices.Equal(p.FormerNames, before.FormerNames) {
		if err := indexFormerNames(ctx, tx, p); err != nil {
			return player.Player{}, err
		}
	}
	if p.Avatar != before.Avatar {
		if err := swapAvatar(ctx, tx, before.Avatar, effects.Avatar); err != nil {
			return player.Player{}, err
		}
	}
	return p, appendEvents(ctx, tx, p, effects)
}

func update(ctx context.Context, tx pgx.Tx, p player.Player) error {
	_, err := tx.Exec(ctx, `
		update players set
			version = @version, name = @name, name_key = case when @mergedInto::uuid is null then name_key end,
			former_names = @formerNames, merged_into = @mergedInto, level = @level, skin = @skin, skin_color = @skinColor,
			avatar_key = @avatar, roles = @roles, registered = @registered,
			banned = @banned, ban_reason = @banReason, created_at = @createdAt, updated_at = @updatedAt
		where id = @id`,
		pgx.NamedArgs{
			"id": p.ID, "version": p.Version, "name": p.Name, "level": p.Level,
			"formerNames": append([]string{}, p.FormerNames...), "mergedInto": orNull(p.MergedInto),
			"skin": orNull(string(p.Skin)), "skinColor": orNull(p.SkinColor), "avatar": orNull(p.Avatar),
			"roles": append([]string{}, p.Roles...), "registered": p.Registered,
			"banned": p.Banned, "banReason": p.BanReason, "createdAt": p.CreatedAt, "updatedAt": p.UpdatedAt,
		})
	if err != nil {
		return fmt.Errorf("store player %s: %w", p.ID, err)
	}
	return nil
}

func swapAvatar(ctx context.Context, tx pgx.Tx, old string, avatar objectstore.Upload) error {
	if avatar != nil {
		if err := avatar.Claim(ctx, tx); err != nil {
			return err
		}
	}
	if old == "" {
		return nil
	}
	return objectstore.Release(ctx, tx, old)
}

// appendEvents appends the player's state and the facts to the outbox, and the entry to the audit log.
func appendEvents(ctx context.Context, tx pgx.Tx, p player.Player, effects player.Effects) error {
	events := []outbox.Event{p.State()}
	for _, fact := range effects.Facts {
		events = append(events, fact)
	}
	if err := outbox.Append(ctx, tx, events...); err != nil {
		return err
	}
	if effects.Audit == nil {
		return nil
	}
	return postgres.AppendAudit(ctx, tx, postgres.AuditEntry{
		Actor: effects.Audit.Actor, Action: effects.Audit.Action, Subject: p.ID,
		Reason: effects.Audit.Reason, Details: effects.Audit.Details,
	})
}

// now returns the time in milliseconds, as it is shown and published.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
