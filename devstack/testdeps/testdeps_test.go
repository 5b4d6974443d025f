package testdeps_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
)

func TestProgram_by_name_and_by_path(t *testing.T) {
	folder := t.TempDir()
	want := filepath.Join(folder, "rare-tool")
	require.NoError(t, os.WriteFile(want, []byte("#!/bin/sh\n"), 0o700))
	t.Setenv("PATH", folder)
	for _, program := range []string{"rare-tool", want} {
		if got := testdeps.Program(t, program, "rare"); got != want {
			t.Errorf("%s is %s", program, got)
		}
	}
}

// Without apt, as another system's user sees it.
func TestProgram_absent(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct {
		noSkip                  string
		wantSkipped, wantFailed bool
	}{
		{"", true, false},
		{"1", false, true},
	} {
		t.Setenv("NO_SKIP", c.noSkip)
		var skipped, failed bool
		ended := make(chan struct{})
		go func() { // a test that ends, ends its goroutine
			defer close(ended)
			o := &outcome{TB: t}
			defer func() { skipped, failed = o.skipped, o.failed }()
			testdeps.Program(o, "no-such-tool", "no-such-package")
		}()
		<-ended
		if skipped != c.wantSkipped || failed != c.wantFailed {
			t.Errorf("NO_SKIP=%q: skipped %v, failed %v", c.noSkip, skipped, failed)
		}
	}
}

// outcome notes how a test ends.
type outcome struct {
	testing.TB
	skipped, failed bool
}

// Skip implements testing.TB.
func (o *outcome) Skip(...any) {
	o.skipped = true
	runtime.Goexit()
}

// Fatal implements testing.TB.
func (o *outcome) Fatal(...any) {
	o.failed = true
	runtime.Goexit()
}
