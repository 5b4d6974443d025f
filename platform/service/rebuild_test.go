package service

import (
	"errors"
	"testing"

	"capzone.dev/devstack/pgtest"
)

func TestExclusively(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	nothing := func() error { return nil }
	err := exclusively(t.Context(), pool, func() error {
		if err := exclusively(t.Context(), pool, nothing); !errors.Is(err, errRebuilding) {
			t.Errorf("meanwhile: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := exclusively(t.Context(), pool, nothing); err != nil {
		t.Errorf("right afterwards: %v", err)
	}
}
