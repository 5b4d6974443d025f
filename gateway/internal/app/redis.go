package app

import (
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// redisPatience is how long a request may wait for Redis: a counter is not
// worth more.
const redisPatience = 300 * time.Millisecond

// openRedis returns a client that gives up quickly. Redis may be away.
func openRedis(url string) (*redis.Client, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	options.MaxRetries, options.DialerRetries = 1, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisPatience, redisPatience, redisPatience
	options.ContextTimeoutEnabled = true
	return redis.NewClient(options), nil
}
