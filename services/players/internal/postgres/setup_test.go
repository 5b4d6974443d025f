package postgres_test

import (
	"strings"
	"testing"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
	"capzone.dev/services/players/migrations"
)

// openPool returns a migrated database of the test's own.
func openPool(t *testing.T) *postgres.Pool {
	t.Helper()
	return pgtest.Open(t, "players", migrations.FS)
}

// left reads what the changes left in the outbox and in the audit log.
func left(t *testing.T, pool *postgres.Pool) playertest.Left {
	t.Helper()
	var left playertest.Left
	for _, m := range outboxtest.All(t, pool) {
		switch {
		case strings.HasPrefix(m.Subject, event.PlayerStatePrefix):
			left.States = append(left.States, outboxtest.Data[event.PlayerState](t, m))
		case m.Subject == event.PlayerRegisteredSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.PlayerRegistered](t, m))
		case m.Subject == event.PlayerBannedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.PlayerBanned](t, m))
		case m.Subject == event.PlayerMergedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.PlayerMerged](t, m))
		default:
			t.Errorf("unexpected message on %s", m.Subject)
		}
	}
	type entry struct {
		Actor, Action, Reason string
		Details               map[string]any
	}
	for _, e := range pgtest.Rows[entry](t, pool, `select actor, action, reason, details from audit order by id`) {
		left.Audit = append(left.Audit, player.AuditEntry(e))
	}
	return left
}
