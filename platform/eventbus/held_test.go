package eventbus_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// A message that waited in a busy replica would be delivered again after its acknowledgement time.
func TestConsume_holds_only_what_its_workers_handle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const messages = 100
	started := make(chan string, messages)
	release := make(chan struct{})
	b.consume(t, event.RecordsMaps, func(_ context.Context, _ string, e event.Envelope) error {
		started <- e.ID
		<-release
		return nil
	})
	for range messages {
		b.publish(t, event.MapCreatedSubject, 0, event.MapCreated{MapID: uuid.NewString()})
	}
	consumer, err := b.js.Consumer(t.Context(), event.RecordsMaps.Stream, event.RecordsMaps.Name)
	require.NoError(t, err)
	eventually.WaitFor(t, "all workers to be busy", func() bool { return len(started) >= eventbus.Workers })
	// All others wait at the server, also after another message has been handled.
	release <- struct{}{}
	eventually.WaitFor(t, "the next message", func() bool { return len(started) == eventbus.Workers+1 })
	info, err := consumer.Info(t.Context())
	require.NoError(t, err)
	if info.NumAckPending > eventbus.Workers || info.NumPending != uint64(messages-len(started)) {
		t.Errorf("%d messages are held and %d wait at the server, want %d and %d",
			info.NumAckPending, info.NumPending, eventbus.Workers, messages-eventbus.Workers-1)
	}
	close(release)
	natstest.AwaitSettled(t, b.js, event.RecordsMaps)
	close(started)
	handled := map[string]int{}
	for id := range started {
		handled[id]++
	}
	if len(handled) != messages {
		t.Errorf("%d messages were handled, want %d", len(handled), messages)
	}
}
