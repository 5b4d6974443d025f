package redis

import (
	"context"
	"fmt"
	"slices"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/services/auth/internal/login"
)

// activeLifetime is longer than a session can be under way.
const activeLifetime = login.NetworkTimeout + login.QueueTimeout + login.Lifetime

// The sessions of an address are a hash of "number time" by session: the number of its arrival, and when its browser
// has last asked, in milliseconds. The field "arrivals" has the last number.
func addressKey(address string) string { return "capzone:login:active:" + address }

// touchScript stores that a session (ARGV[1]) is asked for at a time (ARGV[2]). A new one is added to at most ARGV[3]
// others. It returns the hash without the last number.
var touchScript = goredis.NewScript(`
	local number = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^%d+')
	if not number and redis.call('HLEN', KEYS[1]) <= tonumber(ARGV[3]) then
		number = redis.call('HINCRBY', KEYS[1], 'arrivals', 1)
	end
	if number then
		redis.call('HSET', KEYS[1], ARGV[1], number .. ' ' .. ARGV[2])
		redis.call('PEXPIRE', KEYS[1], ARGV[4])
	end
	return redis.call('HGETALL', KEYS[1])`)

// Touch implements login.ActiveSessions.
func (s *Store) Touch(
	ctx context.Context, address, session string, most int, at time.Time,
) ([]login.ActiveSession, error) {
	pairs, err := touchScript.Run(ctx, s.client, []string{addressKey(address)},
		session, at.UnixMilli(), most, activeLifetime.Milliseconds()).StringSlice()
	if err != nil {
		return nil, unavailable("touch session", session, err)
	}
	type arrival struct {
		login.ActiveSession
		number int64
	}
	var arrivals []arrival
	for pair := range slices.Chunk(pairs, 2) {
		var number, askedAt int64
		if _, err := fmt.Sscan(pair[1], &number, &askedAt); err == nil {
			arrivals = append(arrivals, arrival{login.ActiveSession{
				Session: pair[0], AskedAt: time.UnixMilli(askedAt),
			}, number})
		}
	}
	slices.SortFunc(arrivals, func(a, b arrival) int { return int(a.number - b.number) })
	active := make([]login.ActiveSession, len(arrivals))
	for i, a := range arrivals {
		active[i] = a.ActiveSession
	}
	return active, nil
}

// Release implements login.ActiveSessions.
func (s *Store) Release(ctx context.Context, address, session string) error {
	err := s.client.HDel(ctx, addressKey(address), session).Err()
	return unavailable("release session", session, err)
}

// Check implements login.Limiter.
func (s *Store) Check(ctx context.Context, address string) error {
	retryAfter, err := s.rooms.Check(ctx, address)
	if err == nil && retryAfter > 0 {
		return login.ErrTooManyRooms.WithRetryAfter(retryAfter)
	}
	return unavailable("check the rooms of", address, err)
}

// Count implements login.Limiter.
func (s *Store) Count(ctx context.Context, address string) error {
	_, err := s.rooms.Allow(ctx, address)
	return unavailable("count a room of", address, err)
}
