package limit

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/platform/problem"
)

const (
	// exportEvery is how often a player gets a complete export.
	exportEvery = 24 * time.Hour
	// ExportTimeout is how long an export counts as running at most: one whose gateway was killed does so.
	ExportTimeout = 10 * time.Minute
)

// exportDone is the value of a player's key in Redis after a complete export. That of one that runs is a random id, so
// that an export which outlives ExportTimeout does not end the next one.
const exportDone = "done"

// endExport replaces the value of an export that runs by exportDone, or deletes it where the time to keep that is 0.
var endExport = redis.NewScript(`
	if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
	if ARGV[3] == '0' then return redis.call('del', KEYS[1]) end
	redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[3])
	return 1`)

var (
	errExportTooSoon = problem.RateLimited("export_too_soon", "You can get your data once a day. Please try again later.")
	errExportRunning = problem.RateLimited("export_running", "Your data is being sent already.").
				WithRetryAfter(10 * time.Second)
	errExportsUnavailable = problem.Unavailable("exports_unavailable",
		"Your data cannot be sent at the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)
)

// BeginExport counts an export of a player, which runs until finish is called. One that is not complete then does not
// count. It returns errExportTooSoon, errExportRunning, or errExportsUnavailable without Redis.
func (l *Limits) BeginExport(ctx context.Context, player string) (finish func(complete bool), err error) {
	key, id := "gateway:exports:"+player, rand.Text()
	// Either the key is new, or it says why there is none.
	before, err := l.redis.SetArgs(ctx, key, id, redis.SetArgs{
		Mode: "NX", TTL: ExportTimeout, Get: true,
	}).Result()
	switch {
	case err != nil && err != redis.Nil: //nolint:errorlint // as the client returns it
		return nil, errExportsUnavailable.Wrap(err)
	case err == nil && before != exportDone:
		return nil, errExportRunning
	case err == nil:
		left, err := l.redis.PTTL(ctx, key).Result()
		if err != nil {
			return nil, errExportsUnavailable.Wrap(err)
		}
		left = max(left, time.Second)
		return nil, errExportTooSoon.WithRetryAfter(left).
			WithData("next", time.Now().Add(left).UTC().Truncate(time.Second).Format(time.RFC3339))
	}
	return func(complete bool) {
		keep := time.Duration(0)
		if complete {
			keep = exportEvery
		}
		ctx := context.WithoutCancel(ctx)
		err := endExport.Run(ctx, l.redis, []string{key}, id, exportDone, keep.Milliseconds()).Err()
		if err != nil {
			l.log.WarnContext(ctx, "the end of an export was not stored", "error", err)
		}
	}, nil
}
