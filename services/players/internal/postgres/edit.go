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

// Edit implements player.Editor.
func (s *Players) Edit(ctx context.Context, id string, edit player.Edit) (p player.Player, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if p, err = findByID(ctx, tx, id, " for update"); err != nil {
			return err
		}
		p, err = change(ctx, tx, p, edit)
		return err
	})
	return p, err
}

// EditNamed implements player.NamedEditor. The unique name_key decides between
// calls that overlap: one makes the row, the others wait for it and find it.
func (s *Players) EditNamed(ctx context.Context, name string, edit player.Edit) (p player.Player, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if p, err = lockNamed(ctx, tx, name); err != nil {
			return err
		}
		p, err = change(ctx, tx, p, edit)
		return err
	})
	return p, err
}

// lockByNameSQL finds nobody by a former name, which is free for others.
const lockByNameSQL = `select ` + columns + ` from players where name_key = $1 for update`

// lockNamed locks the player of the name, who is made where there is none.
func lockNamed(ctx context.Context, tx pgx.Tx, name string) (player.Player, error) {
	for {
		made, err := insertUnknown(ctx, tx, name)
		if err != nil {
			return player.Player{}, err
		}
		if made {
			if err := takeFormerName(ctx, tx, name); err != nil {
				return player.Player{}, err
			}
		}
		p, err := collectOne(tx.Query(ctx, lockByNameSQL, playername.Key(name)))
		// The player may have been merged, and lost the name, while we waited for the lock.
		if !errors.Is(err, player.ErrUnknown) {
			return p, err
		}
	}
}

// insertUnknown makes the row of a name where there is none, with the version 0
// of something that nobody has been told of.
func insertUnknown(ctx context.Context, tx pgx.Tx, name string) (made bool, err error) {
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
		return false, fmt.Errorf("make player %q: %w", name, err)
	}
	return tag.RowsAffected() == 1, nil
}

// change lets edit alter the player, whose row tx has locked, and stores what
// came of it with its news.
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

// store stores what an edit made of a player, with its news.
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
	return p, tell(ctx, tx, p, effects)
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

func tell(ctx context.Context, tx pgx.Tx, p player.Player, effects player.Effects) error {
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
		Actor: effects.Audit.Actor, Action: effects.Audit.Action, Subject: p.ID, Reason: effects.Audit.Reason, Details: effects.Audit.Details,
	})
}

// now is the time in the precision in which it is shown and published.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
