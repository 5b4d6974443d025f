package postgres_test

import (
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/services/moderation/internal/postgres"
)

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	pgtest.WantPlayerColumns(t, open(t).pool, postgres.PlayerColumns, "map_id", "record_id", "case_id", "decision_id",
		"undoes", "appeal_id", "granted_by", "banned_by")
}

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, postgres.PlayerColumns, postgres.Exports, postgres.NotExported)
}
