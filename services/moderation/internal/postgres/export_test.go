package postgres_test

import (
	"bytes"
	"strings"
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/export"
	"capzone.dev/services/moderation/internal/postgres"
)

// A player's export has own reports and what the player is told, and nobody else.
func TestExports(t *testing.T) {
	t.Parallel()
	f := setup(t)
	warning := f.warn(cloe, record(3, anna), 1)
	f.report(anna, record(1, emil), minute(3))
	f.appeal(warning.ID, 4)
	exporter := &export.Exporter{Service: "moderation", DB: f.pool, Parts: postgres.Exports}
	var file bytes.Buffer
	require.NoError(t, exporter.Write(t.Context(), &file, anna))
	things := exporttest.Lines(t, file.String())
	for kind, text := range map[string]string{
		"report": "It is strange.", "decision": "It is so.", "appeal": "I have a video.",
	} {
		if len(things[kind]) != 1 || !strings.Contains(things[kind][0], text) {
			t.Errorf("things of the kind %s: %v", kind, things[kind])
		}
	}
	for _, other := range []string{cloe, mod} {
		if strings.Contains(file.String(), other) {
			t.Errorf("the export of %s names %s:\n%s", anna, other, file.String())
		}
	}
}

func TestExports_tables(t *testing.T) {
	t.Parallel()
	exporttest.WantTables(t, postgres.PlayerColumns, postgres.Exports, postgres.NotExported)
}
