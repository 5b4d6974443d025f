package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
	maps "capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/migrations"
)

// changedAt is when maps are removed and reassigned.
var changedAt = parkourmaptest.FinishedAt.Add(24 * time.Hour)

// by returns the attribution of a change by an operator.
func by(operator string, reason access.Reason) access.Attribution {
	return access.Attribution{Actor: access.Operator(operator), Reason: reason}
}

// setup returns a store with a database of its own.
func setup(t *testing.T) (*maps.Store, *postgres.Pool) {
	t.Helper()
	pool := pgtest.Open(t, "maps", migrations.FS)
	return maps.NewStore(pool), pool
}

// outboxContents are the events in the outbox, in their order.
type outboxContents struct {
	States []event.MapState
	Facts  []event.Fact
}

// left returns the contents of the outbox.
func left(t *testing.T, pool *postgres.Pool) outboxContents {
	t.Helper()
	var left outboxContents
	for _, m := range outboxtest.All(t, pool) {
		switch {
		case strings.HasPrefix(m.Subject, event.MapStatePrefix):
			left.States = append(left.States, outboxtest.Data[event.MapState](t, m))
		case m.Subject == event.MapCreatedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapCreated](t, m))
		case m.Subject == event.MapUpdatedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapUpdated](t, m))
		case m.Subject == event.MapRestoredSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapRestored](t, m))
		case m.Subject == event.MapRemovedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapRemoved](t, m))
		case m.Subject == event.MapEditedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapEdited](t, m))
		case m.Subject == event.MapUnrankedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapUnranked](t, m))
		case m.Subject == event.MapRankedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapRanked](t, m))
		case m.Subject == event.MapReassignedSubject:
			left.Facts = append(left.Facts, outboxtest.Data[event.MapReassigned](t, m))
		case m.Subject == event.AuditWrittenSubject: // tested by TestStore_auditLog
		default:
			t.Errorf("unexpected message on %s", m.Subject)
		}
	}
	return left
}

func create(t *testing.T, store *maps.Store, candidates ...parkourmap.Candidate) {
	t.Helper()
	for _, c := range candidates {
		if _, err := store.Submit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
}

func take(t *testing.T, store *maps.Store, n int, name string) {
	t.Helper()
	require.NoError(t, store.ApplyPlayer(t.Context(),
		parkourmap.Player{ID: parkourmaptest.PlayerID(n), Version: 1, Name: name}))
}

func found(t *testing.T, store *maps.Store, s parkourmap.Search) []string {
	t.Helper()
	if s.Page.Limit == 0 {
		s.Page.Limit = 100
	}
	if s.Sort.By == "" {
		s.Sort.By = parkourmap.ByName
	}
	page, err := store.Search(t.Context(), s)
	require.NoError(t, err)
	var names []string
	for _, entry := range page.Entries {
		names = append(names, entry.Name)
	}
	if s.Page.Offset == 0 && len(names) < s.Page.Limit && page.Total != int64(len(names)) {
		t.Errorf("%+v: total %d of %d", s, page.Total, len(names))
	}
	return names
}

func tagged(tags ...string) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) { m.Tags = tags }
}

func named(name string) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) { m.Name = name }
}

// byTheSecond makes the map the second player's.
func byTheSecond(m *parkourmap.Map) { m.AuthorID = parkourmaptest.PlayerID(2) }

func in(mode bonkmap.Mode) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) { m.Mode = mode }
}

// checkEqual compares whole values.
func checkEqual(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
