package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

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

// Short names of fixtures.
var newMap, mapID, playerID = parkourmaptest.NewMap, parkourmaptest.MapID, parkourmaptest.PlayerID

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

// factsOf read the facts of maps.
var factsOf = map[string]func(*testing.T, outboxtest.Message) event.Fact{
	event.MapCreatedSubject: fact[event.MapCreated], event.MapUpdatedSubject: fact[event.MapUpdated],
	event.MapRemovedSubject: fact[event.MapRemoved], event.MapRestoredSubject: fact[event.MapRestored],
	event.MapUnrankedSubject: fact[event.MapUnranked], event.MapRankedSubject: fact[event.MapRanked],
	event.MapEditedSubject: fact[event.MapEdited], event.MapReassignedSubject: fact[event.MapReassigned],
}

func fact[T event.Fact](t *testing.T, m outboxtest.Message) event.Fact {
	t.Helper()
	return outboxtest.Data[T](t, m)
}

// left returns the contents of the outbox.
func left(t *testing.T, pool *postgres.Pool) (left outboxContents) {
	t.Helper()
	for _, m := range outboxtest.All(t, pool) {
		switch read := factsOf[m.Subject]; {
		case strings.HasPrefix(m.Subject, event.MapStatePrefix):
			left.States = append(left.States, outboxtest.Data[event.MapState](t, m))
		case read != nil:
			left.Facts = append(left.Facts, read(t, m))
		case m.Subject != event.AuditWrittenSubject: // tested by TestStore_Moderate_audit_log
			t.Errorf("unexpected message on %s", m.Subject)
		}
	}
	return left
}

func create(t *testing.T, store *maps.Store, candidates ...parkourmap.Candidate) {
	t.Helper()
	for _, c := range candidates {
		_, err := store.Submit(t.Context(), c)
		require.NoError(t, err)
	}
}

// apply applies a state of a player.
func apply(t *testing.T, store *maps.Store, p parkourmap.Player) {
	t.Helper()
	require.NoError(t, store.ApplyPlayer(t.Context(), p))
}

func take(t *testing.T, store *maps.Store, n int, name string) {
	t.Helper()
	apply(t, store, parkourmap.Player{ID: playerID(n), Version: 1, Name: name})
}

func applyStats(t *testing.T, store *maps.Store, n int, version, records int64) {
	t.Helper()
	require.NoError(t, store.ApplyStats(t.Context(), event.MapStats{MapID: mapID(n), Version: version, Records: records}))
}

// moderate changes a map for an operator.
func moderate(
	ctx context.Context, store *maps.Store, action access.Action, id, operator string, reason access.Reason,
) error {
	return store.Moderate(ctx, parkourmap.Moderation{Action: action, MapID: id, By: by(operator, reason), At: changedAt})
}

// reassign gives a map another author for an operator.
func reassign(ctx context.Context, store *maps.Store, id, authorID string) error {
	return store.Moderate(ctx, parkourmap.Moderation{
		Action: access.ReassignMap, MapID: id, AuthorID: authorID, By: by("ops", "her map"), At: changedAt,
	})
}

// remove removes the n-th map.
func remove(t *testing.T, store *maps.Store, n int) {
	t.Helper()
	require.NoError(t, moderate(t.Context(), store, access.RemoveMap, mapID(n), "root", "x"))
}

// byID returns the n-th map.
func byID(t *testing.T, store *maps.Store, n int) parkourmap.Map {
	t.Helper()
	m, err := store.ByID(t.Context(), mapID(n))
	require.NoError(t, err)
	return m
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

func tagged(tags ...string) func(*parkourmap.Map) { return func(m *parkourmap.Map) { m.Tags = tags } }

func named(name string) func(*parkourmap.Map) { return func(m *parkourmap.Map) { m.Name = name } }

// byTheSecond makes the map the second player's.
func byTheSecond(m *parkourmap.Map) { m.AuthorID = playerID(2) }

func in(mode bonkmap.Mode) func(*parkourmap.Map) { return func(m *parkourmap.Map) { m.Mode = mode } }

// checkError checks that an error is the one wanted.
func checkError(t *testing.T, what string, want, err error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error = %v, want %v", what, err, want)
	}
}

// errorOf returns the error of a call.
func errorOf[T any](_ T, err error) error { return err }
