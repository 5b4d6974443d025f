package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/platform/redishook"
)

// redisPatience is how long a request may wait for Redis: a counter is not
// worth more.
const redisPatience = 300 * time.Millisecond

// openRedis returns a client that gives up quickly. Redis may be away.
func openRedis(url string) (*redis.Client, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("REDIS_URL is not a URL like redis://host:port/0") // err quotes it, password and all
	}
	options.MaxRetries, options.DialerRetries = 1, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisPatience, redisPatience, redisPatience
	options.ContextTimeoutEnabled = true
	rdb := redis.NewClient(options)
	redishook.Add(rdb)
	return rdb, nil
}

// LogRedis sends what the Redis client says to log. It holds for the whole
// process, so it is for main, before Run.
func LogRedis(log *slog.Logger) { redis.SetLogger(redisLog{log}) }

type redisLog struct{ log *slog.Logger }

// Printf implements the client's logger.
func (l redisLog) Printf(ctx context.Context, format string, v ...any) {
	l.log.WarnContext(ctx, fmt.Sprintf(format, v...))
}
