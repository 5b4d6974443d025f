package service_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"capzone.dev/platform/service"
)

func TestProcess_Janitor_repeats_after_error(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		p := service.Process{Log: slog.New(slog.NewTextHandler(&logged, nil))}
		var at []time.Duration
		started := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), 25*time.Minute)
		defer stop()
		err := p.Janitor("sessions", 10*time.Minute, func(context.Context) (int, error) {
			at = append(at, time.Since(started))
			if len(at) == 2 {
				return 0, errors.New("no database")
			}
			return len(at), nil
		})(ctx)
		if err != nil {
			t.Error(err)
		}
		if len(at) != 3 || at[0] != 0 || at[1] != 10*time.Minute || at[2] != 20*time.Minute {
			t.Errorf("called at %v", at)
		}
		for _, part := range []string{
			`msg="cleaned up" target=sessions count=1` + "\n", `msg="cleanup failed" target=sessions error="no database"`, "count=3\n",
		} {
			if !strings.Contains(logged.String(), part) {
				t.Errorf("the log lacks %q:\n%s", part, logged.String())
			}
		}
	})
}

func TestProcess_Janitor_stops_without_error(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	p := service.Process{Log: slog.New(slog.NewTextHandler(&logged, nil))}
	ctx, stop := context.WithCancel(t.Context())
	err := p.Janitor("sessions", time.Hour, func(ctx context.Context) (int, error) {
		stop()
		return 0, ctx.Err()
	})(ctx)
	if err != nil || logged.Len() > 0 {
		t.Errorf("error %v, log %q", err, logged.String())
	}
}
