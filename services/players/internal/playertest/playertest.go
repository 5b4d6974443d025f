// Package playertest has a database of players for tests.
package playertest

import (
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/postgres"
	"capzone.dev/services/players/migrations"
)

// Store is the store of a test's own database.
type Store struct {
	*postgres.Store
	Pool *platform.Pool
	tb   testing.TB
}

// Open returns the store of a migrated, empty database.
func Open(tb testing.TB) *Store {
	tb.Helper()
	pool := pgtest.Open(tb, "players", migrations.FS)
	return &Store{postgres.NewStore(pool), pool, tb}
}

// Left is what changes have left in the outbox, in their order. Audit has the facts of the audit log.
type Left struct {
	States []event.PlayerState
	Facts  []event.Fact
	Audit  []event.AuditWritten
}

// Left reads what the changes so far have left.
func (s *Store) Left() Left {
	s.tb.Helper()
	var left Left
	for _, m := range outboxtest.All(s.tb, s.Pool) {
		switch {
		case strings.HasPrefix(m.Subject, event.PlayerStatePrefix):
			left.States = append(left.States, outboxtest.Data[event.PlayerState](s.tb, m))
		case m.Subject == event.PlayerRegisteredSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.PlayerRegistered](s.tb, m))
		case m.Subject == event.PlayerBannedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.PlayerBanned](s.tb, m))
		case m.Subject == event.PlayerUnbannedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.PlayerUnbanned](s.tb, m))
		case m.Subject == event.PlayerMergedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.PlayerMerged](s.tb, m))
		case m.Subject == event.PlayerDeletedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.PlayerDeleted](s.tb, m))
		case m.Subject == event.AuditWrittenSubject:
			written := outboxtest.Data[event.AuditWritten](s.tb, m)
			written.At = time.Time{}
			left.Audit = append(left.Audit, written)
		default:
			s.tb.Errorf("unexpected message on %s", m.Subject)
		}
	}
	return left
}
