package tally

import (
	"strconv"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestATotalIsToldForAMoment(t *testing.T) {
	t.Parallel()
	var totals Totals
	if _, ok := totals.Last("runner"); ok {
		t.Error("something was known before")
	}
	totals.Put("runner", 5000, noon)
	for _, tt := range []struct {
		after time.Duration
		fresh bool
	}{{0, true}, {FreshFor - 1, true}, {FreshFor, false}} {
		if total, fresh := totals.Fresh("runner", noon.Add(tt.after)); fresh != tt.fresh || fresh && total != 5000 {
			t.Errorf("after %s: %d, fresh %v", tt.after, total, fresh)
		}
	}
	if total, ok := totals.Last("runner"); !ok || total != 5000 {
		t.Errorf("the last known total is %d, %v", total, ok)
	}
}

func TestTheMemoryIsBounded(t *testing.T) {
	t.Parallel()
	var totals Totals
	for i := range 3 * most {
		totals.Put(strconv.Itoa(i), 1, noon)
		totals.Put("again and again", int64(i), noon)
	}
	if totals.of.Len() > most {
		t.Errorf("%d totals are in memory", totals.of.Len())
	}
	if total, _ := totals.Last("again and again"); total != 3*most-1 {
		t.Errorf("the total noted last is %d", total)
	}
}
