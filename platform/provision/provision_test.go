package provision

import (
	"context"
	"errors"
	"strings"
	"testing"
)

type settings struct {
	Server string `env:"NATS_URL,required,notEmpty"`
}

func TestMain_retries(t *testing.T) {
	t.Setenv("NATS_URL", "somewhere")
	tries := 0
	err := run(func(_ context.Context, cfg settings) error {
		if tries++; cfg.Server != "somewhere" || tries < 3 {
			return errors.New("not yet")
		}
		return nil
	})
	if err != nil || tries != 3 {
		t.Errorf("%d tries, %v", tries, err)
	}
}

func TestMain_timeout(t *testing.T) {
	t.Setenv("NATS_URL", "nowhere")
	t.Setenv("PROVISION_TIMEOUT", "1ms")
	errDown := errors.New("connection refused")
	if err := run(func(context.Context, settings) error { return errDown }); !errors.Is(err, errDown) {
		t.Errorf("%v, want what went wrong", err)
	}
}

func TestMain_reports_all_mistakes(t *testing.T) {
	t.Setenv("PROVISION_TIMEOUT", "soon")
	err := run(func(context.Context, settings) error {
		t.Error("it is tried nevertheless")
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "NATS_URL") || !strings.Contains(err.Error(), "Timeout") {
		t.Errorf("%v, want both mistakes", err)
	}
}
