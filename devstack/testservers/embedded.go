package testservers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/programs"
)

// embedded are the packages of the small servers, and of nats-server, by the names of their programs.
var embedded = map[string]string{
	"nats-server": "github.com/nats-io/nats-server/v2",
	"redis":       "./devstack/cmd/redis",
	"s3":          "./deploy/local/cmd/s3",
}

// Build builds these servers into a folder, for TEST_PROGRAMS, and returns their digest, for TEST_PROGRAMS_DIGEST.
func Build(ctx context.Context, folder string) (digest string, err error) {
	root, err := checkout.Root()
	if err != nil {
		return "", err
	}
	packages := Packages(folder)
	if err := errors.Join(os.MkdirAll(folder, 0o700), programs.Build(ctx, root, packages)); err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		program, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		_, _ = sum.Write(program)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Packages returns the packages of these servers, by the paths of their programs in a folder.
func Packages(folder string) map[string]string {
	packages := map[string]string{}
	for name, pkg := range embedded {
		packages[filepath.Join(folder, name)] = pkg
	}
	return packages
}

// Embedded returns the path of one of these servers: "nats-server", "redis" or "s3". It is in the folder that
// TEST_PROGRAMS names (make test builds it), else it is built once for all test binaries of this user.
func Embedded(ctx context.Context, name string) (path string, err error) {
	if folder := os.Getenv("TEST_PROGRAMS"); folder != "" {
		os.Getenv("TEST_PROGRAMS_DIGEST") // so that Go keeps no result of a test with other programs
		return filepath.Join(folder, name), nil
	}
	root, err := checkout.Root()
	if err != nil {
		return "", err
	}
	folder, err := checkout.Cache()
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, name)
	unlock, err := checkout.Lock(path + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	return path, programs.Build(ctx, root, map[string]string{path: embedded[name]})
}
