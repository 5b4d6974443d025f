package postgres_test

import (
	"context"
	"strings"
	"testing"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
	"capzone.dev/services/records/migrations"
)

// openPool returns a migrated database of the test's own.
func openPool(t *testing.T) *postgres.Pool {
	t.Helper()
	return pgtest.Open(t, "records", migrations.FS)
}

// store is everything that the contract asks for.
type store struct {
	*records.Records
	*records.Copies
	t    *testing.T
	pool *postgres.Pool
}

func newStore(t *testing.T) *store {
	t.Helper()
	pool := openPool(t)
	return &store{records.NewRecords(pool), records.NewCopies(pool), t, pool}
}

// Keep implements record.Replays without any storage.
func (s *store) Keep(_ context.Context, hash string, _ []byte) (record.Upload, error) {
	return upload(hash), nil
}

type upload string

func (u upload) Key() string { return string(u) }

func (upload) Pending() []objectstore.Upload { return nil }

// Counts tells the totals of the last states in the outbox, in which versions rise.
func (s *store) Counts() (maps, players map[string]int64) {
	s.t.Helper()
	maps, players = map[string]int64{}, map[string]int64{}
	versions := map[string]int64{}
	for _, m := range outboxtest.All(s.t, s.pool) {
		version := m.Envelope.Version
		if version == 0 {
			continue // a fact
		}
		if version != versions[m.Subject]+1 {
			s.t.Errorf("on %s version %d comes after %d", m.Subject, version, versions[m.Subject])
		}
		versions[m.Subject] = version
		if strings.HasPrefix(m.Subject, event.MapStatsPrefix) {
			state := outboxtest.Data[event.MapStats](s.t, m)
			maps[state.MapID] = state.Records
		} else {
			state := outboxtest.Data[event.PlayerStats](s.t, m)
			players[state.PlayerID] = state.Records
		}
	}
	return maps, players
}

func TestTheStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	recordtest.Contract(t, func(t *testing.T) recordtest.Store {
		t.Helper()
		s := newStore(t)
		// Low enough that pages are also found by their stretch.
		s.SetNear(5)
		return s
	})
}
