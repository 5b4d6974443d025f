package freshness

import (
	"sync"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/pages"
)

// maxSilence is how long after a replica's last notice the pages of its service
// are still shown. It is four times as long as a replica ever says nothing.
const maxSilence = 4 * pages.NoticeEvery

// Pages are the kept pages of one service.
type Pages interface {
	// Changed drops the pages that show one of the tags.
	Changed(tags []string)
	// FreshUntil sets until when the pages may be shown; the zero time is never.
	FreshUntil(until time.Time)
}

// tracker keeps track of the replicas of one service by their notices, and concludes
// until when its pages are fresh.
type tracker struct {
	pages Pages

	mu       sync.Mutex
	replicas map[string]*replica
	// left are those that said goodbye, as long as anybody still names them.
	left map[string]bool
	// complete is false while it is not known of some replica which it is.
	complete bool
}

// replica is a process of the service.
type replica struct {
	// last is the number of its last notice, 0 before the first.
	last int64
	// heard is when it was last known that nothing of what it told is still on its way.
	heard time.Time
}

func newTracker(p Pages) *tracker {
	return &tracker{pages: p, replicas: map[string]*replica{}, left: map[string]bool{}}
}

var everything = []string{string(pages.Everything)}

// notice takes a notice in. CaughtUp tells that it was the last one that waited.
// Of a replica that is new, and where numbers are missing, it is not known what
// has changed: everything may have.
func (t *tracker) notice(n event.PageNotice, caughtUp bool, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.replicas[n.Replica]
	if r == nil {
		r = &replica{}
		t.replicas[n.Replica] = r
	}
	if r.last == 0 || n.Number != r.last+1 {
		t.pages.Changed(everything)
	} else {
		t.pages.Changed(n.Changed)
	}
	r.last = n.Number
	if caughtUp {
		r.heard = now
	}
	if n.Leaving {
		delete(t.replicas, n.Replica)
		t.left[n.Replica] = true
	}
	t.renew()
}

// expect takes in which replicas there are, as far as they can be asked. One
// that is there and silent keeps the pages from being shown; one that is silent
// and no longer there is forgotten, with what it may have changed without a word.
func (t *tracker) expect(ids []string, complete bool, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	there := map[string]bool{}
	for _, id := range ids {
		there[id] = true
		if t.replicas[id] == nil && !t.left[id] {
			t.replicas[id] = &replica{}
		}
	}
	for id, r := range t.replicas {
		if !there[id] && now.Sub(r.heard) > maxSilence {
			delete(t.replicas, id)
			t.pages.Changed(everything)
		}
	}
	for id := range t.left {
		if !there[id] {
			delete(t.left, id)
		}
	}
	t.complete = complete
	t.renew()
}

// disconnected notes that something may have been said that was not heard, by anybody.
func (t *tracker) disconnected() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.replicas)
	clear(t.left)
	t.complete = false
	t.renew()
	t.pages.Changed(everything)
}

// renew sets until when the pages are fresh: as long as every replica was heard
// just now.
func (t *tracker) renew() {
	if !t.complete || len(t.replicas) == 0 {
		t.pages.FreshUntil(time.Time{})
		return
	}
	var earliest time.Time
	for _, r := range t.replicas {
		if r.heard.IsZero() {
			t.pages.FreshUntil(time.Time{})
			return
		}
		if earliest.IsZero() || r.heard.Before(earliest) {
			earliest = r.heard
		}
	}
	t.pages.FreshUntil(earliest.Add(maxSilence))
}
