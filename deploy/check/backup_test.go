package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
)

// TestBackup_database_address runs the script with tools that print their arguments. It found addresses of
// services, whose driver knows settings that the tools refuse.
func TestBackup_database_address(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, address, want string }{
		{"no settings", "postgres://backup:secret@db:5432/postgres", "postgres://backup@db:5432/capzone_maps? secret"},
		{"no password", "postgres://backup@db/x", "postgres://backup@db/capzone_maps? "},
		{"an encoded password", "postgresql://backup:s%40c%2Fret@db/x", "postgresql://backup@db/capzone_maps? s@c/ret"},
		{
			"settings of the tools", "postgres://b:s@db/x?sslmode=disable&connect_timeout=5&options=-c%20work_mem%3D64MB",
			"postgres://b@db/capzone_maps?sslmode=disable&connect_timeout=5&options=-c%20work_mem%3D64MB s",
		},
		{
			"settings of a service",
			"postgres://b:s@db/x?pool_max_conns=4&sslmode=disable&statement_timeout=15000&default_query_exec_mode=exec",
			"postgres://b@db/capzone_maps?sslmode=disable s",
		},
		{"no address", "postgres://u:secret/x@db/x", "is no URL like"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tools := t.TempDir()
			for name, text := range map[string]string{"rclone": "", "psql": "", "pg_dump": `[ "$1" = --dbname ] && echo "$2 $PGPASSWORD"`} {
				require.NoError(t, os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700))
			}
			script := exec.CommandContext(t.Context(), filepath.Join(root, backupScript), "save", t.TempDir())
			script.Env = append(os.Environ(), "PG_BIN="+tools, "DATABASE_URL="+tt.address,
				"S3_ENDPOINT=http://s3", "S3_ACCESS_KEY=key", "S3_SECRET_KEY=key")
			output, err := script.CombinedOutput()
			if !strings.Contains(string(output), tt.want+"\n") &&
				(err == nil || !strings.Contains(string(output), tt.want)) {
				t.Errorf("%v, want %q in:\n%s", err, tt.want, output)
			}
			if err != nil && strings.Contains(string(output), "secret") {
				t.Errorf("the error quotes the address:\n%s", output)
			}
		})
	}
}
