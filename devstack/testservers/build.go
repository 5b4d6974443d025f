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

// build builds the programs once in a process, unless make test has built them: then TEST_PROGRAMS is set to their
// digest, so that Go keeps no result of a test with other programs.
var build = sync.OnceValues(func() (root string, err error) {
	root, err = checkout.Root()
	if err == nil && os.Getenv("TEST_PROGRAMS") == "" {
		err = programs.Build(context.Background(), root, packages...)
	}
	return root, err
})

// program returns the path of the program of one of the packages.
func program(pkg string) (string, error) {
	root, err := build()
	return programs.Path(root, pkg), err
}

// Build builds these programs and returns their digest.
func Build() (digest string, err error) {
	sum := sha256.New()
	for _, pkg := range packages {
		path, err := program(pkg)
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
