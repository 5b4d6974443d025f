package gameroom

import (
	"testing"
	"time"
)

func TestPauses_grows_until_a_success(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := newPauses(BackoffLimits{Initial: 4 * time.Second, Max: 30 * time.Second})
	if left := b.left(now); left > 0 {
		t.Errorf("a pause of %s before the first failure", left)
	}
	for i, most := range []time.Duration{4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second,
		30 * time.Second} {
		now = now.Add(time.Minute)
		b.failed(now, now, time.Hour)
		if left := b.left(now); left < most/2 || left > most {
			t.Errorf("after failure %d a pause of %s, want half to all of %s", i+1, left, most)
		}
	}
	if left := b.left(now.Add(30 * time.Second)); left > 0 {
		t.Errorf("%s are left after the end of the pause", left)
	}
	b.worked()
	b.failed(now.Add(-time.Second), now, time.Hour)
	if left := b.left(now); left > 4*time.Second {
		t.Errorf("after a success the first pause is %s", left)
	}
}

func TestPauses_is_random(t *testing.T) {
	t.Parallel()
	now, seen := time.Now(), map[time.Duration]bool{}
	for range 20 {
		b := newPauses(BackoffLimits{Initial: time.Minute, Max: time.Hour})
		b.failed(now, now, time.Hour)
		seen[b.left(now)] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d different pauses of 20", len(seen))
	}
}
