// Package provision is the frame of the commands that set a server up for the
// site, beside a server that may still be starting.
package provision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/caarlos0/env/v11"

	"capzone.dev/platform/retry"
)

const (
	// attemptTime bounds one attempt, which may hang on a server that is starting.
	attemptTime = 20 * time.Second
	tryEvery    = 200 * time.Millisecond
)

// limits are what all such commands read from the environment.
type limits struct {
	Timeout time.Duration `env:"PROVISION_TIMEOUT" envDefault:"60s"`
}

// Main is a command's whole main: it reads C from the environment, sets the
// server up, and ends the process with 1 and a message where it could not within
// PROVISION_TIMEOUT.
func Main[C any](name string, setUp func(ctx context.Context, cfg C) error) {
	if err := run(setUp); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func run[C any](setUp func(ctx context.Context, cfg C) error) error {
	cfg, err := env.ParseAs[C]()
	l, limitsErr := env.ParseAs[limits]()
	if err := errors.Join(err, limitsErr); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), l.Timeout)
	defer cancel()
	return retry.Until(ctx, tryEvery, func(ctx context.Context) error {
		attempt, cancel := context.WithTimeout(ctx, attemptTime)
		defer cancel()
		return setUp(attempt, cfg)
	})
}
