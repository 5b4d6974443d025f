package postgres_test

import (
	"testing"

	"capzone.dev/devstack/exporttest"
	records "capzone.dev/services/records/internal/postgres"
)

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, records.PlayerColumns, records.Exports, records.NotExported)
}
