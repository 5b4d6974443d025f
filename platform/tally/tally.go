// Package tally remembers, in one process, how many rows searches have found.
//
// A total that has to be counted may be told again for a moment, so that it is
// not counted for each page and each visitor. Any older one still tells which
// way to a page is short.
package tally

import (
	"sync"
	"time"
)

const (
	// FreshFor is how old a total may be that is told to somebody.
	FreshFor = 5 * time.Second
	// most bounds the memory: past it, everything is forgotten.
	most = 1000
)

// Totals remembers totals by what was searched. The zero value is empty and ready
// to use, by several goroutines.
type Totals struct {
	mu sync.Mutex
	of map[string]counted
}

type counted struct {
	total int64
	at    time.Time
}

// Fresh returns a total that may be told at the time now.
func (t *Totals) Fresh(search string, now time.Time) (total int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.of[search]
	return c.total, ok && now.Sub(c.at) < FreshFor
}

// Last returns the last known total, however old.
func (t *Totals) Last(search string) (total int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.of[search]
	return c.total, ok
}

// Put notes a total that was counted at the time now.
func (t *Totals) Put(search string, total int64, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.of[search]; t.of == nil || !known && len(t.of) >= most {
		t.of = map[string]counted{}
	}
	t.of[search] = counted{total, now}
}
