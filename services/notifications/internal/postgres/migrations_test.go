package postgres_test

import (
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/notifications/internal/postgres"
)

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	pgtest.WantPlayerColumns(t, open(t).pool, postgres.PlayerColumns, "map_id", "cause_id", "record_id", "decision_id",
		"webhook_id", "last_delivery_id", "lease_id")
}

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, postgres.PlayerColumns, postgres.Exports, postgres.NotExported)
}
