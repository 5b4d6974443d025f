package postgres_test

import (
	"testing"

	"capzone.dev/devstack/exporttest"
	maps "capzone.dev/services/maps/internal/postgres"
)

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, maps.PlayerColumns, maps.Exports, maps.NotExported)
}
