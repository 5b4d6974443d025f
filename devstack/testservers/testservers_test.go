package testservers

import (
	"context"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
)

func TestProcess_restart_on_its_port(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, begin := range map[string]func(ctx context.Context, port int) (*Process, error){
		"redis": func(ctx context.Context, port int) (*Process, error) {
			return StartRedis(ctx, Options{Dir: dir, Port: port})
		},
		"nats": func(ctx context.Context, port int) (*Process, error) {
			return StartNATS(ctx, Options{Dir: dir, Port: port})
		},
		"nats with users": func(ctx context.Context, port int) (*Process, error) {
			passwords := map[string]string{"provision": "of-provision"}
			for _, p := range event.Programs() {
				passwords[p.Name] = "of-" + p.Name
			}
			return StartProductionNATS(ctx, Options{Dir: dir, Port: port}, passwords)
		},
		"s3": func(ctx context.Context, port int) (*Process, error) {
			return StartS3(ctx, Options{Dir: dir, Port: port}, Keys{"capzone-test", "capzone-test"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			first, err := begin(t.Context(), 0)
			require.NoError(t, err)
			if err := first.Kill(); err != nil {
				t.Error(err)
			}
			second, err := begin(t.Context(), first.Port())
			require.NoError(t, err)
			if second.Port() != first.Port() || second.PID() == first.PID() {
				t.Errorf(
					"process %d on port %d was restarted as %d on %d",
					first.PID(),
					first.Port(),
					second.PID(),
					second.Port(),
				)
			}
			if err := second.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
