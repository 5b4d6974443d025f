package service

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/postgres"
)

// newPoolCollectors returns collectors of a pool's statistics.
func newPoolCollectors(pool *postgres.Pool) []prometheus.Collector {
	gauge := func(name, help string, value func(*pgxpool.Stat) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return value(pool.Stat()) })
	}
	counter := func(name, help string, value func(*pgxpool.Stat) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help},
			func() float64 { return value(pool.Stat()) })
	}
	return []prometheus.Collector{
		gauge("postgres_pool_connections", "Connections of the pool, in use or idle.",
			func(s *pgxpool.Stat) float64 { return float64(s.TotalConns()) }),
		gauge("postgres_pool_connections_in_use", "Connections of the pool that are in use.",
			func(s *pgxpool.Stat) float64 { return float64(s.AcquiredConns()) }),
		gauge("postgres_pool_connections_idle", "Connections of the pool that wait for use.",
			func(s *pgxpool.Stat) float64 { return float64(s.IdleConns()) }),
		gauge("postgres_pool_connections_max", "The pool's limit.",
			func(s *pgxpool.Stat) float64 { return float64(s.MaxConns()) }),
		counter("postgres_pool_acquires_total", "Connections that were taken from the pool.",
			func(s *pgxpool.Stat) float64 { return float64(s.AcquireCount()) }),
		counter("postgres_pool_waits_total", "Times that no connection was free at once.",
			func(s *pgxpool.Stat) float64 { return float64(s.EmptyAcquireCount()) }),
		counter("postgres_pool_wait_seconds_total", "Time spent on waiting for a free connection.",
			func(s *pgxpool.Stat) float64 { return s.EmptyAcquireWaitTime().Seconds() }),
		counter("postgres_pool_canceled_acquires_total", "Waits for a connection that were given up.",
			func(s *pgxpool.Stat) float64 { return float64(s.CanceledAcquireCount()) }),
	}
}

var tableRows = prometheus.NewDesc("postgres_table_rows",
	"Rows of a table that is swept, as the server estimates them.", []string{"table"}, nil)

// tableCollector reads the sizes of the tables with periodic removal. It reports none if
// the database does not answer in time.
type tableCollector struct{ pool *postgres.Pool }

// Describe implements prometheus.Collector.
func (tableCollector) Describe(descs chan<- *prometheus.Desc) { descs <- tableRows }

// Collect implements prometheus.Collector.
func (c tableCollector) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	rows, err := c.pool.Query(ctx, `
		select relname, n_live_tup from pg_stat_user_tables
		where schemaname = 'public' and relname in ('inbox', 'outbox', 'pending_uploads')`)
	if err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() {
		var table string
		var count int64
		if rows.Scan(&table, &count) == nil {
			metrics <- prometheus.MustNewConstMetric(tableRows, prometheus.GaugeValue, float64(count), table)
		}
	}
}
