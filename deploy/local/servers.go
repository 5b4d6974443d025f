package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/testservers"
)

// testKey is both halves of the key of the tests' object storage.
const testKey = "capzone-test"

var testKeys = testservers.Keys{Access: testKey, Secret: testKey}

// withServers runs a command, and for as long as it runs the servers that tests share: embedded ones or, where
// TEST_SERVERS asks for them, real ones. A server that the environment names (TEST_DATABASE_URL, TEST_S3_ENDPOINT)
// is used instead.
func withServers(ctx context.Context, command []string) error {
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "capzone-servers-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	programs := filepath.Join(root, ".tools", "servers")
	digest, err := testservers.Build(ctx, programs)
	if err != nil {
		return err
	}
	environment := append(os.Environ(), "TEST_PROGRAMS="+programs, "TEST_PROGRAMS_DIGEST="+digest,
		"TEST_RUN="+time.Now().Format(time.RFC3339Nano))
	if testservers.Real() {
		return withRealServers(ctx, folder, command, environment)
	}
	shared, err := startShared(ctx, root, folder, filepath.Join(programs, "s3"))
	// An error of stopping the servers does not change the result of the command.
	defer shared.stop(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	return run(ctx, command, append(environment, shared.environment()...))
}

// sharedServers are the servers that the environment does not name. The others are nil.
type sharedServers struct {
	database *localpg.Server
	storage  *testservers.Process
}

// startShared starts the servers. After an error stop stops what was started.
func startShared(ctx context.Context, root, folder, storageProgram string) (s sharedServers, err error) {
	var group errgroup.Group
	// Go keeps the result of a test only where the environment is the same, and with it the ports.
	if os.Getenv("TEST_DATABASE_URL") == "" {
		group.Go(func() (err error) {
			s.database, err = localpg.StartTemporary(ctx, "", freeport.Of(root+" postgres"))
			return err
		})
	}
	if os.Getenv("TEST_S3_ENDPOINT") == "" {
		group.Go(func() (err error) {
			s.storage, err = testservers.StartS3(ctx, testservers.Options{
				Program: storageProgram, Dir: filepath.Join(folder, "objects"), Port: freeport.Of(root + " s3"),
			}, testKeys)
			return err
		})
	}
	err = group.Wait()
	return s, err
}

// environment returns how tests find the servers.
func (s sharedServers) environment() (variables []string) {
	if s.database != nil {
		variables = append(variables, "TEST_DATABASE_URL="+s.database.URL("postgres"))
	}
	if s.storage != nil {
		variables = append(variables,
			"TEST_S3_ENDPOINT=http://"+s.storage.Address(), "TEST_S3_ACCESS_KEY="+testKey, "TEST_S3_SECRET_KEY="+testKey)
	}
	return variables
}

func (s sharedServers) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	if s.database != nil {
		_ = s.database.Stop(ctx)
	}
	if s.storage != nil {
		_ = s.storage.Stop(ctx)
	}
}

const stopTimeout = 10 * time.Second

func run(ctx context.Context, command, environment []string) error {
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Env = environment
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	child.WaitDelay = stopTimeout
	return child.Run()
}

// withRealServers runs a command, and for as long as it runs the servers of a deployment that tests share. NATS
// servers are started by the tests, each its own.
func withRealServers(ctx context.Context, folder string, command, environment []string) (err error) {
	began := time.Now()
	if err := testservers.Install(ctx); err != nil {
		return err
	}
	// An error of stopping the servers does not change the result of the command.
	stopping, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	database, err := localpg.StartTemporary(ctx, testservers.PostgreSQLHome, 0)
	if err != nil {
		return err
	}
	defer func() { _ = database.Stop(stopping) }()
	storage, err := testservers.StartMinIO(ctx, testservers.Options{Dir: folder}, testKeys)
	if err != nil {
		return err
	}
	defer func() { _ = storage.Kill() }()
	fmt.Printf("PostgreSQL 15 and MinIO are ready after %.1f s\n", time.Since(began).Seconds())
	return run(ctx, command, append(environment,
		"TEST_DATABASE_URL="+database.URL("postgres"),
		"TEST_S3_ENDPOINT=http://"+storage.Address(), "TEST_S3_ACCESS_KEY="+testKey, "TEST_S3_SECRET_KEY="+testKey,
	))
}
