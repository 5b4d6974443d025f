package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/realservers"
)

// withRealServers runs a command, and for as long as it runs the servers of a deployment that tests share. NATS
// servers are started by the tests, each its own.
func withRealServers(ctx context.Context, folder string, command []string) (err error) {
	began := time.Now()
	if err := realservers.Install(ctx); err != nil {
		return err
	}
	// How the servers stop is no concern of the command's result.
	stopping, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	database, err := localpg.StartTemporary(ctx, realservers.PostgreSQLHome)
	if err != nil {
		return err
	}
	defer func() { _ = database.Stop(stopping) }()
	redis, err := realservers.StartRedis(ctx, folder, 0)
	if err != nil {
		return err
	}
	defer func() { _ = redis.Kill() }()
	storage, err := realservers.StartMinIO(ctx, folder, 0, testKey, testKey)
	if err != nil {
		return err
	}
	defer func() { _ = storage.Kill() }()
	fmt.Printf("PostgreSQL 15, Redis and MinIO are ready after %.1f s\n", time.Since(began).Seconds())
	return run(ctx, command, append(os.Environ(),
		"TEST_DATABASE_URL="+database.URL("postgres"),
		fmt.Sprintf("TEST_REDIS_URL=redis://127.0.0.1:%d/0", redis.Port()),
		fmt.Sprintf("TEST_S3_ENDPOINT=http://127.0.0.1:%d", storage.Port()),
		"TEST_S3_ACCESS_KEY="+testKey, "TEST_S3_SECRET_KEY="+testKey,
	))
}
