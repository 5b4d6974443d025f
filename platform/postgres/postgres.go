// Package postgres opens a service's database: the pool, the migrations, the
// transactions, and the names of violated constraints.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/platform/telemetry"
)

const (
	// openTimeout ends the wait for a database that does not answer.
	openTimeout = time.Minute
	openRetry   = 250 * time.Millisecond
)

// statementTimeout ends a statement that a request has surely given up on.
const statementTimeout = 15 * time.Second

// DefaultConnections is the size of a pool whose URL sets none. A service has at most
// two consumers, whose workers (eventbus.Workers each) hold one connection each, so that
// at least 4 connections are left for requests.
const DefaultConnections = 12

// Open connects to the database at url and waits a minute for it to answer, or
// for as long as ctx allows. The pool's size may be set in the url (pool_max_conns).
func Open(ctx context.Context, url string) (*Pool, error) {
	if url == "" {
		// pgx would take the surroundings' defaults: somebody else's database.
		return nil, errors.New("database url: is empty")
	}
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		// The error of pgx quotes the url, password masked; it names no secret.
		return nil, fmt.Errorf("database url: %w", err)
	}
	if !strings.Contains(url, "pool_max_conns") {
		cfg.MaxConns = DefaultConnections
	}
	set := func(name, value string) {
		if _, ok := cfg.ConnConfig.RuntimeParams[name]; !ok {
			cfg.ConnConfig.RuntimeParams[name] = value
		}
	}
	set("statement_timeout", strconv.FormatInt(statementTimeout.Milliseconds(), 10))
	// A page at random costs about as much as the next one, on the flash disks of today
	// and in memory. By the default, for disks that turn, thousands of rows are read to
	// find a few.
	set("random_page_cost", "1.1")
	set("timezone", "UTC")
	cfg.MaxConnIdleTime = 5 * time.Minute
	if telemetry.Enabled() {
		// Statements hold no values: those are arguments, which are not recorded.
		cfg.ConnConfig.Tracer = otelpgx.NewTracer(
			otelpgx.WithDisableAcquireTracer(), otelpgx.WithDisableConnectionDetailsInAttributes())
	}

	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("database pool: %w", err)
	}
	if err := waitUntilUp(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return NewPool(pool), nil
}

// waitUntilUp returns when the database answers. What a server says of itself
// while it starts is waited out, a refused password or database is an error.
func waitUntilUp(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	var last error // says more than that ctx has ended
	ping := func() (struct{}, error) {
		err := pool.Ping(ctx)
		if last == nil || ctx.Err() == nil {
			last = err
		}
		if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && refused.Code != "57P03" {
			return struct{}{}, backoff.Permanent(err)
		}
		return struct{}{}, err
	}
	_, err := backoff.Retry(ctx, ping,
		backoff.WithBackOff(backoff.NewConstantBackOff(openRetry)), backoff.WithMaxElapsedTime(0))
	if err != nil {
		return fmt.Errorf("database: %w", last)
	}
	return nil
}

// InTx runs fn in a transaction and commits it, or rolls back when fn returns
// an error or panics. The isolation level is read committed.
func InTx(ctx context.Context, pool *Pool, fn func(pgx.Tx) error) error {
	if err := pgx.BeginFunc(ctx, pool, fn); err != nil {
		return err
	}
	pool.committed()
	return nil
}

// Violates reports whether err is a violation of the named constraint (unique, check or
// foreign key) was violated.
func Violates(err error, constraint string) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.ConstraintName == constraint
}
