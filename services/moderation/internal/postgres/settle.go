package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const commandsSQL = `select subject, state from decision_commands where decision_id = @id order by position`

// Settle implements moderation.SettlementStore.
func (s *Store) Settle(ctx context.Context, r moderation.Settlement) (settled bool, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := copies.ShareMerges(ctx, tx); err != nil {
			return err
		}
		before, err := s.readUnsettled(ctx, tx, r.DecisionID)
		if errors.Is(err, moderation.ErrDecisionUnknown) {
			return nil
		}
		if err != nil {
			return err
		}
		var after moderation.Change
		if after, settled = before.Settle(r); !settled {
			return nil
		}
		return save(ctx, tx, after)
	})
	return settled, postgres.Wrap(err, "settle decision %s", r.DecisionID)
}

// readUnsettled locks and returns a decision with what its outcome depends on, or moderation.ErrDecisionUnknown.
func (s *Store) readUnsettled(ctx context.Context, tx pgx.Tx, id string) (u moderation.Unsettled, err error) {
	if u.Decision, err = s.lockDecision(ctx, tx, id); err != nil {
		return u, err
	}
	u.Commands, err = postgres.Collect(ctx, tx, pgx.RowToStructByPos[moderation.Command], commandsSQL,
		pgx.NamedArgs{"id": id})
	if err != nil {
		return u, err
	}
	if u.Hidings, err = lockHidings(ctx, tx, u.Decision); err != nil {
		return u, err
	}
	u.Involved, err = s.readInvolved(ctx, tx, u.Decision)
	return u, err
}

const (
	// hidingsSQL locks the decisions, so that none of them is being settled.
	hidingsSQL = `
		select d.id, d.created_at, c.state
		from decisions d join decision_commands c on c.decision_id = d.id
		where d.player_id = @player and d.kind = 'ban' and d.state <> 'refused'
			and c.subject = @hide and c.state in ('waiting', 'sent', 'done')
		order by d.created_at, d.id
		for update of d`
	endHidingsSQL = `
		update decision_commands set state = 'over' where decision_id = any (@shown) and subject = @hide`
)

// lockHidings locks and returns the bans that an unban lifts. For another decision there are none.
func lockHidings(ctx context.Context, tx pgx.Tx, d moderation.Decision) (moderation.Hidings, error) {
	if d.Kind != moderation.Unban {
		return nil, nil
	}
	return hidings(ctx, tx, d.Subject.PlayerID)
}

// hidings locks and returns the bans that hide the records of a player.
func hidings(ctx context.Context, tx pgx.Tx, playerID string) (moderation.Hidings, error) {
	list, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[moderation.Hiding], hidingsSQL,
		pgx.NamedArgs{"player": zeronull.Text(playerID), "hide": event.HidePlayerSubject})
	return list, postgres.Wrap(err, "bans that hide player %s", playerID)
}

// ShowAfterBan implements moderation.SettlementStore.
func (s *Store) ShowAfterBan(ctx context.Context, by access.Attribution, playerID string) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		current, err := copies.LockCurrent(ctx, tx, playerID)
		if err != nil {
			return err
		}
		before, err := hidings(ctx, tx, current)
		if err != nil {
			return err
		}
		ended, show, err := before.End(by, current)
		if err != nil || len(ended) == 0 {
			return err
		}
		args := pgx.NamedArgs{"shown": ended, "hide": event.HidePlayerSubject}
		if _, err := tx.Exec(ctx, endHidingsSQL, args); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, show)
	})
	return postgres.Wrap(err, "show player %s after a ban", playerID)
}
