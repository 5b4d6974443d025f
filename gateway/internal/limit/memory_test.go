package limit

import (
	"runtime"
	"strconv"
	"testing"
	"time"

	"capzone.dev/devstack/require"
)

// Not parallel, because it measures the memory of the whole process.
func TestLocal_memory(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	requests := newLocal(600, time.Hour, time.Now)
	for i := range 150_000 {
		require.NoError(t, requests.Allow("2001:db8:"+strconv.FormatInt(int64(i), 16)+"::/64"))
	}
	if took := int64(heap()) - int64(before); took > 32<<20 {
		t.Errorf("the limit takes %d MiB", took>>20)
	}
	runtime.KeepAlive(requests)
}
