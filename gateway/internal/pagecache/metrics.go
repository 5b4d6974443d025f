package pagecache

import "github.com/prometheus/client_golang/prometheus"

var (
	pagesKept = prometheus.NewDesc("gateway_pages_kept", "Pages in the cache.", nil, nil)
	bytesKept = prometheus.NewDesc("gateway_pages_bytes", "About how many bytes of memory the pages in the cache take.", nil, nil)
	fresh     = prometheus.NewDesc("gateway_pages_fresh", "1 while the pages of a service may be shown, 0 while changes of them may be missed.", []string{"service"}, nil)
	bytesMax  = prometheus.NewDesc("gateway_pages_bytes_max", "The bound of the cache.", nil, nil)
)

// Describe implements prometheus.Collector.
func (c *Cache) Describe(descs chan<- *prometheus.Desc) {
	descs <- pagesKept
	descs <- bytesKept
	descs <- bytesMax
	descs <- fresh
}

// Collect implements prometheus.Collector.
func (c *Cache) Collect(metrics chan<- prometheus.Metric) {
	metrics <- prometheus.MustNewConstMetric(pagesKept, prometheus.GaugeValue, float64(c.pages.EstimatedSize()))
	metrics <- prometheus.MustNewConstMetric(bytesKept, prometheus.GaugeValue, float64(c.pages.WeightedSize()))
	metrics <- prometheus.MustNewConstMetric(bytesMax, prometheus.GaugeValue, float64(c.pages.GetMaximum()))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spaces {
		value := 0.0
		if s.Fresh() {
			value = 1
		}
		metrics <- prometheus.MustNewConstMetric(fresh, prometheus.GaugeValue, value, s.name)
	}
}
