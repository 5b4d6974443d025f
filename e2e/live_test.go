package e2e_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/testdeps"
)

// TestLive_examples runs the programs of docs/live.md.
func TestLive_examples(t *testing.T) {
	t.Parallel()
	root, err := checkout.Root()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "live.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		language string
		program  []string
		tools    []string
	}{
		{"bash", []string{"bash", "-c"}, []string{"bash", "curl", "jq"}},
		{"js", []string{"node", "--input-type=module", "--eval"}, []string{"node"}},
	} {
		t.Run(tt.language, func(t *testing.T) {
			t.Parallel()
			for _, tool := range tt.tools {
				testdeps.Program(t, tool, tool)
			}
			example := regexp.MustCompile("(?s)```" + tt.language + "\n(.*?)```").FindSubmatch(page)
			if example == nil {
				t.Fatal("the page has no such program")
			}
			m, entry, _ := submitted(t)
			seen := filepath.Join(t.TempDir(), "seen")
			newest, err := capzone.NewestEvent(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			after := strconv.FormatUint(newest, 10)
			if err := os.WriteFile(seen, []byte(after), 0o600); err != nil {
				t.Fatal(err)
			}
			output := start(t, append(tt.program[1:], string(example[1])), tt.program[0],
				"SITE="+capzone.Address()+"/api/v1", "SEEN="+seen, "AFTER="+after)
			player := newPlayer(t)
			record := finished(t, player, m, 11_000)
			want := player.Player.Name + " has set a world record on " + entry.Name + ": 11 s"
			if tt.language == "js" {
				want = "record " + record.Record.ID + " 11000"
			}
			for output.Scan() {
				if output.Text() == want {
					return
				}
			}
			t.Errorf("the program has not written %q: %v", want, output.Err())
		})
	}
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
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
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
