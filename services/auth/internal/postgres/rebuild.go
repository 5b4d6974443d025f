package postgres

import (
	"context"
	"errors"
	"fmt"
)

// errRebuilding says that somebody else is at it.
var errRebuilding = errors.New("a rebuild is under way already")

// Exclusively runs do while no other rebuild of this database runs.
func (s *Store) Exclusively(ctx context.Context, do func(ctx context.Context) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("lock the rebuild: %w", err)
	}
	// The lock is the connection's, and ends with it.
	defer func() { _ = conn.Hijack().Close(context.WithoutCancel(ctx)) }()
	var locked bool
	if err := conn.QueryRow(ctx, `select pg_try_advisory_lock(hashtextextended('rebuild', 0))`).Scan(&locked); err != nil {
		return fmt.Errorf("lock the rebuild: %w", err)
	}
	if !locked {
		return errRebuilding
	}
	return do(ctx)
}
