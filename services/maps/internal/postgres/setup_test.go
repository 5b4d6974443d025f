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
	"capzone.dev/services/maps/internal/maptest"
	"capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/migrations"
)

// setup returns a store with a database of its own.
func setup(t *testing.T) (*postgres.Store, *pgxpool.Pool) {
	t.Helper()
	url := pgtest.Database(t, "maps", func(ctx context.Context, url string) error {
		return platform.Migrate(ctx, url, migrations.FS)
	})
	pool, err := platform.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return postgres.New(pool), pool
}

// left reads what changes left in the outbox.
func left(t *testing.T, pool *pgxpool.Pool) maptest.Left {
	t.Helper()
	var left maptest.Left
	type message struct {
		Subject string
		Body    []byte
	}
	for _, m := range query[message](t, pool, "select subject, body from outbox order by seq") {
		var envelope event.Envelope
		if err := json.Unmarshal(m.Body, &envelope); err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(m.Subject, event.MapStatePrefix):
			left.States = append(left.States, decode[event.MapState](t, envelope))
		case m.Subject == event.MapCreatedSubject:
			left.Facts = append(left.Facts, decode[event.MapCreated](t, envelope))
		case m.Subject == event.MapRemovedSubject:
			left.Facts = append(left.Facts, decode[event.MapRemoved](t, envelope))
		case m.Subject == event.MapReassignedSubject:
			left.Facts = append(left.Facts, decode[event.MapReassigned](t, envelope))
		default:
			t.Errorf("unexpected message on %s", m.Subject)
		}
	}
	return left
}

func decode[T any](t *testing.T, envelope event.Envelope) T {
	t.Helper()
	value, err := event.Decode[T](envelope)
	if err != nil {
		t.Fatal(err)
	}
	return value
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

func exec(t *testing.T, pool *pgxpool.Pool, sql string) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
