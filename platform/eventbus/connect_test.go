package eventbus_test

import (
	"log/slog"
	"strings"
	"testing"

	"capzone.dev/platform/eventbus"
)

func TestConnect_errors_hide_passwords(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"nats://maps:hidden-phrase@nats:port", "nats://maps:hidden/phrase@nats:4222", "nats://maps:hidden%zzphrase@nats:4222",
		"nats://nats:4222,nats://maps:hidden-phrase@nats:port",
	} {
		nc, err := eventbus.Connect(url, "maps", slog.New(slog.DiscardHandler))
		if err == nil {
			nc.Close()
			t.Errorf("%s is accepted", url)
			continue
		}
		if !strings.Contains(err.Error(), "NATS_URL") || strings.Contains(err.Error(), "hidden") ||
			strings.Contains(err.Error(), "phrase") {
			t.Errorf("the error %q lacks NATS_URL or contains a part of the password", err)
		}
	}
}
