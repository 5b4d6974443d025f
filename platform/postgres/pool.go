package postgres

import (
	"github.com/jackc/pgx/v5/pgxpool"
)

// Pool is a pool of connections that tells of its commits.
//
// This is how the outbox learns of news in its own process. A notification in the
// transaction itself would do so in all of them, but PostgreSQL commits the
// transactions that notify one after the other, each with its own flush.
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
