package check

import (
	"slices"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/google/go-cmp/cmp"
)

const watching = "deploy/observability/compose.yml"

// watched is the deployment with its profile "observability".
func watched(t *testing.T) *types.Project {
	t.Helper()
	d := shared(t)
	env := d.env()
	if _, err := d.load(env, "docker-compose.yml", watching); err == nil {
		t.Error("Grafana has a default password")
	}
	env["GRAFANA_PASSWORD"] = "of the operator's choice"
	env["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://tempo:4318"
	p, err := d.load(env, "docker-compose.yml", watching)
	if err == nil {
		p, err = p.WithProfiles([]string{"observability"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestComposeObservability_Confinement(t *testing.T) {
	t.Parallel()
	p := watched(t)
	var got []string
	for name, s := range p.Services {
		if len(s.Profiles) == 0 {
			continue
		}
		got = append(got, name)
		if s.User == "" || !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !pinned(s.Image) && s.Build == nil ||
			!onlyVolumesAreWritable(s) || s.Deploy.Resources.Limits == nil ||
			s.HealthCheck == nil {
			t.Errorf("%s is not confined", name)
		}
		for _, port := range s.Ports {
			if name != "grafana" || port.HostIP != "127.0.0.1" {
				t.Errorf("%s is published as %+v", name, port)
			}
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"grafana", "prometheus", "tempo"}, got); diff != "" {
		t.Errorf("the profile (-want +got):\n%s", diff)
	}
}
