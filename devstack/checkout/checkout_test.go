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
