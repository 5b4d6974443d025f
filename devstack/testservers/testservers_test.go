package testservers

import (
	"context"
	"testing"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
)

func TestProcess_restart_on_its_port(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, begin := range map[string]func(ctx context.Context, o Options) (*child.Process, error){
		"redis": StartRedis,
		"nats":  StartNATS,
		"nats with users": func(ctx context.Context, o Options) (*child.Process, error) {
			passwords := map[string]string{"provision": "of-provision"}
			for _, p := range event.Programs() {
				passwords[p.Name] = "of-" + p.Name
			}
			return StartProductionNATS(ctx, o, passwords)
		},
		"s3": func(ctx context.Context, o Options) (*child.Process, error) {
			return StartS3(ctx, o, Keys{"capzone-test", "capzone-test"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			port, err := freeport.Pick()
			require.NoError(t, err)
			options := Options{Port: port, Dir: dir}
			first, err := begin(t.Context(), options)
			require.NoError(t, err)
			if err := first.Kill(); err != nil {
				t.Error(err)
			}
			second, err := begin(t.Context(), options)
			require.NoError(t, err)
			if err := second.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
