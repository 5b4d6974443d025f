package postgres_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/platform/event"
	"capzone.dev/platform/pgtest"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
	"capzone.dev/services/records/migrations"
)

// openPool returns a migrated database of the test's own.
func openPool(t *testing.T) *pgxpool.Pool {
	t.Helper()
	url := pgtest.Database(t, "records", func(ctx context.Context, url string) error {
		return platform.Migrate(ctx, url, migrations.FS)
	})
	pool, err := platform.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// store is everything that the contract asks for.
type store struct {
	*postgres.Records
	*postgres.Copies
	t    *testing.T
	pool *pgxpool.Pool
}

func newStore(t *testing.T) *store {
	t.Helper()
	pool := openPool(t)
	return &store{postgres.NewRecords(pool), postgres.NewCopies(pool), t, pool}
}

// Keep implements record.Replays without any storage.
func (s *store) Keep(_ context.Context, hash string, _ []byte) (record.Upload, error) {
	return upload(hash), nil
}

type upload string

func (u upload) Key() string { return string(u) }

func (upload) Claim(context.Context, pgx.Tx) error { return nil }

// Counts tells the totals of the last states in the outbox, in which versions rise.
func (s *store) Counts() (maps, players map[string]int64) {
	s.t.Helper()
	type message struct {
		Subject string
		Version int64
		Body    []byte
	}
	maps, players = map[string]int64{}, map[string]int64{}
	versions := map[string]int64{}
	for _, m := range query[message](s.t, s.pool, `select subject, version, body from outbox where version > 0 order by seq`) {
		if m.Version != versions[m.Subject]+1 {
			s.t.Errorf("on %s version %d comes after %d", m.Subject, m.Version, versions[m.Subject])
		}
		versions[m.Subject] = m.Version
		var envelope event.Envelope
		if err := json.Unmarshal(m.Body, &envelope); err != nil {
			s.t.Fatal(err)
		}
		if strings.HasPrefix(m.Subject, event.MapStatsPrefix) {
			state := decode[event.MapStats](s.t, envelope)
			maps[state.MapID] = state.Records
		} else {
			state := decode[event.PlayerStats](s.t, envelope)
			players[state.PlayerID] = state.Records
		}
	}
	return maps, players
}

func query[T any](t *testing.T, pool *pgxpool.Pool, sql string, args ...any) []T {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func decode[T any](t *testing.T, envelope event.Envelope) T {
	t.Helper()
	value, err := event.Decode[T](envelope)
	if err != nil {
		t.Fatal(err)
	}
	return value
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
