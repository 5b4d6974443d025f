package compose

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// container is what the engine reports of a container.
type container struct {
	ID           string `json:"Id"`
	Image        string
	RestartCount int
	State        struct {
		Status    string
		Pid       int
		StartedAt time.Time
		Health    *struct{ Status string }
	}
	Config          struct{ Labels map[string]string }
	HostConfig      struct{ Memory, MemorySwap, PidsLimit int64 }
	NetworkSettings struct {
		Networks map[string]struct{ IPAddress string }
	}
}

func (c container) service() string { return c.Config.Labels["com.docker.compose.service"] }

// isServing reports whether the container runs and passes its health check.
func (c container) isServing() bool {
	return c.State.Status == "running" && c.State.Health != nil && c.State.Health.Status == "healthy"
}

// containers returns the site's running containers, those of some services or all, in the order of their services.
func (d *deployment) containers(t *testing.T, services ...string) []container {
	t.Helper()
	ids, err := d.Docker(t.Context(), "ps", "--quiet", "--filter", "label=com.docker.compose.project=capzone")
	if err != nil {
		t.Fatal(err)
	}
	if ids == "" {
		return nil
	}
	text, err := d.Docker(t.Context(), append([]string{"inspect"}, strings.Fields(ids)...)...)
	if err != nil {
		t.Fatal(err)
	}
	var list []container
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(c container) bool {
		return len(services) > 0 && !slices.Contains(services, c.service())
	})
	slices.SortFunc(list, func(a, b container) int { return strings.Compare(a.service()+a.ID, b.service()+b.ID) })
	return list
}
