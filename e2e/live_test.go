package e2e_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
)

// chromium is the browser of the site's tests, which has no windows.
const chromium = "chromium-headless-shell"

// TestLive_examples runs the programs of docs/examples that read the live events.
func TestLive_examples(t *testing.T) {
	t.Parallel()
	root, err := checkout.Root()
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		file    string
		tools   []string
		command func(t *testing.T, example, after string) []string
	}{
		"bash": {"announce.sh", []string{"bash", "curl", "jq"}, func(_ *testing.T, example, _ string) []string {
			return []string{"bash", "-c", example}
		}},
		"Node": {"overlay.mjs", []string{"node"}, func(_ *testing.T, example, _ string) []string {
			return []string{"node", "--input-type=module", "--eval", example}
		}},
		"a page of another origin": {"overlay.mjs", []string{chromium}, func(t *testing.T, example, after string) []string {
			t.Helper()
			return []string{chromium, "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
				"--user-data-dir=" + t.TempDir(), overlay(t, example, after)}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, tool := range tt.tools {
				testdeps.Program(t, tool, tool)
			}
			example, err := os.ReadFile(filepath.Join(root, "docs", "examples", tt.file))
			require.NoError(t, err)
			m, entry, _ := submitted(t)
			seen := filepath.Join(t.TempDir(), "seen")
			newest, err := capzone.NewestEvent(t.Context())
			require.NoError(t, err)
			after := strconv.FormatUint(newest, 10)
			require.NoError(t, os.WriteFile(seen, []byte(after), 0o600))
			command := tt.command(t, string(example), after)
			output := start(t, command[1:], command[0], "SITE="+capzone.Address()+"/api/v1", "SEEN="+seen, "AFTER="+after)
			player := newPlayer(t)
			record := finished(t, player, m, 11_000)
			want := player.Player.Name + " has set a world record on " + entry.Name + ": 11 s"
			if tt.file == "overlay.mjs" {
				want = "record " + record.Record.ID + " 11000"
			}
			for output.Scan() {
				if strings.Contains(output.Text(), want) {
					return
				}
			}
			t.Errorf("the program has not written %q: %v", want, output.Err())
		})
	}
}

// overlay serves a page with a program from an origin of its own, and returns its address.
func overlay(t *testing.T, program, after string) string {
	t.Helper()
	page := `<!doctype html><script>globalThis.process = {env: {SITE: "` + capzone.Address() + `/api/v1", AFTER: "` +
		after + `"}}</script><script type="module">` + program + `</script>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// start starts a program, which ends with the test, and returns its output.
func start(t *testing.T, arguments []string, program string, environment ...string) *bufio.Scanner {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	command := exec.CommandContext(ctx, program, arguments...)
	command.Env = append(os.Environ(), environment...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) } // with its children
	reader, writer := io.Pipe()
	command.Stdout, command.Stderr = writer, writer
	require.NoError(t, command.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = writer.CloseWithError(command.Wait())
	}()
	t.Cleanup(func() {
		_ = reader.Close()
		cancel()
		<-ended
	})
	return bufio.NewScanner(reader)
}
