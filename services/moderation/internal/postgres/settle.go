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
	if !event.IsID(r.DecisionID) { // a change without a decision
		return false, nil
	}
	err = s.inTx(ctx, func(tx pgx.Tx) error {
		d, err := s.lockDecision(ctx, tx, r.DecisionID)
		if errors.Is(err, moderation.ErrDecisionUnknown) {
			return nil
		}
		if err != nil {
			return err
		}
		l := moderation.Locked{Decision: d}
		l.Commands, err = postgres.Collect(ctx, tx, pgx.RowToStructByPos[moderation.Command], commandsSQL,
			pgx.NamedArgs{"id": d.ID})
		if err != nil {
			return err
		}
		if err := lockHidings(ctx, tx, &l); err != nil {
			return err
		}
		if err := s.readReported(ctx, tx, &l); err != nil {
			return err
		}
		var change moderation.Change
		if change, settled = l.Settle(r); !settled {
			return nil
		}
		return save(ctx, tx, l, change)
	})
	return settled, postgres.Wrap(err, "settle decision %s", r.DecisionID)
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
		update decision_commands set state = 'over' where decision_id = any (@ids) and subject = @hide`
)

// lockHidings reads and locks the bans that an unban lifts.
func lockHidings(ctx context.Context, tx pgx.Tx, l *moderation.Locked) (err error) {
	if l.Decision.Kind == moderation.Unban {
		l.Hidings, err = hidings(ctx, tx, l.Decision.Subject.PlayerID)
	}
	return err
}

// hidings returns the bans that hide the records of a player, and locks them.
func hidings(ctx context.Context, tx pgx.Tx, playerID string) ([]moderation.Hiding, error) {
	list, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[moderation.Hiding], hidingsSQL,
		pgx.NamedArgs{"player": zeronull.Text(playerID), "hide": event.HidePlayerSubject})
	return list, postgres.Wrap(err, "bans that hide player %s", playerID)
}

// endHidings notes that bans hide no records any longer.
func endHidings(ctx context.Context, tx pgx.Tx, ids []string) error {
	_, err := tx.Exec(ctx, endHidingsSQL, pgx.NamedArgs{"ids": ids, "hide": event.HidePlayerSubject})
	return err
}

// ShowAfterBan implements moderation.SettlementStore.
func (s *Store) ShowAfterBan(ctx context.Context, playerID string, by access.Attribution) error {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		player, err := copies.Current(ctx, tx, playerID)
		if err != nil {
			return err
		}
		bans, err := hidings(ctx, tx, player)
		if err != nil {
			return err
		}
		ended, err := moderation.EndedHidings(bans, by.DecisionID)
		if err != nil || len(ended) == 0 {
			return err
		}
		if err := endHidings(ctx, tx, ended); err != nil {
			return err
		}
		by.DecisionID = ended[len(ended)-1]
		return outbox.Append(ctx, tx, event.ShowPlayer{Attribution: by, PlayerID: player})
	})
	return postgres.Wrap(err, "show player %s after a ban", playerID)
}
