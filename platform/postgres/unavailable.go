package postgres

import (
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/platform/problem"
)

// ErrUnavailable means that the database cannot serve the request at the moment.
// It is unknown whether a transaction that was being committed has been committed.
var ErrUnavailable = problem.Unavailable("database_unavailable",
	"The site's memory is away for the moment. Please try again shortly.").
	WithRetryAfter(2 * time.Second)

// Problem returns ErrUnavailable for errors that mean that the database is down,
// starting, stopping or out of resources, else nil. It is a problem.Mapper.
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

// isTransient reports whether the same statement may succeed later, by the class
// or code of PostgreSQL's error.
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
