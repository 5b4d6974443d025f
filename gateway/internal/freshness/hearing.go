package freshness

import (
	"sync"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/pages"
)

// patience is how long after a replica's last notice the pages of its service
// are still shown. It is four times as long as a replica ever says nothing.
const patience = 4 * pages.NoticeEvery

// Pages are the kept pages of one service.
type Pages interface {
	// Changed drops the pages that show one of the tags.
	Changed(tags []string)
	// FreshUntil sets until when the pages may be shown; the zero time is never.
	FreshUntil(t time.Time)
}

// hearing is what is heard of the replicas of one service, and concludes until
// when its pages are fresh.
type hearing struct {
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

func newHearing(p Pages) *hearing {
	return &hearing{pages: p, replicas: map[string]*replica{}, left: map[string]bool{}}
}

var everything = []string{string(pages.Everything)}

// notice takes a notice in. CaughtUp tells that it was the last one that waited.
// Of a replica that is new, and where numbers are missing, it is not known what
// has changed: everything may have.
func (h *hearing) notice(n event.PageNotice, caughtUp bool, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.replicas[n.Replica]
	if r == nil {
		r = &replica{}
		h.replicas[n.Replica] = r
	}
	if r.last == 0 || n.Number != r.last+1 {
		h.pages.Changed(everything)
	} else {
		h.pages.Changed(n.Changed)
	}
	r.last = n.Number
	if caughtUp {
		r.heard = now
	}
	if n.Leaving {
		delete(h.replicas, n.Replica)
		h.left[n.Replica] = true
	}
	h.judge()
}

// expect takes in which replicas there are, as far as they can be asked. One
// that is there and silent keeps the pages from being shown; one that is silent
// and no longer there is forgotten, with what it may have changed without a word.
func (h *hearing) expect(ids []string, complete bool, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	there := map[string]bool{}
	for _, id := range ids {
		there[id] = true
		if h.replicas[id] == nil && !h.left[id] {
			h.replicas[id] = &replica{}
		}
	}
	for id, r := range h.replicas {
		if !there[id] && now.Sub(r.heard) > patience {
			delete(h.replicas, id)
			h.pages.Changed(everything)
		}
	}
	for id := range h.left {
		if !there[id] {
			delete(h.left, id)
		}
	}
	h.complete = complete
	h.judge()
}

// deaf notes that something may have been said that was not heard, by anybody.
func (h *hearing) deaf() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.replicas)
	clear(h.left)
	h.complete = false
	h.judge()
	h.pages.Changed(everything)
}

// judge says until when the pages are fresh: as long as every replica was heard
// just now.
func (h *hearing) judge() {
	if !h.complete || len(h.replicas) == 0 {
		h.pages.FreshUntil(time.Time{})
		return
	}
	var earliest time.Time
	for _, r := range h.replicas {
		if r.heard.IsZero() {
			h.pages.FreshUntil(time.Time{})
			return
		}
		if earliest.IsZero() || r.heard.Before(earliest) {
			earliest = r.heard
		}
	}
	h.pages.FreshUntil(earliest.Add(patience))
}
