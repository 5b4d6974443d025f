package cache

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
)

// purgeAgainAfter is how long after an event its keys are purged again. A service whose copy follows the same event
// may have answered from the old copy in between.
const purgeAgainAfter = time.Second

// Subscribe purges the surrogate keys of the services' events until the connection is closed. Events can be lost
// while it is interrupted, so everything is purged afterwards.
func Subscribe(nc *nats.Conn, c *Cache, log *slog.Logger) error {
	for _, subject := range event.Gateway.Subscribes {
		_, err := nc.Subscribe(subject, func(msg *nats.Msg) {
			keys, err := keysOf(msg.Subject, msg.Data)
			if err != nil {
				log.Warn("event cannot be read, everything is purged", "subject", msg.Subject, "error", err)
				keys = []httpserve.SurrogateKey{allKey}
			}
			c.Purge(keys...)
			time.AfterFunc(purgeAgainAfter, func() { c.Purge(keys...) })
		})
		if err != nil {
			return fmt.Errorf("subscribe to %s: %w", subject, err)
		}
	}
	connected := nc.StatusChanged(nats.CONNECTED)
	go func() {
		for range connected {
			c.PurgeAll()
		}
	}()
	return nil
}

// keysOf returns the surrogate keys of what an event changes. Some events change nothing that a response shows.
func keysOf(subject string, data []byte) ([]httpserve.SurrogateKey, error) {
	for _, rule := range rules {
		if rule.subject != subject && (!strings.HasSuffix(rule.subject, ".") || !strings.HasPrefix(subject, rule.subject)) {
			continue
		}
		var envelope event.Envelope
		if err := json.Unmarshal(data, &envelope); err != nil {
			return nil, err
		}
		return rule.keys(envelope)
	}
	return nil, nil
}

// rule maps an event to the surrogate keys of what it changes. A subject that ends with a dot is a prefix.
type rule struct {
	subject string
	keys    func(event.Envelope) ([]httpserve.SurrogateKey, error)
}

func newRule[Payload any](subject string, keys func(Payload) []httpserve.SurrogateKey) rule {
	return rule{subject, func(envelope event.Envelope) ([]httpserve.SurrogateKey, error) {
		payload, err := event.Decode[Payload](envelope)
		if err != nil {
			return nil, err
		}
		return keys(payload), nil
	}}
}

// all are the keys of rare events that change more responses than their payload names.
var all = []httpserve.SurrogateKey{allKey}

// rules are the events that change responses.
var rules = []rule{
	newRule(event.PlayerStatePrefix, func(s event.PlayerState) []httpserve.SurrogateKey {
		if s.Removed { // the player's maps and records are another player's now
			return all
		}
		return []httpserve.SurrogateKey{
			httpserve.PlayerKey(s.ID), httpserve.PlayersKey, httpserve.MapsByAuthorKey, httpserve.StatsKey,
		}
	}),
	newRule(event.MapStatePrefix, func(s event.MapState) []httpserve.SurrogateKey {
		if s.Removed { // with all of its records
			return all
		}
		return []httpserve.SurrogateKey{
			httpserve.MapKey(s.ID), httpserve.PlayerKey(s.AuthorID), httpserve.PlayerKey(s.SubmittedByID),
			httpserve.MapsKey, httpserve.StatsKey,
		}
	}),
	newRule(event.MapStatsPrefix, func(s event.MapStats) []httpserve.SurrogateKey {
		return []httpserve.SurrogateKey{httpserve.MapKey(s.MapID), httpserve.MapsByRecordsKey}
	}),
	newRule(event.PlayerStatsPrefix, func(s event.PlayerStats) []httpserve.SurrogateKey {
		return []httpserve.SurrogateKey{httpserve.PlayerKey(s.PlayerID)}
	}),
	newRule(event.RecordSubmittedSubject, func(f event.RecordSubmitted) []httpserve.SurrogateKey {
		return recordKeys(f.MapID, f.PlayerID)
	}),
	newRule(event.RecordRemovedSubject, func(f event.RecordRemoved) []httpserve.SurrogateKey {
		return recordKeys(f.MapID, f.PlayerID)
	}),
	newRule(event.RecordRestoredSubject, func(f event.RecordRestored) []httpserve.SurrogateKey {
		return recordKeys(f.MapID, f.PlayerID)
	}),
	newRule(event.RecordsHiddenSubject, func(event.RecordsHidden) []httpserve.SurrogateKey { return all }),
	newRule(event.RecordsShownSubject, func(event.RecordsShown) []httpserve.SurrogateKey { return all }),
	newRule(event.MapReassignedSubject, func(f event.MapReassigned) []httpserve.SurrogateKey {
		return []httpserve.SurrogateKey{
			httpserve.MapKey(f.MapID), httpserve.PlayerKey(f.OldAuthorID), httpserve.PlayerKey(f.NewAuthorID), httpserve.MapsKey,
		}
	}),
	newRule(event.MapRemovedSubject, func(event.MapRemoved) []httpserve.SurrogateKey { return all }),
	newRule(event.MapRestoredSubject, func(event.MapRestored) []httpserve.SurrogateKey { return all }),
	newRule(event.PlayerMergedSubject, func(event.PlayerMerged) []httpserve.SurrogateKey { return all }),
}

func recordKeys(mapID, playerID string) []httpserve.SurrogateKey {
	return []httpserve.SurrogateKey{
		httpserve.MapKey(mapID), httpserve.PlayerKey(playerID), httpserve.RecordsKey, httpserve.StatsKey,
	}
}

// Purge makes all responses stale that have one of the keys, also those that are being fetched.
func (c *Cache) Purge(keys ...httpserve.SurrogateKey) {
	if len(keys) > 0 {
		c.purges.purge(keys)
	}
}

// PurgeAll makes all responses stale.
func (c *Cache) PurgeAll() { c.Purge(allKey) }

// maxPurgedKeys bounds the memory of the purge log. One entry takes about 100 bytes.
const maxPurgedKeys = 1 << 16

// allKey is the key that all responses have.
const allKey httpserve.SurrogateKey = "*"

// purgeLog numbers the purges and remembers the last one of each key, so that responses that were fetched before it
// are recognised when they are stored or looked up.
type purgeLog struct {
	// number is the number of the last purge.
	number atomic.Uint64

	mu   sync.RWMutex
	last map[httpserve.SurrogateKey]uint64
	// oldestKnown is the number of the last purge that is no longer in last. Responses from before it count as purged.
	oldestKnown uint64
}

// purge records a purge of keys.
func (l *purgeLog) purge(keys []httpserve.SurrogateKey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	number := l.number.Load() + 1
	for _, key := range keys {
		l.last[key] = number
		if key == allKey {
			l.oldestKnown = number
		}
	}
	if len(l.last) > maxPurgedKeys {
		l.oldestKnown = number
	}
	if l.oldestKnown == number {
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
	if number < l.oldestKnown {
		return true
	}
	for _, key := range keys {
		if l.last[key] > number {
			return true
		}
	}
	return false
}
