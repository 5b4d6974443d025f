package chaos

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// class is a kind of request.
type class string

const (
	mapPages    class = "map pages"
	recordPages class = "record pages"
	playerPages class = "player pages"
	files       class = "files"
	submissions class = "record submissions"
	newMaps     class = "map submissions"
	logins      class = "logins"
	refreshes   class = "token refreshes"
	inboxes     class = "inboxes"
)

var classes = []class{mapPages, recordPages, playerPages, files, submissions, newMaps, logins, refreshes, inboxes}

// tally counts the outcomes of requests, by class.
type tally struct {
	mu   sync.Mutex
	each map[class]*count
	// lastBad is when the last request began that was not served.
	lastBad time.Time
}

type count struct {
	served int
	// refused are those answered 503 with Retry-After.
	refused int
	// failed are all others.
	failed int
	// examples are the first few that were refused or failed.
	examples []string
	// streak counts those served in a row, of those that began after the latest mark.
	streak int
	since  time.Time
}

const examples = 4

func newTally() *tally {
	t := &tally{each: map[class]*count{}}
	for _, c := range classes {
		t.each[c] = &count{}
	}
	return t
}

// note counts a request. Its error is nil for one that was served.
func (t *tally) note(c class, began time.Time, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	count := t.each[c]
	switch {
	case err == nil:
		count.served++
		if began.After(count.since) {
			count.streak++
		}
		return
	case isRefusal(err):
		count.refused++
	default:
		count.failed++
	}
	count.streak = 0
	if began.After(t.lastBad) {
		t.lastBad = began
	}
	if len(count.examples) < examples {
		count.examples = append(count.examples, err.Error())
	}
}

// mark begins the streaks anew.
func (t *tally) mark() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, count := range t.each {
		count.streak, count.since = 0, time.Now()
	}
}

// reset forgets all counts.
func (t *tally) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.each {
		t.each[c] = &count{}
	}
	t.lastBad = time.Time{}
}

// recovered reports whether inARow requests of every class were served one after the other since the mark.
func (t *tally) recovered(inARow int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, count := range t.each {
		if count.streak < inARow {
			return false
		}
	}
	return true
}

// failing names the classes that have not recovered.
func (t *tally) failing(inARow int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var names []string
	for _, c := range classes {
		if count := t.each[c]; count.streak < inARow {
			names = append(names, fmt.Sprintf("%s (%s)", c, strings.Join(count.examples, "; ")))
		}
	}
	return strings.Join(names, ", ")
}

func (c count) share() float64 {
	all := c.served + c.refused + c.failed
	if all == 0 {
		return 0
	}
	return float64(c.served) / float64(all)
}

// shares are how much of each class must be served at least; what is not named may all be refused.
type shares map[class]float64

// all is everything but some classes.
func all(but ...class) shares {
	s := shares{}
	for _, c := range classes {
		if !slices.Contains(but, c) {
			s[c] = 1
		}
	}
	return s
}

// check compares the counts with what is wanted. Requests of classes outside mayFail are served or refused.
func (t *tally) check(tb testing.TB, want shares, refused, mayFail []class) {
	tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range classes {
		got := t.each[c]
		if got.share() < want[c] {
			tb.Errorf("%s: %.2f %% were served, want %.2f %%: %s", c, 100*got.share(), 100*want[c],
				strings.Join(got.examples, "; "))
		}
		if got.refused == 0 && slices.Contains(refused, c) {
			tb.Errorf("%s: no request was refused, so the fault had no effect", c)
		}
		if got.failed > 0 && !slices.Contains(mayFail, c) {
			tb.Errorf("%s: %d requests failed: %s", c, got.failed, strings.Join(got.examples, "; "))
		}
	}
}

// until returns how long after a moment the last request began that was not served, 0 where all were.
func (t *tally) until(from time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(0, t.lastBad.Sub(from))
}

// String is a row of a table: the share of each class.
func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var row []string
	for _, c := range classes {
		got := t.each[c]
		row = append(row, fmt.Sprintf("%s %.1f %% of %d", c, 100*got.share(), got.served+got.refused+got.failed))
	}
	return strings.Join(row, ", ")
}
