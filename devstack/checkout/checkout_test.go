package checkout_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/require"
)

func TestRoot(t *testing.T) {
	tree, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	deep := filepath.Join(tree, "platform", "checkout")
	require.NoError(t, os.MkdirAll(deep, 0o700))
	t.Chdir(deep)
	if root, err := checkout.Root(); !errors.Is(err, checkout.ErrNoTree) {
		t.Fatalf("outside of any tree: %q, %v", root, err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(tree, "go.work"), nil, 0o600))
	if root, err := checkout.Root(); root != tree || err != nil {
		t.Errorf("the root of %s is %q, %v", tree, root, err)
	}
}

func TestOwnFolder_refuses_a_link(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	if err := checkout.OwnFolder(link, 0o700); err == nil {
		t.Error("programs would be run from wherever the link leads")
	}
}

func TestCache_without_a_home(t *testing.T) {
	t.Setenv("HOME", "/nonexistent/home")
	t.Setenv("XDG_CACHE_HOME", "/proc/nonexistent")
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	folder, err := checkout.Cache()
	require.NoError(t, err)
	if filepath.Dir(folder) != temporary {
		t.Errorf("the cache is %s", folder)
	}
}

func TestOnce(t *testing.T) {
	target := filepath.Join(t.TempDir(), "program")
	failed := errors.New("no network")
	if err := checkout.Once(target, func(string) (string, error) { return "", failed }); !errors.Is(err, failed) {
		t.Fatalf("got %v, want the error of create", err)
	}
	var calls atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			err := checkout.Once(target, func(scratch string) (string, error) {
				calls.Add(1)
				made := filepath.Join(scratch, "made")
				return made, os.WriteFile(made, []byte("contents"), 0o600)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if content, err := os.ReadFile(target); calls.Load() != 1 || string(content) != "contents" || err != nil {
		t.Errorf("%d calls made %q, %v", calls.Load(), content, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(target), "install-*")); len(left) > 0 || err != nil {
		t.Errorf("the folders %q are left, %v", left, err)
	}
}
