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

// redisTimeout is how long a request may wait for Redis, which only counts it.
const redisTimeout = 300 * time.Millisecond

// openRedis returns a client with short timeouts. Redis need not be up.
func openRedis(url string) (*redis.Client, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("REDIS_URL is not a URL like redis://host:port/0") // err quotes the URL with its password
	}
	options.MaxRetries, options.DialerRetries = 1, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisTimeout, redisTimeout, redisTimeout
	options.ContextTimeoutEnabled = true
	rdb := redis.NewClient(options)
	redishook.Add(rdb)
	return rdb, nil
}

// LogRedis sets the log of all Redis clients of the process. It is called before Run.
func LogRedis(log *slog.Logger) { redis.SetLogger(redisLog{log}) }

type redisLog struct{ log *slog.Logger }

// Printf implements the client's logger.
func (l redisLog) Printf(ctx context.Context, format string, v ...any) {
	l.log.WarnContext(ctx, fmt.Sprintf(format, v...))
}
