package boundedmap_test

import (
	"sync"
	"testing"

	"capzone.dev/platform/boundedmap"
)

func TestAFullMapBeginsAnew(t *testing.T) {
	t.Parallel()
	var m boundedmap.Map[string, int]
	m.Put("a", 1, 2)
	m.Put("b", 2, 2)
	m.Put("b", 3, 2) // is no other
	for key, want := range map[string]int{"a": 1, "b": 3} {
		if got, ok := m.Get(key); !ok || got != want {
			t.Errorf("%s is %d (%t), want %d", key, got, ok, want)
		}
	}
	m.Put("c", 4, 2)
	if got, ok := m.Get("c"); !ok || got != 4 {
		t.Errorf("the newest is %d (%t), want 4", got, ok)
	}
	for _, key := range []string{"a", "b"} {
		if got, ok := m.Get(key); ok {
			t.Errorf("%s is still %d", key, got)
		}
	}
}

func TestSeveralUseItAtOnce(t *testing.T) {
	t.Parallel()
	var m boundedmap.Map[int, int]
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 1000 {
				m.Put(n%20, n%20, 10)
				if got, ok := m.Get((n + i) % 20); ok && got != (n+i)%20 {
					t.Errorf("%d lies under %d", got, (n+i)%20)
				}
			}
		})
	}
	all.Wait()
	if n := m.Len(); n < 1 || n > 10 {
		t.Errorf("there are %d entries, want 1 to 10", n)
	}
}
