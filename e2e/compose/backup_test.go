package compose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/e2e/internal/load"
)

// TestBackup_Restore saves the site under traffic and once more, loses all volumes, and restores it, with the
// commands of docs/backups.md. Everything is there again.
func TestBackup_Restore(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	save := []string{"run", "--rm", "backup", "save", "/saved"}
	running.mustCompose(t, save...)
	tr.Stop()
	running.mustCompose(t, save...)
	before := users.Pages(t, capzone)

	running.mustCompose(t, "down", "--volumes")
	if volumes, err := running.Docker(t.Context(), "volume", "ls", "--quiet"); err != nil || volumes != "" {
		t.Errorf("these volumes are left: %s %v", volumes, err)
	}
	running.mustCompose(t, "up", "--detach", "--wait", "postgres", "minio", "nats", "valkey")
	running.mustCompose(t, "run", "--rm", "backup", "restore", "/saved")
	running.mustCompose(t, "up", "--detach", "--wait")
	for _, service := range []string{"players", "maps", "records"} {
		running.mustCompose(t, "exec", service, "/"+service, "republish")
	}
	var after string
	if !load.Holds(t.Context(), func() bool { after = users.Pages(t, capzone); return after == before }) {
		t.Errorf("the site (-saved +restored):\n%s", cmp.Diff(strings.Split(before, "\n"), strings.Split(after, "\n")))
	}
	users.Verify(t, capzone)
	again := users.Start(t, capzone)
	again.AwaitServed("players to submit records")
	again.Stop()
}

// TestCompose_DownAndUp expects that nothing is lost or left over where the containers are removed and made anew.
func TestCompose_DownAndUp(t *testing.T) {
	before := users.Pages(t, capzone)
	volumes, err := running.Docker(t.Context(), "volume", "ls", "--quiet")
	if err != nil {
		t.Fatal(err)
	}
	running.mustCompose(t, "down")
	running.mustCompose(t, "up", "--detach", "--wait")
	if diff := cmp.Diff(before, users.Pages(t, capzone)); diff != "" {
		t.Errorf("the site (-before +after):\n%s", diff)
	}
	if again, err := running.Docker(t.Context(), "volume", "ls", "--quiet"); err != nil || again != volumes {
		t.Errorf("the volumes were %q and are %q %v", volumes, again, err)
	}
	users.Verify(t, capzone)
}
