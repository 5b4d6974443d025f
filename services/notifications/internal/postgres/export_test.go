package postgres_test

import (
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/services/notifications/internal/postgres"
)

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, postgres.PlayerColumns, postgres.Exports, postgres.NotExported)
}
