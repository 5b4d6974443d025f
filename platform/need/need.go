// Package need finds the programs that tests run and that are not the project's
// own.
package need

import (
	"os"
	"os/exec"
	"testing"

	"capzone.dev/platform/debian"
)

// Program returns where a program lies, which is named or given by its path. A
// test whose program is absent is skipped. Where NO_SKIP is set no test may be:
// the program's Debian package is installed, or the test fails.
func Program(tb testing.TB, program, debianPackage string) (path string) {
	tb.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	if os.Getenv("NO_SKIP") == "" {
		tb.Skipf("%s is not installed: NO_SKIP=1 brings the Debian package %s", program, debianPackage)
	}
	if err := debian.Install(tb.Context(), debianPackage); err != nil {
		tb.Fatal(err)
	}
	if path, err = exec.LookPath(program); err != nil {
		tb.Fatal(err)
	}
	return path
}
