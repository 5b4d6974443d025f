package check

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/google/go-cmp/cmp"
)

// backup is the container that saves and restores, which runs only when asked to.
func (d deployment) backup() types.ServiceConfig {
	d.t.Helper()
	p, err := d.project().WithProfiles([]string{"backup"})
	if err != nil {
		d.t.Fatal(err)
	}
	return p.Services["backup"]
}

func TestTheBackupReachesWhatItSaves(t *testing.T) {
	t.Parallel()
	d := shared(t)
	if _, runs := d.project().Services["backup"]; runs {
		t.Error("it starts with the site")
	}
	s := d.backup()
	if diff := cmp.Diff([]string{"database", "storage"}, slices.Sorted(maps.Keys(s.Networks))); diff != "" {
		t.Errorf("networks (-want +got):\n%s", diff)
	}
	var known []string
	for secret, value := range d.env() {
		if secret != "PUBLIC_URL" && strings.Contains(strings.Join(environment(s), "\n"), value) {
			known = append(known, secret)
		}
	}
	slices.Sort(known)
	if diff := cmp.Diff([]string{"MINIO_ROOT_PASSWORD", "POSTGRES_PASSWORD"}, known); diff != "" {
		t.Errorf("passwords (-want +got):\n%s", diff)
	}
	if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || s.User != "65532:65532" || s.Deploy.Resources.Limits == nil || len(s.Ports) > 0 {
		t.Errorf("it is not confined: %+v", s)
	}
	if len(s.Volumes) != 1 || s.Volumes[0].Target != "/saved" {
		t.Errorf("it writes to %+v", s.Volumes)
	}
}
