package service

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Gatherer joins a process's own registry with the metrics of the packages of
// platform, which register themselves.
func Gatherer(own *prometheus.Registry) prometheus.Gatherer {
	return prometheus.Gatherers{own, prometheus.DefaultGatherer}
}

func registerMetrics(r prometheus.Registerer, pool *pgxpool.Pool) {
	r.MustRegister(
		collectors.NewBuildInfoCollector(),
		gauge("postgres_pool_connections", "Connections of the pool, in use or idle.", func() float64 { return float64(pool.Stat().TotalConns()) }),
		gauge("postgres_pool_connections_in_use", "Connections of the pool that are in use.", func() float64 { return float64(pool.Stat().AcquiredConns()) }),
		gauge("postgres_pool_connections_max", "The pool's limit.", func() float64 { return float64(pool.Stat().MaxConns()) }),
	)
}

func gauge(name, help string, value func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
}
