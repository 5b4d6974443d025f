package programs

import (
	"context"
	"os"
	"path/filepath"

	"capzone.dev/devstack/checkout"
)

// testServers are the packages of the servers that tests run as programs, by name.
var testServers = map[string]string{
	"nats":  "./devstack/cmd/nats",
	"redis": "./devstack/cmd/redis",
	"s3":    "./deploy/local/cmd/s3",
}

// BuildTestServers builds the servers that tests run into a folder, for TEST_PROGRAMS.
func BuildTestServers(ctx context.Context, folder string) error {
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	packages := map[string]string{}
	for name, pkg := range testServers {
		packages[filepath.Join(folder, name)] = pkg
	}
	return Build(ctx, root, packages)
}

// TestServer returns the path of a server that tests run: "nats", "redis" or "s3". It is in the folder that
// TEST_PROGRAMS names (make test builds it), else it is built once for all test binaries of this user.
func TestServer(ctx context.Context, name string) (path string, err error) {
	if folder := os.Getenv("TEST_PROGRAMS"); folder != "" {
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
	return path, Build(ctx, root, map[string]string{path: testServers[name]})
}
