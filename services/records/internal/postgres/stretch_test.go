package postgres

import "testing"

func TestStretchesCoverAllTimesInOrder(t *testing.T) {
	t.Parallel()
	const day = 24 * 60 * 60 * 1000
	count, last := 0, -1
	for time := 1; time <= day; time++ {
		start := stretchOf(time)
		if start > time || stretchOf(start) != start || start < last {
			t.Fatalf("%d ms lie in the stretch of %d, after that of %d", time, start, last)
		}
		if 64*(time-start) >= time {
			t.Fatalf("the stretch of %d ms begins at %d, too far before", time, start)
		}
		if start != last {
			count++
		}
		last = start
	}
	if count > 1500 {
		t.Errorf("there are %d stretches", count)
	}
}
