package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// PointsConfig are the thresholds of points. All processes have the same. After a change, points are computed anew.
type PointsConfig struct {
	// Finishers is how many players that count must have finished a map, so that it gives points.
	Finishers int `env:"POINTS_FINISHERS" envDefault:"5"`
	// Maps and Authors are how many maps by how many authors a player must have finished in order to count.
	Maps    int `env:"POINTS_MAPS"    envDefault:"5"`
	Authors int `env:"POINTS_AUTHORS" envDefault:"3"`
}

// Check returns an error for a number below 1.
func (c PointsConfig) Check() error {
	if c.Finishers < 1 || c.Maps < 1 || c.Authors < 1 {
		return errors.New("POINTS_FINISHERS, POINTS_MAPS and POINTS_AUTHORS must be at least 1")
	}
	return nil
}

func (c PointsConfig) thresholds() points.Thresholds { return points.Thresholds(c) }

const (
	// pointsEvery is how often changes are looked for. largePointsEvery is that of large leaderboards, of which a
	// computation takes seconds: it has all changes since the one before.
	pointsEvery      = time.Second
	largePointsEvery = 15 * time.Second
	// pointsDayEvery is how often it is looked whether a day has ended. At the first look of a day a hundredth of the
	// points is computed again.
	pointsDayEvery = time.Minute
)

// pointsWorker computes points beside the service. Several replicas share the work.
type pointsWorker struct {
	store      record.PointsStore
	thresholds points.Thresholds
	now        func() time.Time
	log        *slog.Logger
	computed   *prometheus.CounterVec
	seconds    *prometheus.CounterVec
	drifted    prometheus.Counter
}

// newPointsWorker registers the worker's metrics.
func newPointsWorker(
	store record.PointsStore, thresholds points.Thresholds, log *slog.Logger, registry prometheus.Registerer,
) *pointsWorker {
	w := &pointsWorker{
		store: store, thresholds: thresholds, now: time.Now, log: log,
		computed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "records_points_computed_total", Help: "Maps and players whose points were computed.",
		}, []string{"lane", "what"}),
		seconds: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "records_points_seconds_total", Help: "Time spent on the computation of points.",
		}, []string{"lane"}),
		drifted: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "records_points_drift_total", Help: "Rows of points that were not what personal bests say.",
		}),
	}
	delay := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "records_points_delay_seconds", Help: "For how long the oldest change waits for its points.",
	}, w.delay)
	registry.MustRegister(w.computed, w.seconds, w.drifted, delay)
	return w
}

// delayTimeout bounds the query of a scrape.
const delayTimeout = 2 * time.Second

// delay returns the seconds, or -1 where they cannot be read.
func (w *pointsWorker) delay() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), delayTimeout)
	defer cancel()
	delay, err := w.store.PointsDelay(ctx)
	if err != nil {
		return -1
	}
	return delay.Seconds()
}

// run computes the points of changes, those of large leaderboards or of the others, until ctx ends.
func (w *pointsWorker) run(large bool) func(ctx context.Context) error {
	interval, lane := pointsEvery, "usual"
	if large {
		interval, lane = largePointsEvery, "large"
	}
	return func(ctx context.Context) error {
		return w.every(ctx, interval, "compute points", func(ctx context.Context) error {
			for ctx.Err() == nil {
				began := time.Now()
				computed, err := w.store.ComputePoints(ctx, large, w.thresholds, w.now())
				if err != nil || computed == (record.ComputedPoints{}) {
					return err
				}
				w.computed.WithLabelValues(lane, "maps").Add(float64(computed.Maps))
				w.computed.WithLabelValues(lane, "players").Add(float64(computed.Players))
				w.seconds.WithLabelValues(lane).Add(time.Since(began).Seconds())
			}
			return nil
		})
	}
}

// runDaily stores the points of each day that has ended, and compares a sample of points with a new computation.
func (w *pointsWorker) runDaily(ctx context.Context) error {
	var compared string // the day of the last comparison
	return w.every(ctx, pointsDayEvery, "points of the day", func(ctx context.Context) error {
		now := w.now()
		if err := w.rebuildOutdated(ctx, now); err != nil {
			return err
		}
		if _, err := w.store.StoreDay(ctx, now); err != nil {
			return err
		}
		day := now.UTC().Format(time.DateOnly)
		if day == compared {
			return nil
		}
		drifted, err := w.store.ComparePoints(ctx, w.thresholds, now.Unix()/int64(24*time.Hour/time.Second), now)
		if err != nil {
			return err
		}
		compared = day
		if drifted > 0 {
			w.drifted.Add(float64(drifted))
			w.log.ErrorContext(ctx, "points were not what personal bests say", "rows", drifted)
		}
		_, err = w.store.PurgePoints(ctx, now)
		return err
	})
}

// rebuildOutdated computes all points where the formula or the thresholds have changed.
func (w *pointsWorker) rebuildOutdated(ctx context.Context, now time.Time) error {
	current, err := w.store.PointsAreCurrent(ctx, w.thresholds)
	if err != nil || current {
		return err
	}
	w.log.InfoContext(ctx, "computing all points", "formula", points.Version, "thresholds", w.thresholds)
	return w.store.RebuildPoints(ctx, w.thresholds, now)
}

// every calls do at once and then at each interval until ctx ends. An error is logged; the next interval tries again.
func (w *pointsWorker) every(
	ctx context.Context, interval time.Duration, what string, do func(ctx context.Context) error,
) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, what+" failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
