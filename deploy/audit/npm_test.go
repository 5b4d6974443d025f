package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/testdeps"
)

func TestNpmsReport(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, report string
		want         []weakness
	}{
		{"nothing", `{"auditReportVersion": 2, "vulnerabilities": {}}`, []weakness{}},
		{
			"an advisory, also through another package",
			`{"auditReportVersion": 2, "vulnerabilities": {
				"left-pad": {"name": "left-pad", "severity": "high", "via": [{"source": 1, "name": "left-pad", "title": "Pads to the right",
					"url": "https://github.com/advisories/GHSA-aaaa-bbbb-cccc", "severity": "high", "range": "<1.3.0"}], "fixAvailable": true},
				"banner": {"name": "banner", "severity": "high", "via": ["left-pad"], "fixAvailable": false}}}`,
			[]weakness{{ID: "GHSA-aaaa-bbbb-cccc", In: "left-pad", Summary: "Pads to the right (high, in <1.3.0)"}},
		},
	} {
		got, err := readReport([]byte(tt.report))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// What is no report is never taken for "nothing found".
func TestWhatIsNoReport(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, answer string
		away         bool // nobody could be asked
	}{
		{"the registry takes no question", `{"message": "405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk", "statusCode": 405, "error": {"summary": "", "detail": ""}}`, true},
		{"there is no network", `{"error": {"code": "ENOTFOUND", "summary": "request to https://registry.example failed"}}`, true},
		{"an empty object", `{}`, true},
		{"no JSON", `npm error`, false},
		{"a report of another version", `{"auditReportVersion": 3, "vulnerabilities": {}}`, false},
		{"weaknesses that cannot be read", `{"auditReportVersion": 2, "vulnerabilities": {"left-pad": {"via": [17]}}}`, false},
	} {
		found, err := readReport([]byte(tt.answer))
		var nobody noDatabase
		if err == nil || errors.As(err, &nobody) != tt.away {
			t.Errorf("%s: %v, %v", tt.name, found, err)
		}
	}
}

// The command itself, where the registry cannot be reached.
func TestNpmWithoutARegistry(t *testing.T) {
	t.Parallel()
	_, err := exec.LookPath("npm")
	testdeps.Found(t, err)
	folder := t.TempDir()
	for name, text := range map[string]string{
		".npmrc":            "registry=http://127.0.0.1:1/\nfetch-retries=0\n",
		"package.json":      `{"name": "site", "version": "0.0.0", "dependencies": {"left-pad": "1.3.0"}}`,
		"package-lock.json": `{"name": "site", "version": "0.0.0", "lockfileVersion": 3, "requires": true, "packages": {"": {"dependencies": {"left-pad": "1.3.0"}}, "node_modules/left-pad": {"version": "1.3.0", "resolved": "http://127.0.0.1:1/left-pad/-/left-pad-1.3.0.tgz"}}}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := npmPackages{folder}.find(t.Context())
	if nobody := (noDatabase{}); !errors.As(err, &nobody) {
		t.Errorf("found %v, %v", found, err)
	}
}
