package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/migrations"
)

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	pgtest.WantPlayerColumns(t, pgtest.Open(t, "auth", migrations.FS), postgres.PlayerColumns, "family_id")
}
