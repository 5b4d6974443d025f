// Package audit writes the log of what operators, admins and moderators have changed.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
)

const insertSQL = `
	insert into audit (actor_kind, actor, actor_name, action, subject, reason, public_reason, decision_id, before, after)
	values (@actor_kind, @actor, @actor_name, @action, @subject, @reason, @public_reason, @decision_id, @before, @after)`

// Append writes rows of the table audit in the transaction of their change, and appends the fact event.AuditWritten of
// each.
func Append(ctx context.Context, tx pgx.Tx, entries ...access.Entry) error {
	for _, e := range entries {
		before, err := object(e.Before)
		if err != nil {
			return fmt.Errorf("audit %s: %w", e.Action, err)
		}
		after, err := object(e.After)
		if err != nil {
			return fmt.Errorf("audit %s: %w", e.Action, err)
		}
		_, err = tx.Exec(ctx, insertSQL, pgx.NamedArgs{
			"actor_kind": e.By.Actor.Kind, "actor": e.By.Actor.ID, "actor_name": e.By.Actor.Name, "action": e.Action,
			"subject": e.Target, "reason": e.By.Reason, "public_reason": e.By.PublicReason, "decision_id": e.By.DecisionID,
			"before": before, "after": after,
		})
		if err != nil {
			return fmt.Errorf("audit %s: %w", e.Action, err)
		}
		err = outbox.Append(ctx, tx, event.AuditWritten{
			Attribution: e.By, Action: e.Action, TargetID: e.Target, Before: before, After: after,
			At: time.Now().UTC().Truncate(time.Microsecond),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func object(values map[string]any) (json.RawMessage, error) {
	if values == nil {
		return json.RawMessage(`{}`), nil
	}
	return json.Marshal(values)
}
