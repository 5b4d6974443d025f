package cache

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
)

// purgeAgainAfter is how long after an event its keys are purged again. A service whose copy follows the same event
// may have answered from the old copy in between.
const purgeAgainAfter = time.Second

// Subscribe purges what the services' events say has changed, until the connection is closed. Events can be lost
// while it is interrupted, so everything is purged afterwards.
func Subscribe(nc *nats.Conn, c *Cache, log *slog.Logger) error {
	for _, subject := range event.Gateway.Subscribes {
		_, err := nc.Subscribe(subject, func(msg *nats.Msg) {
			keys, err := keysOf(msg.Subject, msg.Data)
			if err != nil {
				log.Warn("event cannot be read, everything is purged", "subject", msg.Subject, "error", err)
				keys = []httpserve.SurrogateKey{everything}
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

// keysOf returns the surrogate keys of what an event changes, none for an event of which no response shows anything.
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

// rule says what an event changes. A subject that ends with a dot is a prefix.
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
var all = []httpserve.SurrogateKey{everything}

// rules is the table of events and what they change.
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
	newRule(event.MapReassignedSubject, func(f event.MapReassigned) []httpserve.SurrogateKey {
		return []httpserve.SurrogateKey{
			httpserve.MapKey(f.MapID), httpserve.PlayerKey(f.OldAuthorID), httpserve.PlayerKey(f.NewAuthorID), httpserve.MapsKey,
		}
	}),
	newRule(event.MapRemovedSubject, func(event.MapRemoved) []httpserve.SurrogateKey { return all }),
	newRule(event.PlayerMergedSubject, func(event.PlayerMerged) []httpserve.SurrogateKey { return all }),
}

func recordKeys(mapID, playerID string) []httpserve.SurrogateKey {
	return []httpserve.SurrogateKey{
		httpserve.MapKey(mapID), httpserve.PlayerKey(playerID), httpserve.RecordsKey, httpserve.StatsKey,
	}
}
