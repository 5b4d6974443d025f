package programs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"capzone.dev/devstack/programs"
	"capzone.dev/devstack/require"
)

// tree is a source tree with a program in each of its packages, which prints the word.
func tree(t *testing.T) (root string, say func(pkg, word string)) {
	t.Helper()
	root = t.TempDir()
	write := func(path, content string) {
		t.Helper()
		path = filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	write("go.mod", "module example.test\n\ngo 1.26.0\n")
	t.Setenv("GOWORK", "off")
	return root, func(pkg, word string) {
		t.Helper()
		write(filepath.Join(pkg, "main.go"), "package main\n\nfunc main() { println(`"+word+"`) }\n")
	}
}

func wantSays(t *testing.T, program, word string) {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	if got := strings.TrimSpace(string(output)); err != nil || got != word {
		t.Errorf("%s prints %q (%v), want %q", program, got, err, word)
	}
}

func TestBuild_leaves_running_programs_alone(t *testing.T) {
	root, say := tree(t)
	say("auth", "early")
	say("maps", "hello")
	require.NoError(t, programs.Build(t.Context(), root, "./auth", "./maps"))
	auth, maps := programs.Path(root, "./auth"), programs.Path(root, "./maps")
	wantSays(t, auth, "early")
	running := filepath.Join(t.TempDir(), "running") // as the process that runs it holds it
	require.NoError(t, os.Link(auth, running))
	say("auth", "late")
	require.NoError(t, programs.Build(t.Context(), root, "./auth"))
	wantSays(t, running, "early")
	wantSays(t, auth, "late")
	wantSays(t, maps, "hello")
}

func TestBuild_concurrently(t *testing.T) {
	root, say := tree(t)
	say("auth", "hello")
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if err := programs.Build(t.Context(), root, "./auth"); err != nil {
				t.Error(err)
				return
			}
			wantSays(t, programs.Path(root, "./auth"), "hello")
		})
	}
	all.Wait()
}

func TestBuild_compile_error(t *testing.T) {
	root, say := tree(t)
	say("auth", "`undefined + `")
	err := programs.Build(t.Context(), root, "./auth")
	if err == nil || !strings.Contains(err.Error(), "main.go") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(programs.Path(root, "./auth")); err == nil {
		t.Error("there is a program nevertheless")
	}
}
