// Package tally remembers, in one process, how many rows searches have found.
//
// A total that has to be counted may be told again for a moment, so that it is
// not counted for each page and each visitor. Any older one still tells which
// way to a page is short.
package tally

import (
	"time"

	"capzone.dev/platform/boundedmap"
)

const (
	// FreshFor is how old a total may be that is told to somebody.
	FreshFor = 5 * time.Second
	// most bounds the memory.
	most = 1000
)

// Totals remembers totals by what was searched. The zero value is empty and ready
// to use, by several goroutines.
type Totals struct {
	of boundedmap.Map[string, counted]
}

type counted struct {
	total int64
	at    time.Time
}

// Fresh returns a total that may be told at the time now.
func (t *Totals) Fresh(search string, now time.Time) (total int64, ok bool) {
	c, ok := t.of.Get(search)
	return c.total, ok && now.Sub(c.at) < FreshFor
}

// Last returns the last known total, however old.
func (t *Totals) Last(search string) (total int64, ok bool) {
	c, ok := t.of.Get(search)
	return c.total, ok
}

// Put notes a total that was counted at the time now.
func (t *Totals) Put(search string, total int64, now time.Time) {
	t.of.Put(search, counted{total, now}, most)
}
