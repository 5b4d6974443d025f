package pagecache

import "sync"

// index knows which pages carry a tag: for each tag a ring of links, so that a
// page is put in and taken out without a search. Its lock is taken last.
type index struct {
	mu    sync.Mutex
	rings map[uint64]*link
}

// link is a page's place in the ring of one of its tags.
type link struct {
	tag        uint64
	page       *Page
	prev, next *link
}

func newIndex() index { return index{rings: map[uint64]*link{}} }

// add puts a page in under its key and tags.
func (x *index) add(page *Page, key string, tags []uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	page.key = key
	page.links = make([]link, len(tags))
	for i, tag := range tags {
		l := &page.links[i]
		*l = link{tag: tag, page: page, prev: l, next: l}
		if first := x.rings[tag]; first != nil {
			l.prev, l.next = first.prev, first
			first.prev.next, first.prev = l, l
		} else {
			x.rings[tag] = l
		}
	}
}

// remove takes a page out.
func (x *index) remove(page *Page) {
	x.mu.Lock()
	defer x.mu.Unlock()
	page.gone.Store(true)
	for i := range page.links {
		l := &page.links[i]
		switch {
		case l.next == l:
			delete(x.rings, l.tag)
		case x.rings[l.tag] == l:
			x.rings[l.tag] = l.next
		}
		l.prev.next, l.next.prev = l.next, l.prev
	}
	page.links = nil
}

// keys returns the keys of the pages that carry a tag.
func (x *index) keys(tag uint64) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	first := x.rings[tag]
	if first == nil {
		return nil
	}
	keys := []string{first.page.key}
	for l := first.next; l != first; l = l.next {
		keys = append(keys, l.page.key)
	}
	return keys
}
