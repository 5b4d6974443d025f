package redis

import (
	"context"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/services/auth/internal/login"
)

// reservationLifetime is longer than a session can be under way.
const reservationLifetime = login.QueueTimeout + login.Lifetime + time.Minute

// The sessions of an address are a sorted set, by the time of their reservation in milliseconds.
func addressKey(address string) string { return "capzone:login:address:" + address }

// reserveScript adds a session (ARGV[1]) at a time (ARGV[2]) unless there are ARGV[3] sessions, after it
// has removed those from before ARGV[4]. It returns whether it was added, and the other sessions with their times.
var reserveScript = goredis.NewScript(`
	redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[4])
	local others = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
	local added = 0
	if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then
		redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
		redis.call('PEXPIRE', KEYS[1], ARGV[5])
		added = 1
	end
	return {added, others}`)

// Reserve implements login.ActiveSessions.
func (s *Store) Reserve(
	ctx context.Context, address, session string,
) (others []login.Reservation, added bool, err error) {
	now := s.now()
	oldest := now.Add(-reservationLifetime).UnixMilli()
	answer, err := reserveScript.Run(ctx, s.client, []string{addressKey(address)},
		session, now.UnixMilli(), s.limits.AtOnce, oldest, reservationLifetime.Milliseconds()).Slice()
	if err != nil {
		return nil, false, unavailable("reserve a room for session", session, err)
	}
	pairs, _ := answer[1].([]any)
	for i := 0; i+1 < len(pairs); i += 2 {
		id, _ := pairs[i].(string)
		score, _ := pairs[i+1].(string)
		at, err := strconv.ParseFloat(score, 64)
		if err != nil {
			return nil, false, unavailable("read the reservation of session", id, err)
		}
		others = append(others, login.Reservation{Session: id, At: time.UnixMilli(int64(at))})
	}
	return others, answer[0] == int64(1), nil
}

// Release implements login.ActiveSessions.
func (s *Store) Release(ctx context.Context, address, session string) error {
	if err := s.client.ZRem(ctx, addressKey(address), session).Err(); err != nil {
		return unavailable("release session", session, err)
	}
	return nil
}
