// Package boundedmap is a map for what may be forgotten: it holds a bounded number
// of entries, and where one more comes it begins anew.
package boundedmap

import "sync"

// Map may be used by several goroutines. The zero value is empty and ready to use.
type Map[K comparable, V any] struct {
	mu sync.Mutex
	of map[K]V
}

// Get returns what was put under the key, unless it was forgotten.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok = m.of[key]
	return value, ok
}

// Put keeps a value, one of at most so many. Where there are as many others, it
// forgets them all.
func (m *Map[K, V]) Put(key K, value V, most int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.of[key]; m.of == nil || !known && len(m.of) >= most {
		m.of = map[K]V{}
	}
	m.of[key] = value
}

// Len is how many entries there are.
func (m *Map[K, V]) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.of)
}
