package cache

import (
	"sync"
	"sync/atomic"

	"capzone.dev/platform/httpserve"
)

// maxPurgedKeys bounds the memory of the purge log. One entry takes about 100 bytes.
const maxPurgedKeys = 1 << 16

// everything is the key that all responses have.
const everything httpserve.SurrogateKey = "*"

// purgeLog numbers the purges and remembers the last one of each key, so that responses that were fetched before it
// are recognised when they are stored or looked up.
type purgeLog struct {
	// number is the number of the last purge.
	number atomic.Uint64

	mu   sync.RWMutex
	last map[httpserve.SurrogateKey]uint64
	// forgotten is the number of the last purge that is no longer in last. Responses from before it count as purged.
	forgotten uint64
}

// purge records a purge of keys.
func (l *purgeLog) purge(keys []httpserve.SurrogateKey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	number := l.number.Load() + 1
	for _, key := range keys {
		l.last[key] = number
		if key == everything {
			l.forgotten = number
		}
	}
	if len(l.last) > maxPurgedKeys {
		l.forgotten = number
	}
	if l.forgotten == number {
		clear(l.last)
	}
	l.number.Store(number)
}

// purgedSince reports whether one of the keys was purged after the purge of that number.
func (l *purgeLog) purgedSince(number uint64, keys []httpserve.SurrogateKey) bool {
	if number == l.number.Load() {
		return false
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if number < l.forgotten {
		return true
	}
	for _, key := range keys {
		if l.last[key] > number {
			return true
		}
	}
	return false
}
