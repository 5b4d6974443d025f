package eventbus

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

// receivedMsg is a message that remembers what the server is told of it.
type receivedMsg struct {
	jetstream.Msg

	reports  int
	rejected bool
}

func (m *receivedMsg) Headers() nats.Header                      { return nil }
func (m *receivedMsg) Subject() string                           { return event.MapCreatedSubject }
func (m *receivedMsg) Metadata() (*jetstream.MsgMetadata, error) { return nil, errors.New("none") }
func (m *receivedMsg) InProgress() error                         { m.reports++; return nil }
func (m *receivedMsg) NakWithDelay(time.Duration) error          { m.rejected = true; return nil }

// A handler without an end is stopped after some minutes, or soon after the process was told to stop.
func TestWorker_deliver_bounds_the_handler(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ stopAfter, want time.Duration }{
		"while the process runs":  {time.Hour, handleTimeout},
		"while the process stops": {time.Minute, time.Minute + stopTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.stopAfter)
				defer cancel()
				w := worker{
					Consumer: event.RecordsMaps, log: slog.New(slog.DiscardHandler), reportInterval: 3 * time.Second,
					handle: func(ctx context.Context, _ jetstream.Msg) error { <-ctx.Done(); return ctx.Err() },
				}
				msg, began := &receivedMsg{}, time.Now()
				w.deliver(ctx, msg)
				if took := time.Since(began); took != tt.want {
					t.Errorf("the handler had %s, want %s", took, tt.want)
				}
				if reports := int((tt.want - time.Second) / w.reportInterval); msg.reports < reports || !msg.rejected {
					t.Errorf("%d reports, want at least %d; rejected %t", msg.reports, reports, msg.rejected)
				}
			})
		})
	}
}
