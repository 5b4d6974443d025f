package load

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// RunTests runs black-box tests against a site, and returns how many passed. What needs the processes of a local stack
// is skipped there.
func RunTests(t *testing.T, address, pkg string, arguments ...string) (passed int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{"test", "-count=1", "-v", "-timeout", "5m", pkg},
		arguments...)...)
	command.Env = append(os.Environ(), "E2E_SITE_URL="+address, "DATA_DIR=", "NO_SKIP=")
	text, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, regexp.MustCompile(`(?m)^ *(=== |--- PASS|--- SKIP).*\n`).ReplaceAll(text, nil))
	}
	count := func(pattern string) int { return len(regexp.MustCompile(pattern).FindAll(text, -1)) }
	passed = count(`(?m)^ *--- PASS`)
	t.Logf("%d tests passed, %d were skipped", passed, count(`(?m)^ *--- SKIP`))
	return passed
}
