package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// AuditEntry is one row of the table audit: an act of an operator.
type AuditEntry struct {
	// Actor is the operator's account on the machine, or a player's id.
	Actor string
	// Action is a verb with its object: "ban player".
	Action string
	// Subject is the id of the entity that the action changed.
	Subject string
	Reason  string
	Details map[string]any
}

// AppendAudit inserts the entry in tx, the transaction of the action itself.
func AppendAudit(ctx context.Context, tx pgx.Tx, e AuditEntry) error {
	const insertSQL = `
		insert into audit (actor, action, subject, reason, details)
		values (@actor, @action, @subject, @reason, @details)`
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	_, err := tx.Exec(ctx, insertSQL, pgx.NamedArgs{
		"actor": e.Actor, "action": e.Action, "subject": e.Subject, "reason": e.Reason, "details": e.Details,
	})
	if err != nil {
		return fmt.Errorf("audit %s: %w", e.Action, err)
	}
	return nil
}
