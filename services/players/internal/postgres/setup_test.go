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
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
	"capzone.dev/services/players/migrations"
)

// openPool returns a migrated database of the test's own.
func openPool(t *testing.T) *pgxpool.Pool {
	t.Helper()
	url := pgtest.Database(t, "players", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	pool, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// left reads what the changes left in the outbox and in the audit log.
func left(t *testing.T, pool *pgxpool.Pool) playertest.Left {
	t.Helper()
	var left playertest.Left
	type message struct {
		Subject string
		Body    []byte
	}
	for _, m := range query[message](t, pool, `select subject, body from outbox order by seq`) {
		var envelope event.Envelope
		if err := json.Unmarshal(m.Body, &envelope); err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(m.Subject, event.PlayerStatePrefix):
			left.States = append(left.States, decode[event.PlayerState](t, envelope))
		case m.Subject == event.PlayerRegisteredSubject:
			left.Facts = append(left.Facts, decode[event.PlayerRegistered](t, envelope))
		case m.Subject == event.PlayerBannedSubject:
			left.Facts = append(left.Facts, decode[event.PlayerBanned](t, envelope))
		default:
			t.Errorf("unexpected message on %s", m.Subject)
		}
	}
	type entry struct {
		Actor, Action, Reason string
		Details               map[string]any
	}
	for _, e := range query[entry](t, pool, `select actor, action, reason, details from audit order by id`) {
		left.Acts = append(left.Acts, player.Act(e))
	}
	return left
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

func exec(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func decode[T any](t *testing.T, envelope event.Envelope) T {
	t.Helper()
	value, err := event.Decode[T](envelope)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
