package httpserve

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"capzone.dev/devstack/require"
)

// A player's fourth upload waits for one of the first three.
func TestUploadLimit_begin(t *testing.T) {
	t.Parallel()
	l := newUploadLimit(uploadBytes)
	for range uploadsPerPlayer {
		end, err := l.begin(t.Context(), "greedy", 0)
		require.NoError(t, err)
		defer end()
		defer end() // without effect
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.begin(canceled, "greedy", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("begin returned %v, want %v", err, context.Canceled)
	}
}

// Small uploads begin also where the memory for large ones is used up, and memory is given back.
func TestUploadLimit_begin_memory(t *testing.T) {
	t.Parallel()
	l := newUploadLimit(512 << 10)
	wanted := []FormPart{{Name: "replayFile", Max: 300 << 10}, {Name: "map", Max: 100 << 10}}
	begin := func(bodySize int64) (func(), error) {
		return l.begin(t.Context(), "player", memoryOf(&http.Request{ContentLength: bodySize}, wanted))
	}
	large, err := begin(9 << 20) // of which 400 KiB may be kept
	require.NoError(t, err)
	for _, bodySize := range []int64{300 << 10, -1} {
		if _, err := begin(bodySize); !errors.Is(err, errUploadsBusy) {
			t.Errorf("a second large form, of %d bytes: %v, want errUploadsBusy", bodySize, err)
		}
	}
	small, err := begin(freePart)
	if err != nil {
		t.Errorf("a small form: %v", err)
	}
	small()
	large()
	if _, err := begin(-1); err != nil {
		t.Errorf("a large form after the others: %v", err)
	}
}
