// Package ratelimit counts in Redis how often something was done, for all replicas of a process together.
package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Limit allows so much in a period, which begins when a key is first counted. Of any period's length at most
// twice as much passes: at the end of one and at the beginning of the next.
type Limit struct {
	client redis.UniversalClient
	name   string
	most   int64
	period time.Duration
}

// New returns the limit called name. The period is of whole seconds. Limits of the
// same name and period count together.
func New(client redis.UniversalClient, name string, most int, period time.Duration) *Limit {
	return &Limit{client: client, name: name, most: int64(most), period: period}
}

// Allow counts one more under key. Where that is too much it returns how long it
// will be so, and 0 otherwise. The error is Redis's or that of ctx.
//
// These are plain commands, because each goes on from whatever the one before has
// left: a counter without an end gets one at the next request.
func (l *Limit) Allow(ctx context.Context, key string) (retryAfter time.Duration, err error) {
	key = l.keyOf(key)
	var count *redis.IntCmd
	var left *redis.DurationCmd
	_, err = l.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		count = p.Incr(ctx, key)
		p.ExpireNX(ctx, key, l.period)
		left = p.PTTL(ctx, key)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", l.name, err)
	}
	if count.Val() <= l.most {
		return 0, nil
	}
	return max(left.Val(), time.Millisecond), nil // it may end at this moment
}

// Check returns how long a key has no more left, 0 where it has, and counts nothing.
func (l *Limit) Check(ctx context.Context, key string) (retryAfter time.Duration, err error) {
	key = l.keyOf(key)
	count, err := l.client.Get(ctx, key).Int64()
	if errors.Is(err, redis.Nil) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("check %s: %w", l.name, err)
	}
	if count < l.most {
		return 0, nil
	}
	left, err := l.client.PTTL(ctx, key).Result()
	if err != nil {
		return 0, fmt.Errorf("check %s: %w", l.name, err)
	}
	return max(left, time.Millisecond), nil
}

func (l *Limit) keyOf(key string) string {
	return fmt.Sprintf("rate:%s:%d:%s", l.name, int(l.period.Seconds()), key)
}
