package httpserve

import (
	"context"
	"errors"
	"testing"

	"capzone.dev/devstack/require"
)

// A player's fourth upload waits for one of the first three.
func TestUploadLimit_begin(t *testing.T) {
	t.Parallel()
	l := newUploadLimit(uploadBytes)
	for range uploadsPerPlayer {
		u, err := l.begin(t.Context(), "greedy")
		require.NoError(t, err)
		defer u.end()
		defer u.end() // without effect
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.begin(canceled, "greedy"); !errors.Is(err, context.Canceled) {
		t.Errorf("begin returned %v, want %v", err, context.Canceled)
	}
}

// Small parts are read also where the memory for large ones is used up, and memory is given back.
func TestUpload_readAll(t *testing.T) {
	t.Parallel()
	l := newUploadLimit(512 << 10)
	read := func(size int) (*upload, error) {
		u, err := l.begin(t.Context(), "player")
		require.NoError(t, err)
		data, err := u.readAll(zeros{}, size)
		if err == nil && len(data) != size {
			t.Errorf("read %d bytes of %d", len(data), size)
		}
		return u, err
	}
	large, err := read(200 << 10)
	require.NoError(t, err)
	refused, err := read(200 << 10)
	if !errors.Is(err, errUploadsBusy) {
		t.Errorf("a second large part: %v, want errUploadsBusy", err)
	}
	if _, err := read(freePart - 1); err != nil {
		t.Errorf("a small part: %v", err)
	}
	large.end()
	refused.end()
	if _, err := read(200 << 10); err != nil {
		t.Errorf("a large part after the others: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
