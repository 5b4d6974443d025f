package gameroom

import (
	"testing"
	"time"
)

func TestPausesGrowUntilSomethingWorks(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := backoff{limits: BackoffLimits{Initial: 4 * time.Second, Max: 30 * time.Second}}
	if left := b.left(now); left > 0 {
		t.Errorf("a pause of %s before anything failed", left)
	}
	for i, most := range []time.Duration{4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second} {
		b.failed(now)
		if left := b.left(now); left < most/2 || left > most {
			t.Errorf("after failure %d a pause of %s, want half to all of %s", i+1, left, most)
		}
	}
	if left := b.left(now.Add(30 * time.Second)); left > 0 {
		t.Errorf("%s are left of a pause that is over", left)
	}
	b.worked()
	b.failed(now)
	if left := b.left(now); left > 4*time.Second {
		t.Errorf("after a success the limits go on with %s", left)
	}
}

func TestPausesDiffer(t *testing.T) {
	t.Parallel()
	now, seen := time.Now(), map[time.Duration]bool{}
	for range 20 {
		b := backoff{limits: BackoffLimits{Initial: time.Minute, Max: time.Hour}}
		b.failed(now)
		seen[b.left(now)] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d different limits of 20", len(seen))
	}
}

func TestAQuotaHoldsForEveryMinute(t *testing.T) {
	t.Parallel()
	start := time.Now()
	q := quota{limit: 2}
	for _, step := range []struct {
		after, wait time.Duration
	}{
		{0, 0},
		{20 * time.Second, 0},
		{30 * time.Second, 30 * time.Second},
		{59 * time.Second, time.Second},
		{60 * time.Second, 0},
		{61 * time.Second, 19 * time.Second},
		{80 * time.Second, 0},
		{10 * time.Minute, 0},
	} {
		if wait := q.take(start.Add(step.after)); wait != step.wait {
			t.Errorf("after %s: wait %s, want %s", step.after, wait, step.wait)
		}
	}
	if len(q.taken) != 1 {
		t.Errorf("%d moments are remembered", len(q.taken))
	}
}

func TestTheLobbysMap(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Capzone", "An 'odd' <name> ジ"} {
		if encoded, err := LobbyMap(name); err != nil || encoded == "" {
			t.Errorf("%s: %q %v", name, encoded, err)
		}
	}
}
