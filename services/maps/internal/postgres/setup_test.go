package postgres_test

import (
	"strings"
	"testing"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/maptest"
	maps "capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/migrations"
)

// setup returns a store with a database of its own.
func setup(t *testing.T) (*maps.Store, *postgres.Pool) {
	t.Helper()
	pool := pgtest.Open(t, "maps", migrations.FS)
	return maps.New(pool), pool
}

// left reads what changes left in the outbox.
func left(t *testing.T, pool *postgres.Pool) maptest.Left {
	t.Helper()
	var left maptest.Left
	for _, m := range outboxtest.All(t, pool) {
		switch {
		case strings.HasPrefix(m.Subject, event.MapStatePrefix):
			left.States = append(left.States, outboxtest.Data[event.MapState](t, m))
		case m.Subject == event.MapCreatedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapCreated](t, m))
		case m.Subject == event.MapRemovedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapRemoved](t, m))
		case m.Subject == event.MapReassignedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapReassigned](t, m))
		default:
			t.Errorf("unexpected message on %s", m.Subject)
		}
	}
	return left
}
