package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/require"
)

const (
	goFinding   = "echo 'Vulnerability #1: GO-2026-0001'; exit 3"
	npmFinding  = `echo '{"auditReportVersion": 2, "url": "https://example.org/GHSA-aaaa-bbbb-cccc"}'; exit 1`
	npmNothing  = `echo '{"auditReportVersion": 2}'`
	unreachable = "echo 'govulncheck: fetching vulnerabilities: no such host'; exit 1"
)

// TestAudit runs the script with a govulncheck and an npm that report what the test wants. It finds vulnerabilities
// that pass unseen: unread reports, exceptions without an end, databases that were not reached.
func TestAudit(t *testing.T) {
	t.Parallel()
	day := func(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }
	for _, tt := range []struct {
		name, govulncheck, npm      string
		goExceptions, npmExceptions string
		required, fails             bool
		want                        string
	}{
		{name: "nothing is known", npm: npmNothing, want: "go: checked, 0 known vulnerabilities"},
		{name: "of a module", govulncheck: goFinding, npm: npmNothing, fails: true,
			want: "go has the known vulnerability GO-2026-0001"},
		{name: "of a package", npm: npmFinding, fails: true, want: "npm has the known vulnerability GHSA-aaaa-bbbb-cccc"},
		{
			name: "excepted", govulncheck: goFinding, npm: npmFinding, goExceptions: "GO-2026-0001 " + day(0) + " Not reached.",
			npmExceptions: "GHSA-aaaa-bbbb-cccc " + day(300) + " Not reached.", want: "npm: checked, 1 known vulnerabilities",
		},
		{
			name: "an exception that is over", govulncheck: goFinding, npm: npmNothing, fails: true,
			goExceptions: "GO-2026-0001 " + day(-1) + " Not reached.", want: "ended with",
		},
		{
			name: "an exception for years", govulncheck: goFinding, npm: npmNothing, fails: true,
			goExceptions: "GO-2026-0001 " + day(400) + " Not reached.", want: "longer than a year",
		},
		{
			name: "an exception without a reason", govulncheck: goFinding, npm: npmNothing, fails: true,
			goExceptions: "GO-2026-0001 " + day(1), want: "lacks a last day or a reason",
		},
		{
			name: "an exception that is not needed", npm: npmNothing, fails: true,
			goExceptions: "GO-2026-0001 " + day(1) + " Not reached.", want: "not needed any more",
		},
		{name: "no databases", govulncheck: unreachable, npm: "exit 1", want: "npm WAS NOT CHECKED"},
		{name: "no databases where they are required", govulncheck: unreachable, npm: "exit 1", required: true, fails: true,
			want: "go was not checked"},
		{name: "code that does not compile", govulncheck: "echo 'undefined: x'; exit 1", npm: npmNothing, fails: true,
			want: "undefined: x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for name, text := range map[string]string{
				"govulncheck": "#!/bin/sh\n" + tt.govulncheck, "npm": "#!/bin/sh\n" + tt.npm,
				"go.exceptions": "# a comment\n" + tt.goExceptions + "\n", "npm.exceptions": tt.npmExceptions + "\n",
			} {
				require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700))
			}
			script := exec.CommandContext(t.Context(), filepath.Join(root, "deploy/audit/audit.sh"))
			script.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "AUDIT_EXCEPTIONS="+folder,
				"GOVULNCHECK="+filepath.Join(folder, "govulncheck"), "AUDIT_REQUIRED=")
			if tt.required {
				script.Env = append(script.Env, "AUDIT_REQUIRED=1")
			}
			output, err := script.CombinedOutput()
			if (err != nil) != tt.fails || !strings.Contains(string(output), tt.want) {
				t.Errorf("%v, want %q in:\n%s", err, tt.want, output)
			}
		})
	}
}
