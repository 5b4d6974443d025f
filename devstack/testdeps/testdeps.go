// Package testdeps finds the programs that tests run and that are not the project's
// own.
package testdeps

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"capzone.dev/devstack/debian"
)

// Program returns where a program lies, which is named or given by its path. Where
// NO_SKIP is set and it is absent, its Debian package is installed. See Found for a
// test whose program is absent nevertheless.
func Program(tb testing.TB, program, debianPackage string) (path string) {
	tb.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	if skips() {
		err = fmt.Errorf("%s is not installed: NO_SKIP=1 brings the Debian package %s", program, debianPackage)
	} else if err = debian.Install(tb.Context(), debianPackage); err == nil {
		path, err = exec.LookPath(program)
	}
	Found(tb, err)
	return path
}

// Found returns if err is nil. Otherwise it reports what the test needs and does not
// find: then the test is skipped or, where NO_SKIP is set, fails.
func Found(tb testing.TB, err error) {
	tb.Helper()
	switch {
	case err == nil:
	case skips():
		tb.Skip(err)
	default:
		tb.Fatal(err)
	}
}

// skips reports whether tests may be skipped if a program is missing.
func skips() bool { return os.Getenv("NO_SKIP") == "" }
