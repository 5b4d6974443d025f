package main

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/testservers"
)

// testKey is both halves of the key of the tests' object storage.
const testKey = "capzone-test"

const stopTimeout = 10 * time.Second

// withServers runs a command, and for as long as it runs the servers that tests share: embedded ones or, where
// TEST_SERVERS asks for them, real ones. A server that the environment names (TEST_DATABASE_URL, TEST_S3_ENDPOINT)
// is used instead. NATS servers are started by the tests, each its own.
func withServers(ctx context.Context, command []string) error {
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	digest, err := testservers.Build()
	if err != nil {
		return err
	}
	environment := append(os.Environ(), "TEST_PROGRAMS="+digest, "TEST_RUN="+time.Now().Format(time.RFC3339Nano))
	home := ""
	if testservers.Real() {
		if err := testservers.Install(ctx); err != nil {
			return err
		}
		home = testservers.PostgreSQLHome
	}
	stopping := context.WithoutCancel(ctx) // an error of stopping a server does not change the result of the command
	// Go keeps the result of a test only where the environment is the same, and with it the ports.
	if os.Getenv("TEST_DATABASE_URL") == "" {
		port, err := freeport.Of(root + " postgres")
		if err != nil {
			return err
		}
		database, err := localpg.StartTemporary(ctx, home, port)
		if err != nil {
			return err
		}
		defer func() { _ = database.Stop(stopping) }()
		environment = append(environment, "TEST_DATABASE_URL="+localpg.URL(port, "postgres"))
	}
	if os.Getenv("TEST_S3_ENDPOINT") == "" {
		port, err := freeport.Of(root + " s3")
		if err != nil {
			return err
		}
		options := testservers.Options{Port: port}
		storage, err := testservers.StartS3(ctx, options, testservers.Keys{Access: testKey, Secret: testKey})
		if err != nil {
			return err
		}
		defer func() { _ = storage.Kill() }()
		environment = append(environment,
			"TEST_S3_ENDPOINT=http://"+options.Address(), "TEST_S3_ACCESS_KEY="+testKey, "TEST_S3_SECRET_KEY="+testKey)
	}
	return run(ctx, command, environment)
}

func run(ctx context.Context, command, environment []string) error {
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Env = environment
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	child.WaitDelay = stopTimeout
	return child.Run()
}
