package cache

import "github.com/prometheus/client_golang/prometheus"

var (
	storedPages = prometheus.NewDesc("gateway_pages_kept", "Responses in the cache.", nil, nil)
	storedBytes = prometheus.NewDesc("gateway_pages_bytes", "About how many bytes of memory they take.", nil, nil)
	maxBytes    = prometheus.NewDesc("gateway_pages_bytes_max", "The bound of the cache.", nil, nil)
	freshPages  = prometheus.NewDesc("gateway_pages_fresh",
		"1 while the services' events arrive, 0 while responses are served for one second only.", nil, nil)
	purged = prometheus.NewDesc("gateway_purges_total", "Purges of surrogate keys.", nil, nil)
)

// Describe implements prometheus.Collector.
func (c *Cache) Describe(descs chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, descs) }

// Collect implements prometheus.Collector.
func (c *Cache) Collect(metrics chan<- prometheus.Metric) {
	c.mu.Lock()
	stored, bytes := c.stored.Len(), c.bytes
	c.mu.Unlock()
	fresh := 0.0
	if c.connected() {
		fresh = 1
	}
	metrics <- prometheus.MustNewConstMetric(storedPages, prometheus.GaugeValue, float64(stored))
	metrics <- prometheus.MustNewConstMetric(storedBytes, prometheus.GaugeValue, float64(bytes))
	metrics <- prometheus.MustNewConstMetric(maxBytes, prometheus.GaugeValue, float64(c.maxBytes))
	metrics <- prometheus.MustNewConstMetric(freshPages, prometheus.GaugeValue, fresh)
	metrics <- prometheus.MustNewConstMetric(purged, prometheus.CounterValue, float64(c.purges.number.Load()))
}
