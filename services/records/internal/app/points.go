package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/points"
	records "capzone.dev/services/records/internal/postgres"
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
	// pointsInterval is how often changes are looked for.
	pointsInterval = time.Second
	// pointsDayInterval is how often it is looked whether a day has ended.
	pointsDayInterval = time.Minute
	// scrapeTimeout bounds the query of a scrape.
	scrapeTimeout = 2 * time.Second
)

// pointsWorker computes points beside the service, while no other replica does.
type pointsWorker struct {
	store      *records.Store
	thresholds points.Thresholds
	log        *slog.Logger
	computed   *prometheus.CounterVec
	seconds    prometheus.Counter
	dayChecked time.Time
}

// newPointsWorker registers the worker's metrics.
func newPointsWorker(
	store *records.Store, thresholds points.Thresholds, log *slog.Logger, registry prometheus.Registerer,
) *pointsWorker {
	w := &pointsWorker{
		store: store, thresholds: thresholds, log: log,
		computed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "records_points_computed_total", Help: "Maps and players whose points were computed.",
		}, []string{"what"}),
		seconds: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "records_points_seconds_total", Help: "Time spent on the computation of points.",
		}),
	}
	registry.MustRegister(w.computed, w.seconds)
	registerGauge(registry, "records_points_delay_seconds", "For how long the oldest change waits for its points.",
		func(ctx context.Context) (float64, error) {
			delay, err := store.PointsDelay(ctx)
			return delay.Seconds(), err
		})
	return w
}

// registerGauge registers a gauge that is read from the database at each scrape. It is -1 where it cannot be read.
func registerGauge(registry prometheus.Registerer, name, help string, read func(ctx context.Context) (float64, error)) {
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
		defer cancel()
		value, err := read(ctx)
		if err != nil {
			return -1
		}
		return value
	}))
}

// run computes points until ctx ends. An error is logged; the next interval tries again.
func (w *pointsWorker) run(ctx context.Context) error {
	ticker := time.NewTicker(pointsInterval)
	defer ticker.Stop()
	for {
		if err := w.computeDue(ctx); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "compute points failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// computeDue computes until nothing is due, and stores the day that has ended.
func (w *pointsWorker) computeDue(ctx context.Context) error {
	for ctx.Err() == nil {
		began := time.Now()
		now := event.InMillis(began)
		if began.Sub(w.dayChecked) >= pointsDayInterval {
			if _, err := w.store.StoreDay(ctx, now); err != nil {
				return err
			}
			w.dayChecked = began
		}
		computed, err := w.store.ComputePoints(ctx, w.thresholds, now)
		if err != nil || computed == (points.Computed{}) {
			return err
		}
		w.computed.WithLabelValues("maps").Add(float64(computed.Maps))
		w.computed.WithLabelValues("players").Add(float64(computed.Players))
		w.seconds.Add(time.Since(began).Seconds())
	}
	return nil
}
