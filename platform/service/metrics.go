package service

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/postgres"
)

// Gatherer joins a process's registry with the default one, in which the packages of
// platform register their metrics.
func Gatherer(own *prometheus.Registry) prometheus.Gatherer {
	return prometheus.Gatherers{own, prometheus.DefaultGatherer}
}

var (
	poolConnections = prometheus.NewDesc("postgres_pool_connections", "Connections of the pool, in use or idle.", nil, nil)
	poolInUse       = prometheus.NewDesc("postgres_pool_connections_in_use", "Connections of the pool that are in use.",
		nil, nil)
	poolIdle = prometheus.NewDesc("postgres_pool_connections_idle", "Connections of the pool that wait for use.",
		nil, nil)
	poolMax      = prometheus.NewDesc("postgres_pool_connections_max", "The pool's limit.", nil, nil)
	poolAcquires = prometheus.NewDesc("postgres_pool_acquires_total", "Connections that were taken from the pool.",
		nil, nil)
	poolWaits = prometheus.NewDesc("postgres_pool_waits_total", "Times that no connection was free at once.", nil,
		nil)
	poolWaited = prometheus.NewDesc("postgres_pool_wait_seconds_total",
		"Time spent on waiting for a free connection.", nil, nil)
	poolGivenUp = prometheus.NewDesc("postgres_pool_canceled_acquires_total",
		"Waits for a connection that were given up.", nil, nil)
	tableRows = prometheus.NewDesc("postgres_table_rows",
		"Rows of a table that is swept, as the server estimates them.", []string{"table"}, nil)
)

// poolCollector reads a pool's statistics.
type poolCollector struct{ pool *postgres.Pool }

// Describe implements prometheus.Collector.
func (c poolCollector) Describe(descs chan<- *prometheus.Desc) {
	prometheus.DescribeByCollect(c, descs)
}

// Collect implements prometheus.Collector.
func (c poolCollector) Collect(metrics chan<- prometheus.Metric) {
	s := c.pool.Stat()
	for _, m := range []struct {
		desc  *prometheus.Desc
		kind  prometheus.ValueType
		value float64
	}{
		{poolConnections, prometheus.GaugeValue, float64(s.TotalConns())},
		{poolInUse, prometheus.GaugeValue, float64(s.AcquiredConns())},
		{poolIdle, prometheus.GaugeValue, float64(s.IdleConns())},
		{poolMax, prometheus.GaugeValue, float64(s.MaxConns())},
		{poolAcquires, prometheus.CounterValue, float64(s.AcquireCount())},
		{poolWaits, prometheus.CounterValue, float64(s.EmptyAcquireCount())},
		{poolWaited, prometheus.CounterValue, s.EmptyAcquireWaitTime().Seconds()},
		{poolGivenUp, prometheus.CounterValue, float64(s.CanceledAcquireCount())},
	} {
		metrics <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value)
	}
}

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
