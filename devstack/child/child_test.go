package child_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
)

func TestStart_reports_the_output_of_a_server_that_ends(t *testing.T) {
	t.Parallel()
	_, err := child.Start(t.Context(), child.Spec{
		Name: "broken", Program: "/bin/sh", Arguments: []string{"-c", "echo out of order; exit 1"},
		Ready: func(context.Context) error { return errors.New("not ready") },
	})
	if err == nil || !strings.Contains(err.Error(), "broken ended at its start (exit status 1): out of order") {
		t.Errorf("error %v", err)
	}
}

func TestProcess_Stop_removes_the_folder(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "temporary")
	require.NoError(t, os.Mkdir(folder, 0o700))
	server, err := child.Start(t.Context(), child.Spec{
		Name: "server", Program: "/bin/sh", Arguments: []string{"-c", "touch data; exec sleep 60"}, Dir: folder,
		Remove: folder, Ready: func(context.Context) error {
			_, err := os.Stat(filepath.Join(folder, "data"))
			return err
		},
	})
	require.NoError(t, err)
	require.NoError(t, server.Stop(t.Context()))
	eventually.WaitFor(t, "the folder to be removed", func() bool {
		_, err := os.Stat(folder)
		return errors.Is(err, fs.ErrNotExist)
	})
}
