// Package postgres opens a service's database: the pool, the migrations, the
// transactions, and the names of violated constraints.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
)

const (
	// openTimeout ends the wait for a database that does not answer.
	openTimeout = time.Minute
	openRetry   = 250 * time.Millisecond
)

// statementTimeout ends a statement that a request has surely given up on.
const statementTimeout = 15 * time.Second

// DefaultConnections is the size of a pool whose URL sets none. A service has at most three consumers, whose workers
// (eventbus.Workers each) hold one connection each, so that at least 4 connections are left for requests. A service
// refuses to start with a pool that leaves none.
const DefaultConnections = 16

// Open connects to the database at url and waits a minute for it to answer, or
// for as long as ctx allows. The pool's size may be set in the url (pool_max_conns). Times are read in UTC.
func Open(ctx context.Context, url string) (*Pool, error) {
	if url == "" {
		// pgx would use the defaults of the environment, and so maybe another database.
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
	// On flash disks and in memory a random page costs about as much as the next one. With the default, which is for
	// rotating disks, PostgreSQL chooses plans that read thousands of rows to find a few.
	set("random_page_cost", "1.1")
	set("timezone", "UTC")
	cfg.MaxConnIdleTime = 5 * time.Minute
	cfg.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		return nil
	}
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

// waitUntilUp returns when the database answers. It waits for a server that starts, but returns a refused password
// or database as an error.
func waitUntilUp(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	var last error // more informative than the end of ctx
	ping := func() (struct{}, error) {
		err := pool.Ping(ctx)
		if last == nil || ctx.Err() == nil {
			last = err
		}
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code != "57P03" {
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
// an error or panics. The isolation level is read committed. It returns ErrUnavailable
// if no connection is free before the deadline of ctx.
func InTx(ctx context.Context, pool *Pool, fn func(pgx.Tx) error) error {
	conn, err := pool.Acquire(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrUnavailable.Wrap(fmt.Errorf("wait for a connection: %w", err))
	}
	if err != nil {
		return err
	}
	defer conn.Release()
	if err := pgx.BeginFunc(ctx, conn, fn); err != nil {
		return err
	}
	pool.committed()
	return nil
}

// Violates reports whether err is a violation of the named constraint (unique, check or foreign key).
func Violates(err error, constraint string) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.ConstraintName == constraint
}

// Pool is a pool of connections that reports commits. The outbox relay of this process so learns of new events. A
// notification in the transaction would reach the relays of all processes, but PostgreSQL commits transactions that
// notify one after the other, each with its own flush.
type Pool struct {
	*pgxpool.Pool

	commits chan struct{}
}

// NewPool returns the Pool that has the connections of pool.
func NewPool(pool *pgxpool.Pool) *Pool {
	return &Pool{Pool: pool, commits: make(chan struct{}, 1)}
}

// Commits yields a token once InTx has committed anything on the pool
// since the last one was taken. It is for one listener.
func (p *Pool) Commits() <-chan struct{} { return p.commits }

func (p *Pool) committed() {
	select {
	case p.commits <- struct{}{}:
	default:
	}
}

// ErrUnavailable means that the database cannot serve the request at the moment.
// It is unknown whether a transaction that was being committed has been committed.
var ErrUnavailable = problem.Unavailable("database_unavailable",
	"The site's database does not answer at the moment. Please try again shortly.").
	WithRetryAfter(2 * time.Second)

// Problem returns ErrUnavailable for errors that mean that the database is down,
// starting, stopping or out of resources, else nil. problem.RegisterMapper takes it.
// A network error in a chain without a problem is attributed to the database.
func Problem(err error) *problem.Problem {
	var (
		server  *pgconn.PgError
		connect *pgconn.ConnectError
		network *net.OpError
	)
	switch {
	case errors.As(err, &server):
		if !isTransient(server.Code) {
			return nil
		}
	case errors.As(err, &connect), errors.As(err, &network):
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, pgconn.ErrConnClosed):
	default:
		return nil
	}
	return ErrUnavailable
}

// isTransient reports whether the same statement may succeed later, by the class or code of PostgreSQL's error.
func isTransient(code string) bool {
	switch code {
	case "57014", // canceled, as by statement_timeout
		"57P01", "57P02", "57P03", // the server stops, has crashed, starts
		"40001", "40P01", "55P03", // two transactions were in each other's way
		"25006", // this server has become a standby
		"58030": // its disk failed
		return true
	}
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "53") // connections; disk, memory and slots
}

// Conn runs statements: a pool, a transaction or a DB.
type Conn interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// DB is a service's database. Its changes have a transaction each, or are part of one transaction.
type DB struct {
	// Conn is the pool, or the transaction.
	Conn
	pool *Pool
	tx   pgx.Tx // nil where each change has its own
}

// NewDB returns the database of pool.
func NewDB(pool *Pool) DB { return DB{Conn: pool, pool: pool} }

// In returns the database whose statements and changes are part of tx.
func (db DB) In(tx pgx.Tx) DB { return DB{Conn: tx, pool: db.pool, tx: tx} }

// InTx is the function InTx, or runs fn in a savepoint of the transaction.
func (db DB) InTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	if db.tx != nil {
		return pgx.BeginFunc(ctx, db.tx, fn)
	}
	return InTx(ctx, db.pool, fn)
}

// Transactional is a store S whose changes can be part of a transaction.
type Transactional[S any] interface{ In(tx pgx.Tx) S }

// Now returns the time, to the millisecond as events and answers have it.
func Now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// Wrap returns err with a description of what has failed. A nil err stays nil.
func Wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// ReadError returns the error of reading one row: errMissing where there is none, or err with a description of the row.
// A nil err stays nil.
func ReadError(err, errMissing error, format string, args ...any) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return errMissing
	}
	return Wrap(err, format, args...)
}
