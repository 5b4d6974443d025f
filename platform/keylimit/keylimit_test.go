package keylimit

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestLimit_Begin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := New(2)
		begin := func(key string) func() {
			end, err := l.Begin(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			return end
		}
		ends := []func(){begin("greedy"), begin("greedy"), begin("other")}
		began := false
		go func() {
			end := begin("greedy")
			began = true
			end()
		}()
		synctest.Wait()
		if began {
			t.Error("a third of a key began beside two others")
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := l.Begin(canceled, "greedy"); !errors.Is(err, context.Canceled) {
			t.Errorf("Begin returned %v, want %v", err, context.Canceled)
		}
		for _, end := range ends {
			end()
		}
		synctest.Wait()
		if !began || len(l.keys) != 0 {
			t.Errorf("the third has begun: %t; keys that are kept: %v", began, l.keys)
		}
	})
}
