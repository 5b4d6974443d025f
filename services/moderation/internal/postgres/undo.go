package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/services/moderation/internal/moderation"
)

const grantAppealSQL = `
	update appeals set state = 'granted', answered_at = @at, waiting_since = null, granted_by = @decision
	where decision_id = @undoes and state = 'open'
	returning id`

// isOvertakenSQL looks for a later decision of the same kind or its inverse that holds, about the same thing. For an
// unban isUnbanOvertakenSQL looks for one about the same player, whatever thing it names.
const (
	isOvertakenSQL      = `select exists (select from decisions o where o.subject_id = @subject and ` + overtakesSQL + `)`
	isUnbanOvertakenSQL = `select exists (select from decisions o where o.player_id = @player and ` + overtakesSQL + `)`
	overtakesSQL        = `o.kind in (@kind, @inverse) and o.state <> 'refused' and o.undoes is null and o.created_at > @at
		and not exists (select from decisions u where u.undoes = o.id and u.state <> 'refused')`
)

// Undo implements moderation.DecisionStore.
func (s *Store) Undo(
	ctx context.Context, d moderation.Decision, by access.Attribution, note map[string]any, appealID string,
	needsNone bool,
) (moderation.Decision, error) {
	err := s.inTx(ctx, func(tx pgx.Tx) (err error) {
		if d, err = resolveDecision(ctx, tx, d); err != nil {
			return err
		}
		undone, err := s.lockDecision(ctx, tx, d.Undoes)
		if err != nil {
			return err
		}
		if appealID != "" {
			if _, err := s.lockOpenAppeal(ctx, tx, appealID); err != nil {
				return err
			}
		}
		if !undone.IsUndoable(d.At, appealID != "") {
			return moderation.ErrDecisionFinal
		}
		if undone.IsSwitch() && !needsNone {
			sql := isOvertakenSQL
			if undone.Kind == moderation.Unban {
				sql = isUnbanOvertakenSQL
			}
			var isOvertaken bool
			err := tx.QueryRow(ctx, sql, pgx.NamedArgs{
				"subject": undone.Subject.ID, "player": undone.PlayerID, "kind": undone.Kind, "inverse": d.Kind, "at": undone.At,
			}).Scan(&isOvertaken)
			if err != nil {
				return err
			}
			if isOvertaken {
				return moderation.ErrDecisionFinal
			}
		}
		note["decision"] = d.Kind
		entry := audit.Entry{
			By: by, Action: access.UndoDecision, Target: d.Subject.ID,
			Before: map[string]any{"decision": undone.Kind, "decisionId": undone.ID}, After: note,
		}
		if err := audit.Append(ctx, tx, entry); err != nil {
			return err
		}
		if err := grantAppeal(ctx, tx, d, by); err != nil {
			return err
		}
		d, err = insertDecision(ctx, tx, d, by, needsNone)
		return err
	})
	if err != nil {
		return moderation.Decision{}, fmt.Errorf("undo decision %s: %w", d.Undoes, err)
	}
	return d, nil
}

// grantAppeal grants the open appeal against what a decision undoes. The answer has the id of the decision.
func grantAppeal(ctx context.Context, tx pgx.Tx, d moderation.Decision, by access.Attribution) error {
	var appealID string
	args := pgx.NamedArgs{"undoes": d.Undoes, "decision": d.ID, "at": d.At}
	err := tx.QueryRow(ctx, grantAppealSQL, args).Scan(&appealID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	err = insertMessage(ctx, tx, appealID, moderation.AppealMessage{
		ID: d.ID, FromModerator: true, Text: d.Text, At: d.At,
	})
	if err != nil {
		return err
	}
	return audit.Append(ctx, tx, audit.Entry{
		By: by, Action: access.AnswerAppeal, Target: d.Subject.ID,
		Before: map[string]any{"appeal": moderation.AppealOpen},
		After:  map[string]any{"appeal": moderation.AppealGranted, "appealId": appealID},
	})
}
