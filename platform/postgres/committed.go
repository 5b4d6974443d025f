package postgres

import (
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
)

// listeners are told of commits, by pool.
var listeners = struct {
	sync.RWMutex
	of map[*pgxpool.Pool]func()
}{of: map[*pgxpool.Pool]func(){}}

// OnCommit has heard called after each transaction that InTx commits on the pool,
// until stop is called. It must not wait. A pool has one listener at a time.
//
// This is how the outbox learns of news in its own process. A notification in the
// transaction itself would do so in all of them, but PostgreSQL commits the
// transactions that notify one after the other, each with its own flush.
func OnCommit(pool *pgxpool.Pool, heard func()) (stop func()) {
	listeners.Lock()
	defer listeners.Unlock()
	listeners.of[pool] = heard
	return func() {
		listeners.Lock()
		defer listeners.Unlock()
		delete(listeners.of, pool)
	}
}

func committed(pool *pgxpool.Pool) {
	listeners.RLock()
	heard := listeners.of[pool]
	listeners.RUnlock()
	if heard != nil {
		heard()
	}
}
