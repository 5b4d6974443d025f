package eventbus_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

func TestReadFrom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 10 {
		_, err := b.js.Publish(t.Context(), event.MapRemovedSubject, []byte(strconv.Itoa(i+1)))
		require.NoError(t, err)
	}
	stream, err := b.js.Stream(t.Context(), event.FactsStream.Name)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context(), jetstream.WithPurgeSequence(4)))
	for _, tt := range []struct {
		name     string
		subject  string
		sequence uint64
		limit    int
		want     []uint64
	}{
		{"all that are kept", "", 1, 100, []uint64{4, 5, 6, 7, 8, 9, 10}},
		{"the first of them", "", 5, 3, []uint64{5, 6, 7}},
		{"the last", "", 10, 3, []uint64{10}},
		{"none yet", "", 11, 3, nil},
		{"the first on a subject", "facts.v1.map.>", 2, 2, []uint64{4, 5}},
		{"none on a subject", "facts.v1.record.>", 1, 2, nil},
		{"far beyond the last", "", 1 << 62, 3, nil},
	} {
		messages, err := eventbus.ReadFrom(t.Context(), b.nc, event.FactsStream, tt.subject, tt.sequence, tt.limit)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var got []uint64
		for _, m := range messages {
			got = append(got, m.Sequence)
			if m.Subject != event.MapRemovedSubject || string(m.Data) != strconv.FormatUint(m.Sequence, 10) {
				t.Errorf("%s: message %d is %s %s", tt.name, m.Sequence, m.Subject, m.Data)
			}
		}
		assert.Equal(t, tt.name, tt.want, got)
	}
}

func TestReadFrom_large_messages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const count, size = 12, 200 << 10
	for range count {
		_, err := b.js.Publish(t.Context(), event.MapRemovedSubject, []byte(strings.Repeat("x", size)))
		require.NoError(t, err)
	}
	for next := uint64(1); next <= count; {
		messages, err := eventbus.ReadFrom(t.Context(), b.nc, event.FactsStream, "", next, 100)
		if err != nil || len(messages) == 0 || len(messages) > 6 || messages[0].Sequence != next {
			t.Fatalf("from %d: %d messages, %v", next, len(messages), err)
		}
		next += uint64(len(messages))
	}
}

func TestReadFrom_without_the_stream(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.js.DeleteStream(t.Context(), event.FactsStream.Name))
	if messages, err := eventbus.ReadFrom(t.Context(), b.nc, event.FactsStream, "", 1, 10); err == nil {
		t.Errorf("%d messages of a stream that is not there", len(messages))
	}
}
