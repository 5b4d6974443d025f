package audit_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	decision := access.Attribution{
		Actor: access.Player("p1", "cloudstep", []string{access.Moderator}), Reason: "two accounts",
		PublicReason: access.AltAccount, DecisionID: "d1",
	}
	command := access.Attribution{Actor: access.Operator("root")}
	err := postgres.InTx(t.Context(), pool, func(tx pgx.Tx) error {
		return audit.Append(t.Context(), tx,
			access.Entry{
				By: decision, Action: access.BanPlayer, Target: "p2",
				Before: map[string]any{"banned": false}, After: map[string]any{"banned": true},
			},
			access.Entry{By: command, Action: access.DrawMap, Target: "m1"})
	})
	require.NoError(t, err)

	type row struct {
		ActorKind, Actor, ActorName, Action, Subject, Reason, PublicReason, DecisionID, Before, After string
	}
	rows := pgtest.Rows[row](t, pool, `
		select actor_kind, actor, actor_name, action, subject, reason, public_reason, decision_id, before::text, after::text
		from audit order by id`)
	if diff := cmp.Diff([]row{
		{"player", "p1", "cloudstep", "ban player", "p2", "two accounts", "alt_account", "d1",
			`{"banned": false}`, `{"banned": true}`},
		{"operator", "root", "", "draw map", "m1", "", "", "", `{}`, `{}`},
	}, rows); diff != "" {
		t.Errorf("audit (-want +got):\n%s", diff)
	}
	var facts []event.AuditWritten
	for _, m := range outboxtest.All(t, pool) {
		facts = append(facts, outboxtest.Data[event.AuditWritten](t, m))
	}
	empty := json.RawMessage(`{}`)
	if diff := cmp.Diff([]event.AuditWritten{
		{Attribution: decision, Action: access.BanPlayer, TargetID: "p2",
			Before: json.RawMessage(`{"banned":false}`), After: json.RawMessage(`{"banned":true}`)},
		{Attribution: command, Action: access.DrawMap, TargetID: "m1", Before: empty, After: empty},
	}, facts, cmpopts.IgnoreFields(event.AuditWritten{}, "At")); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

// The row and its fact are part of the change's transaction.
func TestAppend_rolled_back(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	errLater := errors.New("the change failed")
	err := postgres.InTx(t.Context(), pool, func(tx pgx.Tx) error {
		if err := audit.Append(t.Context(), tx, access.Entry{Action: access.BanPlayer, Target: "p2"}); err != nil {
			return err
		}
		return errLater
	})
	if !errors.Is(err, errLater) {
		t.Fatal(err)
	}
	if n := pgtest.Value[int](t, pool, `select (select count(*) from audit) + (select count(*) from outbox)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
