package compose

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestSite_BlackBox runs the black-box tests of the whole site through the gateway's published port. What needs the
// processes of a local stack is skipped there.
func TestSite_BlackBox(t *testing.T) {
	command := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-timeout", "5m", "capzone.dev/e2e")
	command.Env = append(os.Environ(), "E2E_SITE_URL="+running.address, "DATA_DIR=", "NO_SKIP=")
	text, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, regexp.MustCompile(`(?m)^ *(=== |--- PASS|--- SKIP).*\n`).ReplaceAll(text, nil))
	}
	count := func(pattern string) int { return len(regexp.MustCompile(pattern).FindAll(text, -1)) }
	passed, skipped := count(`(?m)^ *--- PASS`), count(`(?m)^ *--- SKIP`)
	if passed < 20 {
		t.Errorf("%d tests passed, want at least 20", passed)
	}
	t.Logf("%d tests passed, %d were skipped", passed, skipped)
}
