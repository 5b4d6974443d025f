package pagecache_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// metric returns the value of a gauge.
func metric(t *testing.T, c prometheus.Collector, name string) float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			return family.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}
