package freshness

import (
	"slices"
	"testing"
	"time"

	"capzone.dev/platform/event"
)

// noted is what a tracker told the cache.
type noted struct {
	changed []string
	until   time.Time
}

func (n *noted) Changed(tags []string)  { n.changed = append(n.changed, tags...) }
func (n *noted) FreshUntil(t time.Time) { n.until = t }

// dropped tells whether everything was dropped since it was last asked.
func (n *noted) dropped() bool {
	defer func() { n.changed = nil }()
	return slices.Contains(n.changed, "*")
}

var began = time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }

func notice(replica string, number int64, changed ...string) event.PageNotice {
	return event.PageNotice{Replica: replica, Number: number, Changed: changed}
}

// leaving is the second thing that a replica says, and the last.
func leaving(replica string) event.PageNotice {
	return event.PageNotice{Replica: replica, Number: 2, Leaving: true}
}

// trackTwo returns a tracker that has heard two replicas at 0.
func trackTwo() (*tracker, *noted) {
	n := &noted{}
	tr := newTracker(n)
	tr.expect([]string{"a", "b"}, true, at(0))
	tr.notice(notice("a", 1), true, at(0))
	tr.notice(notice("b", 1), true, at(0))
	n.changed = nil
	return tr, n
}

func TestPagesAreFreshAsLongAsEveryReplicaIsHeard(t *testing.T) {
	t.Parallel()
	n := &noted{}
	tr := newTracker(n)
	for _, step := range []struct {
		name  string
		do    func()
		until time.Time
		drops bool
	}{
		{"nobody is there", func() { tr.expect(nil, true, at(0)) }, time.Time{}, false},
		{"one answers health checks and was not heard", func() { tr.expect([]string{"a"}, true, at(0)) }, time.Time{}, false},
		{"it is heard", func() { tr.notice(notice("a", 7), true, at(100)) }, at(1100), true},
		{"and again", func() { tr.notice(notice("a", 8), true, at(350)) }, at(1350), false},
		{"and again, with more that waits to be read", func() { tr.notice(notice("a", 9), false, at(600)) }, at(1350), false},
		{"and that", func() { tr.notice(notice("a", 10), true, at(601)) }, at(1601), false},
		{"a second one is heard", func() { tr.notice(notice("b", 1), true, at(700)) }, at(1601), true},
		{"somebody answers who does not say who it is", func() { tr.expect([]string{"a", "b"}, false, at(700)) }, time.Time{}, false},
		{"it did", func() { tr.expect([]string{"a", "b"}, true, at(800)) }, at(1601), false},
		{"the first one is heard again", func() { tr.notice(notice("a", 11), true, at(900)) }, at(1700), false},
		{"the second one was not heard for a second, and is there", func() { tr.expect([]string{"a", "b"}, true, at(1900)) }, at(1700), false},
		{"it says what it said meanwhile", func() { tr.notice(notice("b", 2), true, at(2000)) }, at(1900), false},
		{"a notice is missing", func() { tr.notice(notice("b", 4), true, at(2100)) }, at(1900), true},
		{"a notice comes twice", func() { tr.notice(notice("b", 4), true, at(2100)) }, at(1900), true},
		{"the connection is lost", tr.disconnected, time.Time{}, true},
		{"it is back, and one is heard of two", func() {
			tr.notice(notice("a", 12), true, at(3000))
			tr.expect([]string{"a", "b"}, true, at(3000))
		}, time.Time{}, true},
		{"both are", func() { tr.notice(notice("b", 5), true, at(3100)) }, at(4000), true},
	} {
		step.do()
		if !n.until.Equal(step.until) {
			t.Errorf("%s: fresh until %s, want %s", step.name, n.until.Format("05.000"), step.until.Format("05.000"))
		}
		if got := n.dropped(); got != step.drops {
			t.Errorf("%s: everything is dropped: %t", step.name, got)
		}
	}
}

func TestAReplicaThatGoes(t *testing.T) {
	t.Parallel()
	t.Run("with a goodbye", func(t *testing.T) {
		t.Parallel()
		tr, n := trackTwo()
		tr.notice(leaving("b"), true, at(100))
		tr.expect([]string{"a", "b"}, true, at(200)) // as the last health check had it
		tr.notice(notice("a", 2), true, at(300))
		if !n.until.Equal(at(1300)) || n.dropped() {
			t.Errorf("fresh until %s", n.until)
		}
		tr.expect([]string{"a"}, true, at(400))
		tr.expect([]string{"a", "b"}, true, at(500)) // it did not go after all
		if !n.until.IsZero() {
			t.Errorf("one that is there and silent does not count: fresh until %s", n.until)
		}
	})
	t.Run("without a word", func(t *testing.T) {
		t.Parallel()
		tr, n := trackTwo()
		tr.expect([]string{"a"}, true, at(500))
		tr.notice(notice("a", 2), true, at(900))
		if !n.until.Equal(at(1000)) || n.dropped() {
			t.Errorf("soon after: fresh until %s", n.until)
		}
		tr.expect([]string{"a"}, true, at(1001))
		if !n.until.Equal(at(1900)) || !n.dropped() {
			t.Errorf("a second after: fresh until %s", n.until)
		}
	})
	t.Run("and the last one", func(t *testing.T) {
		t.Parallel()
		tr, n := trackTwo()
		tr.notice(leaving("a"), true, at(100))
		tr.notice(leaving("b"), true, at(100))
		if !n.until.IsZero() {
			t.Errorf("fresh until %s with nobody there", n.until)
		}
	})
}

func TestWhatChangesIsDropped(t *testing.T) {
	t.Parallel()
	tr, n := trackTwo()
	tr.notice(notice("a", 2, "map:1", "runs"), false, at(10))
	if want := []string{"map:1", "runs"}; !slices.Equal(n.changed, want) {
		t.Errorf("dropped %v, want %v", n.changed, want)
	}
	// An operator's command is heard once, and is no replica.
	tr.notice(notice("command", 1, "*"), true, at(20))
	tr.notice(leaving("command"), true, at(20))
	if !n.dropped() || !n.until.Equal(at(1000)) {
		t.Errorf("after a command fresh until %s", n.until)
	}
}
