// Command local runs all of Capzone on this machine, without Docker and without root.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/caarlos0/env/v11"

	"capzone.dev/deploy/local/internal/stack"
	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/programs"
)

const usage = `usage: local <command>

  up                      start everything and keep it running until Ctrl-C
  restart <names>         build anew and restart the running stack's services (or the processes named) one by one
  reset                   forget all data of the stack in DATA_DIR
  run <process> <args>    run an operator's command of a service beside the running stack:
                          local run players grant cloudstep admin
  servers <command>       start PostgreSQL and S3 for tests, run the command, stop them

settings (environment): PORT, DATA_DIR, REPLICAS, and DATABASE_URL, NATS_URL, REDIS_URL, S3_ENDPOINT to
use servers of your own; see deploy/local/README.md`

// packages have all programs that a stack runs.
var packages = []string{
	"./bot/cmd/bot", "./gateway/cmd/gateway", "./platform/cmd/provision", "capzone.dev/services/.../cmd/...",
}

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A second signal is not caught: it ends this process, and with it all others, at once. The pause is for
	// a signal that reaches this process both by itself and through make.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, cancel) })
	err := dispatch(ctx, os.Args[1:])
	cancel()
	if ended, ok := err.(*exec.ExitError); ok { //nolint:errorlint // wrapped, it is not the end of the user's command
		os.Exit(max(1, ended.ExitCode())) // the command has printed why
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "capzone:", err)
		os.Exit(1)
	}
}

func dispatch(ctx context.Context, arguments []string) error {
	if len(arguments) == 0 {
		return errors.New(usage)
	}
	environment := env.ToMap(os.Environ())
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	kinds, err := stack.Kinds(root)
	if err != nil {
		return err
	}
	settings, err := stack.ReadSettings(environment, kinds)
	if err != nil {
		return err
	}
	rest := arguments[1:]
	switch command := arguments[0]; {
	case command == "up" && len(rest) == 0, command == "restart":
		options := stack.Options{
			Root: root, Settings: settings, Kinds: kinds, Environment: environment, Out: os.Stdout,
			Provision: programs.Path(root, "provision"),
			Build:     func(ctx context.Context) error { return programs.Build(ctx, root, packages...) },
		}
		if command == "up" {
			return stack.Up(ctx, options)
		}
		return stack.Restart(ctx, options, rest)
	case command == "reset" && len(rest) == 0:
		return stack.Reset(settings.DataDir)
	case command == "run" && len(rest) > 0:
		return stack.Run(ctx, settings.DataDir, rest[0], rest[1:])
	case command == "servers" && len(rest) > 0:
		return withServers(ctx, rest)
	case command == "help" || command == "-h" || command == "--help":
		fmt.Println(usage)
		return nil
	default:
		return errors.New(usage)
	}
}
