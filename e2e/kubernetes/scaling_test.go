package kubernetes

import (
	"regexp"
	"strconv"
	"testing"

	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/site"
)

// TestScale_UnderLoad starts further replicas of records and of the gateway under traffic, and ends them again. No
// request fails, every replica of records answers, and a stream of events goes on at another gateway.
func TestScale_UnderLoad(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	stream := load.OpenStream(t, capzone)
	first := awaitPods(t, "gateway", 1)[0].Metadata.Name
	tr.TakeCounts()
	cluster.mustKubectl(t, "scale", "deployment/records", "--replicas=3")
	cluster.mustKubectl(t, "scale", "deployment/gateway", "--replicas=2")
	for _, p := range awaitPods(t, "records", 3) {
		load.Await(t, p.Metadata.Name+" to answer requests", func() bool { return answered(t, p) >= 20 })
	}
	for _, p := range awaitPods(t, "gateway", 2) {
		load.Await(t, p.Metadata.Name+" to answer requests", func() bool {
			// Connections stay at the gateway that has them: a new visitor makes another one.
			_, err := site.New(address).Visitor().Send(t.Context(), site.Request{Path: "/stats"})
			return err == nil && answered(t, p) >= 20
		})
	}
	// The gateway with the stream is the one that ends.
	cluster.mustKubectl(t, "annotate", "pod/"+first, "controller.kubernetes.io/pod-deletion-cost=-1")
	cluster.mustKubectl(t, "scale", "deployment/records", "--replicas=1")
	cluster.mustKubectl(t, "scale", "deployment/gateway", "--replicas=1")
	awaitPods(t, "records", 1)
	awaitPods(t, "gateway", 1)
	tr.CheckServed("the replicas were started and ended")
	tr.Stop()
	stream.Check()
	users.Verify(t, capzone)
}

// requests are the answered requests of a route, among the metrics of a program.
var requests = regexp.MustCompile(
	`(?m)^http_request_duration_seconds_count\{[^}]*method="GET"[^}]*status="200"[^}]*\} (\d+)$`)

// answered returns how many pages a pod has answered, by its own metrics.
func answered(t *testing.T, p pod) (sum int) {
	t.Helper()
	text := cluster.mustKubectl(t, "get", "--raw",
		"/api/v1/namespaces/capzone/pods/"+p.Metadata.Name+":9090/proxy/metrics")
	for _, match := range requests.FindAllStringSubmatch(text, -1) {
		if count, err := strconv.Atoi(match[1]); err == nil {
			sum += count
		}
	}
	return sum
}
