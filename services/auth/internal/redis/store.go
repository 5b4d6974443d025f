// Package redis stores verification sessions and counts rooms per address in Redis. Every operation
// touches one key, so that it works on a Redis Cluster.
package redis

import (
	"time"

	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/platform/ratelimit"
)

// Timeout is how long a call of Redis takes at most: a player does not wait longer for an answer.
const Timeout = time.Second

// Store implements login.Sessions, login.ActiveSessions and login.Limiter.
type Store struct {
	client goredis.UniversalClient
	rooms  *ratelimit.Limit
	now    func() time.Time
}

// NewStore returns the store on client. An address may have perHour counted rooms in an hour.
func NewStore(client goredis.UniversalClient, perHour int, now func() time.Time) *Store {
	return &Store{client, ratelimit.New(client, "capzone:login:rooms", perHour, time.Hour), now}
}
