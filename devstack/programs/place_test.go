package programs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// To another disk there are no links.
func TestACopyIsAProgramToo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	program, file := filepath.Join(folder, "program"), filepath.Join(folder, "copy")
	const said = "#!/bin/sh\n"
	if err := os.WriteFile(program, []byte(said), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copyProgram(program, file); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != said {
		t.Errorf("the copy is %q (%v)", got, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the copy is %v (%v)", info.Mode(), err)
	}
	if err := copyProgram(program, file); !errors.Is(err, os.ErrExist) {
		t.Errorf("a copy onto one that is there: %v", err)
	}
}
