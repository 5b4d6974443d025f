package checkout_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"capzone.dev/devstack/checkout"
)

func TestRoot(t *testing.T) {
	tree, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(tree, "platform", "checkout")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(deep)
	if root, err := checkout.Root(); !errors.Is(err, checkout.ErrNoTree) {
		t.Fatalf("outside of any tree: %q, %v", root, err)
	}
	if err := os.WriteFile(filepath.Join(tree, "go.work"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if root, err := checkout.Root(); root != tree || err != nil {
		t.Errorf("the root of %s is %q, %v", tree, root, err)
	}
}

func TestOwnFolder_refuses_a_link(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(folder) != temporary {
		t.Errorf("the cache is %s", folder)
	}
}
