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

// ErrUnavailable says that the database cannot do it now. Whether a change that was
// being committed has been is unknown then.
var ErrUnavailable = problem.Unavailable("database_unavailable", "The site's memory is away for the moment. Please try again shortly.").After(2 * time.Second)

func init() {
	problem.Recognise(func(err error) *problem.Problem {
		if away(err) {
			return ErrUnavailable
		}
		return nil
	})
}

// away tells whether err says that the database is down, starts, stops or has no
// room, rather than that a statement is wrong. A broken connection that nobody
// else has claimed is the database's.
func away(err error) bool {
	var (
		said    *pgconn.PgError
		connect *pgconn.ConnectError
		network *net.OpError
	)
	switch {
	case errors.As(err, &said):
		return passing(said.Code)
	case errors.As(err, &connect), errors.As(err, &network):
		return true
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, pgconn.ErrConnClosed)
}

// passing tells whether the same statement may well succeed later, by the
// classes and codes of PostgreSQL's errors.
func passing(code string) bool {
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
