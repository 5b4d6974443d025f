package service

import (
	"context"
	"fmt"
	"io"
	"time"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
)

// sweepTimeout is how long the storage may take to answer first.
const sweepTimeout = 15 * time.Second

// Sweep returns the command that removes the files that no row names, which the
// running service also does every few minutes. An upload that is under way and
// older than what is asked for is refused at its end, and nothing is lost.
func Sweep(out io.Writer, service string, named func(pool *postgres.Pool) objectstore.IsReferenced) Command {
	return Command{
		Name: "sweep", Args: "[AGE]",
		Summary: "remove the files that no row names, of uploads older than AGE (30m; an hour if not said)",
		Run: func(ctx context.Context, args []string) error {
			age := objectstore.UploadGrace
			if len(args) > 0 {
				var err error
				if age, err = time.ParseDuration(args[0]); err != nil || age < 0 || len(args) > 1 {
					return ErrUsage
				}
			}
			return WithDatabase(ctx, func(pool *postgres.Pool) error {
				removed, err := sweepNow(ctx, service, pool, named(pool), age)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(out, "Removed %d files.\n", removed)
				return err
			})
		},
	}
}

func sweepNow(ctx context.Context, service string, pool *postgres.Pool, named objectstore.IsReferenced,
	age time.Duration) (int, error) {
	var cfg struct {
		LogConfig
		StorageConfig
	}
	if err := ReadEnv(&cfg); err != nil {
		return 0, err
	}
	opening, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	files, err := objectstore.Open(opening, cfg.For(service))
	if err != nil {
		return 0, err
	}
	return objectstore.NewSweeper(files, pool, named).Sweep(ctx, age)
}
