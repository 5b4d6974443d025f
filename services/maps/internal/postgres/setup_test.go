package postgres_test

import (
	"strings"
	"testing"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
	maps "capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/migrations"
)

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

func create(t *testing.T, store *maps.Store, creations ...parkourmap.Creation) {
	t.Helper()
	for _, c := range creations {
		if _, err := store.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
}

func take(t *testing.T, store *maps.Store, n int, name string) {
	t.Helper()
	if err := store.ApplyPlayer(t.Context(),
		parkourmap.Player{ID: parkourmaptest.PlayerID(n), Version: 1, Name: name}); err != nil {
		t.Fatal(err)
	}
}

func found(t *testing.T, store *maps.Store, s parkourmap.Search) []string {
	t.Helper()
	if s.Limit == 0 {
		s.Limit = 100
	}
	if s.SortBy == "" {
		s.SortBy = parkourmap.ByName
	}
	page, err := store.Search(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range page.Entries {
		names = append(names, entry.Name)
	}
	if s.Offset == 0 && len(names) < s.Limit && page.Total != int64(len(names)) {
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
