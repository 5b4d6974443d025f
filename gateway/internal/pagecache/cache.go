// Package pagecache keeps answers that are the same for everybody, for as long
// as they are true.
//
// A page carries the tags of what is on it. When a tag changes, every page with
// it is dropped, and what was asked of a service before is not kept any more: a
// fetch that began before the change never becomes a page after it, and is never
// given to who asks after it. Whether a service's pages may be shown at all is
// decided by who hears of the changes (package freshness).
package pagecache

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
)

// Cache keeps the pages of all services within one bound.
type Cache struct {
	pages *otter.Cache[string, *Page]
	index index
	seed  maphash.Seed
	began time.Time // what times are measured from

	// mu puts changes, the beginnings of fetches and what they bring in one order.
	mu      sync.Mutex
	journal journal
	flights map[string]*flight
	spaces  []*Space
}

// New returns a cache of about so many bytes. A page is kept for maxAge at most,
// although nothing is heard of it: the last net under all others.
func New(maxBytes int64, maxAge time.Duration) (*Cache, error) {
	c := &Cache{
		index: newIndex(), seed: maphash.MakeSeed(), began: time.Now(),
		journal: newJournal(journalLength), flights: map[string]*flight{},
	}
	var err error
	c.pages, err = otter.New(&otter.Options[string, *Page]{
		MaximumWeight:    uint64(max(maxBytes, 0)),
		Weigher:          weigh,
		ExpiryCalculator: otter.ExpiryWriting[string, *Page](maxAge),
		OnAtomicDeletion: func(e otter.DeletionEvent[string, *Page]) { c.index.remove(e.Value) },
	})
	return c, err
}

// Close ends what the cache does in the background.
func (c *Cache) Close() { c.pages.StopAllGoroutines() }

// Space holds the pages of one service.
type Space struct {
	cache *Cache
	name  string
	// freshUntil is when its pages may not be shown any more, counted from cache.began.
	freshUntil atomic.Int64
	// lastChange is the number of the last change of anything, guarded by cache.mu.
	lastChange uint64
}

// Space returns the space of a service. Its pages are not shown until
// FreshUntil says so.
func (c *Cache) Space(name string) *Space {
	s := &Space{cache: c, name: name}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spaces = append(c.spaces, s)
	return s
}

// FreshUntil sets until when every change of the service's pages is known to be
// heard. The zero time means that it is not.
func (s *Space) FreshUntil(t time.Time) {
	if t.IsZero() {
		s.freshUntil.Store(0)
		return
	}
	s.freshUntil.Store(int64(t.Sub(s.cache.began)))
}

// Fresh tells whether pages may be shown and kept.
func (s *Space) Fresh() bool { return int64(time.Since(s.cache.began)) < s.freshUntil.Load() }

// Get returns the kept page of a key, or nil.
func (s *Space) Get(key string) *Page {
	page, ok := s.cache.pages.GetIfPresent(key)
	if !ok || page.gone.Load() || !s.Fresh() {
		return nil
	}
	return page
}

// Changed drops every page that shows one of the tags, now and when a fetch that
// began before brings it.
func (s *Space) Changed(tags []string) {
	if len(tags) == 0 {
		return
	}
	hashes := s.hash(tags)
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	s.lastChange = c.journal.note(hashes)
	for _, hash := range hashes {
		for _, key := range c.index.keys(hash) {
			c.pages.Invalidate(key)
		}
	}
}

// hash returns the tags as they are kept. Two that came to the same would be
// dropped together, which does no harm.
func (s *Space) hash(tags []string) []uint64 {
	hashes := make([]uint64, len(tags))
	for i, tag := range tags {
		var h maphash.Hash
		h.SetSeed(s.cache.seed)
		_, _ = h.WriteString(s.name)
		_ = h.WriteByte('/')
		_, _ = h.WriteString(tag)
		hashes[i] = h.Sum64()
	}
	return hashes
}
