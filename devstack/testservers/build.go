package testservers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"sync"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/programs"
)

const (
	natsPackage  = "github.com/nats-io/nats-server/v2"
	redisPackage = "./devstack/cmd/redis"
	s3Package    = "./deploy/local/cmd/s3"
)

var packages = []string{natsPackage, redisPackage, s3Package}

var built struct {
	sync.Mutex
	done bool
}

// program returns the path of the program of one of the packages. All are built once in a process, unless make test has
// built them: then TEST_PROGRAMS is set to their digest, so that Go keeps no result of a test with other programs.
func program(ctx context.Context, pkg string) (string, error) {
	root, err := checkout.Root()
	if err != nil {
		return "", err
	}
	built.Lock()
	defer built.Unlock()
	if !built.done && os.Getenv("TEST_PROGRAMS") == "" {
		if err := programs.Build(ctx, root, packages...); err != nil {
			return "", err
		}
		built.done = true
	}
	return programs.Path(root, pkg), nil
}

// Build builds these programs and returns their digest.
func Build(ctx context.Context) (digest string, err error) {
	sum := sha256.New()
	for _, pkg := range packages {
		path, err := program(ctx, pkg)
		if err != nil {
			return "", err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		_, _ = sum.Write(content)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
