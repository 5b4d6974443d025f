package pagecache_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// The bound is what operators plan their memory by. Not parallel: it measures the heap.
func TestThePagesTakeTheMemoryThatIsSaid(t *testing.T) {
	const bound = 16 << 20
	before := heap()
	cache := newCache(t, bound)
	s := fresh(cache.Space("records"))
	for i := range 10_000 { // three times as many as fit
		tags := []string{fmt.Sprint("map:", i)}
		for player := range 10 {
			tags = append(tags, fmt.Sprint("player:", i*7+player))
		}
		load(t, s, fmt.Sprint("/api/v1/records?map=", i), page(strings.Repeat("x", 2000)+fmt.Sprint(i), strings.Join(tags, " ")))
	}
	taken := heap() - before
	t.Logf("pages of %.1f MiB take %.1f MiB", metric(t, cache, "gateway_pages_bytes")/(1<<20), taken/(1<<20))
	if taken > 1.25*bound {
		t.Errorf("a cache of %d MiB takes %.1f MiB", bound>>20, taken/(1<<20))
	}
	runtime.KeepAlive(cache)
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
