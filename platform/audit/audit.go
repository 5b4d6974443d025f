// Package audit records what operators do, in the transaction that does it.
package audit

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/user"

	"github.com/jackc/pgx/v5"
)

// Entry is one act of an operator.
type Entry struct {
	// Actor is who acted: an operator's account on the machine, or a player's id.
	Actor string
	// Action is a verb with its object: "ban player".
	Action string
	// Subject is the id of what was acted upon.
	Subject string
	Reason  string
	Details map[string]any
}

// Append writes the entry in tx.
func Append(ctx context.Context, tx pgx.Tx, e Entry) error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	_, err := tx.Exec(ctx, `
		insert into audit (actor, action, subject, reason, details)
		values (@actor, @action, @subject, @reason, @details)`,
		pgx.NamedArgs{"actor": e.Actor, "action": e.Action, "subject": e.Subject, "reason": e.Reason, "details": e.Details})
	if err != nil {
		return fmt.Errorf("audit %s: %w", e.Action, err)
	}
	return nil
}

// Operator names who runs this process: the user behind sudo, else the
// account, else "unknown" (a container without a name for its user id).
func Operator() string {
	if u, err := user.Current(); err == nil {
		return cmp.Or(os.Getenv("SUDO_USER"), u.Username)
	}
	return cmp.Or(os.Getenv("SUDO_USER"), os.Getenv("USER"), "unknown")
}
