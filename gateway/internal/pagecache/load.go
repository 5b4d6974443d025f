package pagecache

import (
	"context"
	"errors"

	"capzone.dev/platform/pages"
)

// Outcome says where a page came from.
type Outcome int

// The outcomes.
const (
	// Hit: it was there.
	Hit Outcome = iota
	// Miss: it was fetched, and is kept if it may be.
	Miss
	// Joined: somebody else was fetching it.
	Joined
	// Unkept: it was fetched while nothing of the service may be kept.
	Unkept
)

// String names the outcome in metrics.
func (o Outcome) String() string { return [...]string{"hit", "miss", "joined", "unkept"}[o] }

// flight is a fetch under way.
type flight struct {
	// began is the number of the last change before it.
	began uint64
	done  chan struct{}
	page  *Page
	err   error
}

// errCutOff is what those get who wait for a fetch that panicked.
var errCutOff = errors.New("the fetch was cut off")

// Load returns the page of a key. One that is not there is fetched, once for all
// who ask while nothing changes. The end of ctx ends the waiting for another's
// fetch; one's own is finished, since others may wait for it.
func (s *Space) Load(ctx context.Context, key string, fetch func() (*Page, error)) (*Page, Outcome, error) {
	page, joined, own := s.begin(key)
	switch {
	case page != nil:
		return page, Hit, nil
	case joined != nil:
		select {
		case <-joined.done:
			return joined.page, Joined, joined.err
		case <-ctx.Done():
			return nil, Joined, ctx.Err()
		}
	}
	defer s.end(key, own)
	own.page, own.err = fetch()
	if !s.Fresh() {
		return own.page, Unkept, own.err
	}
	return own.page, Miss, own.err
}

// begin returns the page, or the fetch that may be waited for, or a new one.
func (s *Space) begin(key string) (page *Page, joined, own *flight) {
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	own = &flight{began: c.journal.number, done: make(chan struct{}), err: errCutOff}
	if !s.Fresh() {
		return nil, nil, own
	}
	if page := s.Get(key); page != nil {
		return page, nil, nil
	}
	// Of what a fetch will bring, the tags are not known yet: any change may be one of its.
	if other := c.flights[key]; other != nil && other.began >= s.lastChange {
		return nil, other, nil
	}
	c.flights[key] = own
	return nil, nil, own
}

// end keeps what a fetch has brought, unless it has changed meanwhile, and lets
// go of those who wait for it.
func (s *Space) end(key string, f *flight) {
	defer close(f.done)
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights[key] == f {
		delete(c.flights, key)
	}
	if f.err != nil || !f.page.kept() || !s.Fresh() {
		return
	}
	tags := s.hash(append(f.page.tags, string(pages.Everything)))
	f.page.tags = nil // the index has them from here on
	if c.journal.changedSince(f.began, tags) {
		return
	}
	c.index.add(f.page, key, tags)
	c.pages.Set(key, f.page)
}
