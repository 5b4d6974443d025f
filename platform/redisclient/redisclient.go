// Package redisclient connects to Redis, and records metrics and traces of the commands. It records neither
// keys nor values, which hold sessions and addresses; OpenTelemetry's own hook would.
package redisclient

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/redis/go-redis/v9"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"capzone.dev/platform/telemetry"
)

// Connect returns a client of the server at a URL, of which a call takes at most so long. Redis need not be up. It
// registers the metrics of the client, unless registerer is nil.
func Connect(url string, timeout time.Duration, registerer prometheus.Registerer) (*redis.Client, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("REDIS_URL is not a URL like redis://host:port/0") // err quotes the URL with its password
	}
	options.MaxRetries, options.DialerRetries = 1, 1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = timeout, timeout, timeout
	options.ContextTimeoutEnabled = true
	client := redis.NewClient(options)
	client.AddHook(hook{promauto.With(registerer).NewHistogramVec(prometheus.HistogramOpts{
		Name:    "redis_request_duration_seconds",
		Help:    "How long commands to Redis took, by command and outcome (ok or error).",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
	}, []string{"command", "outcome"})})
	return client, nil
}

type hook struct{ requests *prometheus.HistogramVec }

func (h hook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		began := time.Now()
		conn, err := next(ctx, network, address)
		h.measure("dial", began, err)
		return conn, err
	}
}

func (h hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		return h.run(ctx, cmd.Name(), func(ctx context.Context) error { return next(ctx, cmd) })
	}
}

func (h hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		return h.run(ctx, "pipeline", func(ctx context.Context) error { return next(ctx, cmds) })
	}
}

func (h hook) run(ctx context.Context, command string, do func(context.Context) error) error {
	ctx, span := telemetry.Child(ctx, trace.SpanKindClient, "redis "+command, semconv.DBSystemNameRedis)
	began := time.Now()
	err := do(ctx)
	h.measure(command, began, err)
	telemetry.End(span, failure(err))
	return err
}

func (h hook) measure(command string, began time.Time, err error) {
	outcome := "ok"
	if failure(err) != nil {
		outcome = "error"
	}
	h.requests.WithLabelValues(command, outcome).Observe(time.Since(began).Seconds())
}

// failure returns err unless it is an expected answer: a missing key, a script that is not
// loaded yet, or a failed optimistic transaction.
func failure(err error) error {
	if err == nil || errors.Is(err, redis.Nil) || errors.Is(err, redis.TxFailedErr) ||
		redis.HasErrorPrefix(err, "NOSCRIPT") {
		return nil
	}
	return err
}
