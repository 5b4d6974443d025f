package postgres_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/players/internal/postgres"
)

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	pgtest.WantPlayerColumns(t, setup(t).Pool, postgres.PlayerColumns, "map_id")
}
