package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
)

func TestProblem(t *testing.T) {
	t.Parallel()
	problem.RegisterMapper(postgres.Problem)
	url := pgtest.Database(t, "empty", func(context.Context, string) error { return nil })
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	killed := killOther(t, url, conn)
	_, absent := pgx.Connect(t.Context(), "postgres://absent@127.0.0.1:1/none?sslmode=disable")
	for name, err := range map[string]error{
		"connection ended by the server": killed,
		"the same connection again":      conn.QueryRow(t.Context(), "select 1").Scan(new(int)),
		"no server listens":              absent,
		"server starting":                &pgconn.PgError{Code: "57P03"},
		"no free connection slot":        &pgconn.PgError{Code: "53300"},
		"disk full":                      &pgconn.PgError{Code: "53100"},
		"statement timeout":              &pgconn.PgError{Code: "57014"},
		"deadlock":                       &pgconn.PgError{Code: "40P01"},
	} {
		p := problem.From(fmt.Errorf("leaderboard: %w", err))
		if !errors.Is(p, postgres.ErrUnavailable) || p.Kind.Status() != 503 || p.RetryAfter <= 0 || !errors.Is(p, err) {
			t.Errorf("%s: %v (%s) of %v", name, p, p.Kind, err)
		}
	}
}

func TestProblem_wrong_statement(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	_, syntax := pool.Exec(t.Context(), "selekt")
	_, constraint := pool.Exec(t.Context(), "insert into inbox (consumer) values (null)")
	for _, err := range []error{syntax, constraint, pgx.ErrNoRows, errors.New("unexpected")} {
		if p := problem.From(err); p.Kind != problem.KindInternal {
			t.Errorf("%v is mapped to %v", err, p)
		}
	}
}

// killOther has the server end a connection, and returns the error of the next query on it.
func killOther(t *testing.T, url string, conn *pgx.Conn) error {
	t.Helper()
	other, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer other.Close(t.Context())
	_, err = other.Exec(t.Context(), "select pg_terminate_backend($1, 10000)", conn.PgConn().PID())
	require.NoError(t, err)
	return conn.QueryRow(t.Context(), "select 1").Scan(new(int))
}
