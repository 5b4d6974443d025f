// Package testdeps finds what tests need: programs of the system, and files of the source tree.
package testdeps

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/testservers"
)

// Program returns the path of a program, which is given by its name or path. If it is absent and NO_SKIP
// is set, its Debian package is installed. Otherwise see Found.
func Program(tb testing.TB, program, debianPackage string) (path string) {
	tb.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	if skips() {
		err = fmt.Errorf("%s is not installed: NO_SKIP=1 installs the Debian package %s", program, debianPackage)
	} else if err = testservers.InstallPackage(tb.Context(), debianPackage); err == nil {
		path, err = exec.LookPath(program)
	}
	Found(tb, err)
	return path
}

// Root returns the root of the source tree, for a test that reads files of other modules or runs what is built of them.
// Go does not see these files and keeps no result of the test: it depends on TEST_RUN, which differs in each run of
// make test-go.
func Root(tb testing.TB) string {
	tb.Helper()
	os.Getenv("TEST_RUN")
	root, err := checkout.Root()
	if err != nil {
		tb.Fatal(err)
	}
	return root
}

// Found returns if err is nil. Otherwise err is about something that the test needs: the test is skipped
// or, if NO_SKIP is set, fails.
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
