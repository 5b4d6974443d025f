package localpg

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/npm"
)

// processors are npm's names of processors, where they differ from Go's.
var processors = map[string]string{"386": "ia32", "amd64": "x64"}

// install makes sure that PostgreSQL's programs are on this machine and returns their folder (with bin, lib and share).
// deploy/local/package.json pins a package for each system.
func install(ctx context.Context) (string, error) {
	name := runtime.GOOS + "-" + cmp.Or(processors[runtime.GOARCH], runtime.GOARCH)
	path := filepath.Join("@embedded-postgres", name, "native")
	root, err := checkout.Root()
	if err != nil {
		return "", err
	}
	base, err := baseFolder()
	if err != nil {
		return "", err
	}
	modules, err := npm.Install(ctx, filepath.Join(root, "deploy", "local"), base, func(modules string) error {
		return prepare(ctx, filepath.Join(modules, path))
	})
	if err != nil {
		return "", fmt.Errorf("no embedded PostgreSQL for %s (a server of your own is set by DATABASE_URL, for tests by "+
			"TEST_DATABASE_URL): %w", name, err)
	}
	return filepath.Join(modules, path), nil
}

// prepare makes the symbolic links that npm packages cannot contain, which the package's own install script would make.
// Files and folders are readable for every user and programs executable, independently of the umask.
func prepare(ctx context.Context, native string) error {
	text, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string } // in one folder
	if err := json.Unmarshal(text, &links); err != nil {
		return err
	}
	for _, l := range links {
		if err := os.Symlink(filepath.Base(l.Source), filepath.Join(filepath.Dir(native), l.Target)); err != nil {
			return err
		}
	}
	command := exec.CommandContext(ctx, "/bin/sh", "-c", "chmod -R a+rX ../../.. && chmod a+x bin/*")
	command.Dir = native
	return command.Run()
}
