package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

const hasAdminSQL = `select exists (select from players where 'admin' = any (roles) and not banned)`

// HasAdmin reports whether there is an admin who is not banned.
func (s *Store) HasAdmin(ctx context.Context) (has bool, err error) {
	err = s.db.QueryRow(ctx, hasAdminSQL).Scan(&has)
	return has, err
}

const (
	// lockAdminsSQL lets one transaction at a time count admins, so that of two who are deleted, banned or merged, or lose
	// the role, one stays. The key is that of version 1.0.0, whose replicas run besides during an update.
	lockAdminsSQL    = `select pg_advisory_xact_lock(hashtextextended('delete an admin', 0))`
	hasOtherAdminSQL = `
		select exists (
			select from players where 'admin' = any (roles) and not banned and id <> all (@players::uuid[]))`
)

// isOnlyAdmin reports whether one of the players is an admin and there is no other admin who is not banned. The rows of
// the players are locked.
func isOnlyAdmin(ctx context.Context, tx pgx.Tx, players ...player.Player) (bool, error) {
	if !slices.ContainsFunc(players, func(p player.Player) bool { return p.HasRole(access.Admin) }) {
		return false, nil
	}
	if _, err := tx.Exec(ctx, lockAdminsSQL); err != nil {
		return false, fmt.Errorf("lock of admins: %w", err)
	}
	ids := postgres.Column(players, func(p player.Player) string { return p.ID })
	var other bool
	if err := tx.QueryRow(ctx, hasOtherAdminSQL, pgx.NamedArgs{"players": ids}).Scan(&other); err != nil {
		return false, fmt.Errorf("other admins: %w", err)
	}
	return !other, nil
}
