package live

import (
	"testing"
	"time"
)

func TestPastPositions(t *testing.T) {
	t.Parallel()
	var past pastPositions
	for second := range 60 {
		now := publishedAt.Add(time.Duration(second) * time.Second)
		past.add(now, uint64(100+second))
		sequence, ok := past.before(now.Add(-settledAfter))
		age := int(settledAfter.Seconds())
		if want := second >= age; ok != want || ok && sequence != uint64(100+second-age) {
			t.Errorf("after %d s: %d, %t", second, sequence, ok)
		}
	}
	if kept := int(settledAfter.Seconds()) + 1; len(past) != kept {
		t.Errorf("%d positions are kept, want %d", len(past), kept)
	}
}
