package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
)

// TestReadme_commands runs the commands of the readme. It is not parallel, so that the site has no players
// and maps yet.
func TestReadme_commands(t *testing.T) {
	if !own {
		t.Skip("the site may know the readme's players and map")
	}
	for _, tool := range []string{"bash", "curl", "jq"} {
		testdeps.Program(t, tool, tool)
	}
	root, err := checkout.Root()
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```bash\n(site=http://localhost:8080/.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("the readme has no commands for the main job")
	}
	script := strings.ReplaceAll(string(block[1]), "http://localhost:8080", capzone.Address())
	command := exec.CommandContext(t.Context(), "bash", "-c", "set -eo pipefail\n"+script)
	command.Dir = root
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	leaderboard := regexp.MustCompile(`(?s)"rank": 1,\s+"player": "cloudstep",\s+"finishTime": \d+,\s+"medal": "author".*"rank": 2,\s+"player": "mossfoot"`)
	if !leaderboard.Match(output) {
		t.Errorf("the leaderboard is not the readme's:\n%s", output)
	}
}
