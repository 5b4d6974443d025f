package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Lock is a lock of the database that one session has at a time. It is held by a connection of its own, so that no
// transaction stays open, and ends with that connection.
type Lock struct {
	// Conn holds the lock. Its owner may use it for statements that must not outlive the lock.
	Conn *pgx.Conn
}

const (
	tryLockSQL = `select pg_try_advisory_lock(hashtextextended($1, 0))`
	unlockSQL  = `select pg_advisory_unlock_all()`
)

// unlockTimeout bounds how long Unlock waits for the server.
const unlockTimeout = time.Second

// TryLock takes the lock of a name, which is one per database. It reports false where another session has it.
func TryLock(ctx context.Context, pool *Pool, name string) (lock *Lock, ok bool, err error) {
	pooled, err := pool.Acquire(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("lock %q: %w", name, err)
	}
	err = pooled.QueryRow(ctx, tryLockSQL, name).Scan(&ok)
	if err == nil && !ok {
		pooled.Release()
		return nil, false, nil
	}
	lock = &Lock{Conn: pooled.Hijack()}
	if err != nil {
		lock.Unlock()
		return nil, false, fmt.Errorf("lock %q: %w", name, err)
	}
	return lock, true, nil
}

// Unlock releases the lock and closes its connection.
func (l *Lock) Unlock() {
	ctx, cancel := context.WithTimeout(context.Background(), unlockTimeout)
	defer cancel()
	// The lock also ends with the connection, but PostgreSQL may notice that after Unlock has returned.
	_, _ = l.Conn.Exec(ctx, unlockSQL)
	_ = l.Conn.Close(ctx)
}
