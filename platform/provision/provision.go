// Package provision is the main function of the commands that prepare a server
// for the site, such as making its streams or buckets.
package provision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/cenkalti/backoff/v5"
)

const (
	// attemptTimeout bounds one attempt, since a server that is starting may not answer.
	attemptTimeout = 20 * time.Second
	retryInterval  = 200 * time.Millisecond
)

// limits is the part of the environment that all such commands share.
type limits struct {
	Timeout time.Duration `env:"PROVISION_TIMEOUT" envDefault:"60s"`
}

// Main reads C from the environment and calls setUp until it succeeds. After
// PROVISION_TIMEOUT it prints the last error and exits with code 1.
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
	attempt := func() (struct{}, error) {
		ctx, cancel := context.WithTimeout(context.Background(), min(attemptTimeout, l.Timeout))
		defer cancel()
		return struct{}{}, setUp(ctx, cfg)
	}
	_, err = backoff.Retry(context.Background(), attempt,
		backoff.WithBackOff(backoff.NewConstantBackOff(retryInterval)), backoff.WithMaxElapsedTime(l.Timeout))
	return err
}
