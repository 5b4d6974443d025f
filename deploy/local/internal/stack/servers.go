package stack

import (
	"context"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/deploy/local/internal/supervise"
	"capzone.dev/devstack/localnats"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/localredis"
	"capzone.dev/devstack/locals3"
)

// s3Package is the program that serves object storage.
const s3Package = "./deploy/local/cmd/s3"

// startServers starts whatever the environment does not bring, and makes the databases and the event streams,
// each as soon as it can: what needs a program of ours waits until they are built. What it started is on the list
// of things to stop, also when it fails.
func (s *Stack) startServers(ctx context.Context, built <-chan struct{}) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := s.startDatabase(ctx); err != nil {
			return err
		}
		return makeDatabases(ctx, s.servers.Database, s.kinds)
	})
	group.Go(func() error {
		if err := s.startNATS(); err != nil {
			return err
		}
		if err := closed(ctx, built); err != nil {
			return err
		}
		return s.provision(ctx)
	})
	group.Go(s.startRedis)
	group.Go(func() error {
		if err := closed(ctx, built); err != nil {
			return err
		}
		return s.startS3(ctx)
	})
	return group.Wait()
}

// closed waits until a channel is closed, or ctx ends.
func closed(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Stack) startDatabase(ctx context.Context) error {
	if s.settings.DatabaseURL != "" {
		s.servers.Database = s.settings.DatabaseURL
		return nil
	}
	log, err := os.Create(s.file("postgres.log"))
	if err != nil {
		return err
	}
	kept, err := supervise.KeepServer(ctx, s.console.Lines("postgres"),
		func(ctx context.Context, port int) (supervise.Server, error) {
			return localpg.Start(ctx, localpg.Options{Dir: s.file(databaseEntry), Port: port, Log: log})
		})
	if err != nil {
		_ = log.Close()
		return err
	}
	s.atEnd(func(ctx context.Context) {
		kept.Stop(ctx)
		_ = log.Close()
	})
	s.servers.Database = localpg.URL(kept.Port(), "postgres")
	return nil
}

func (s *Stack) startNATS() error {
	if s.settings.NATSURL != "" {
		s.servers.NATS = s.settings.NATSURL
		return nil
	}
	lines := s.console.Lines("nats")
	server, err := localnats.Start(localnats.Options{
		Dir: s.file("nats"),
		Log: func(line string) { lines.Say("%s", line) },
	})
	if err != nil {
		return err
	}
	s.atEnd(func(context.Context) { server.Stop() })
	s.servers.NATS = server.URL()
	return nil
}

func (s *Stack) startRedis() error {
	if s.settings.RedisURL != "" {
		s.servers.Redis = s.settings.RedisURL
		return nil
	}
	server, err := localredis.Start(0)
	if err != nil {
		return err
	}
	s.atEnd(func(context.Context) { server.Stop() })
	s.servers.Redis = server.URL()
	return nil
}

func (s *Stack) startS3(ctx context.Context) error {
	if s.settings.S3Endpoint != "" {
		s.servers.S3 = S3Address{s.settings.S3Endpoint, s.settings.S3AccessKey, s.settings.S3SecretKey}
		return nil
	}
	secret, err := os.ReadFile(s.file("s3-secret"))
	if err != nil {
		return err
	}
	address := S3Address{AccessKey: "capzone", SecretKey: strings.TrimSpace(string(secret))}
	lines := s.console.Lines("s3")
	kept, err := supervise.KeepServer(ctx, lines, func(ctx context.Context, port int) (supervise.Server, error) {
		return locals3.Start(ctx, locals3.Options{
			Program: s.program(s3Package), Dir: s.file("s3"), Port: port,
			AccessKey: address.AccessKey, SecretKey: address.SecretKey, Log: lines,
		})
	})
	if err != nil {
		return err
	}
	s.atEnd(kept.Stop)
	address.Endpoint = locals3.Endpoint(kept.Port())
	s.servers.S3 = address
	return nil
}

// atEnd puts something on the list of what is stopped after the processes.
func (s *Stack) atEnd(stop func(context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serverStops = append(s.serverStops, stop)
}

// stopServers stops what startServers started, all at once: they don't need each other.
func (s *Stack) stopServers() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var group errgroup.Group
	for _, stop := range s.serverStops {
		group.Go(func() error {
			stop(ctx)
			return nil
		})
	}
	_ = group.Wait()
}

// stopTimeout is how long each stage, and the servers after them, may take to stop.
const stopTimeout = 10 * time.Second
