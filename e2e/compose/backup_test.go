package compose

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/e2e/site"
)

// TestBackup_Restore saves the site under traffic and once more, loses all volumes, and restores it, with the
// commands of docs/backups.md. Everything is there again.
func TestBackup_Restore(t *testing.T) {
	tr := startTraffic(t, capzone)
	tr.awaitServed("the traffic to begin")
	save := []string{"run", "--rm", "backup", "save", "/saved"}
	running.mustCompose(t, save...)
	tr.stop()
	running.mustCompose(t, save...)
	before := pages(t)

	running.mustCompose(t, "down", "--volumes")
	if volumes, err := running.docker(t.Context(), "volume", "ls", "--quiet"); err != nil || volumes != "" {
		t.Errorf("these volumes are left: %s %v", volumes, err)
	}
	running.mustCompose(t, "up", "--detach", "--wait", "postgres", "minio", "nats", "valkey")
	running.mustCompose(t, "run", "--rm", "backup", "restore", "/saved")
	running.mustCompose(t, "up", "--detach", "--wait")
	for _, service := range []string{"players", "maps", "records"} {
		running.mustCompose(t, "exec", service, "/"+service, "republish")
	}
	var after string
	if !holds(t.Context(), func() bool { after = pages(t); return after == before }) {
		t.Errorf("the site (-saved +restored):\n%s", cmp.Diff(strings.Split(before, "\n"), strings.Split(after, "\n")))
	}
	users.verify(t, capzone)
	again := startTraffic(t, capzone)
	again.awaitServed("players to submit records")
	again.stop()
}

// TestCompose_DownAndUp expects that nothing is lost or left over where the containers are removed and made anew.
func TestCompose_DownAndUp(t *testing.T) {
	before := pages(t)
	volumes, err := running.docker(t.Context(), "volume", "ls", "--quiet")
	if err != nil {
		t.Fatal(err)
	}
	running.mustCompose(t, "down")
	running.mustCompose(t, "up", "--detach", "--wait")
	if diff := cmp.Diff(before, pages(t)); diff != "" {
		t.Errorf("the site (-before +after):\n%s", diff)
	}
	if again, err := running.docker(t.Context(), "volume", "ls", "--quiet"); err != nil || again != volumes {
		t.Errorf("the volumes were %q and are %q %v", volumes, again, err)
	}
	users.verify(t, capzone)
}

// settlePause is longer than an event takes to arrive.
const settlePause = 500 * time.Millisecond

// pages returns the site's pages of the community, as they are once every event has arrived.
func pages(t *testing.T) string {
	t.Helper()
	paths := []string{"/records?limit=100", "/maps/search?limit=100", "/players/search?limit=100", "/stats"}
	for _, m := range users.maps {
		paths = append(
			paths,
			"/maps/"+m.ID,
			"/records?sortBy=finishTime,finishTimeStamp&sortDir=asc,asc&limit=100&map="+m.ID,
		)
	}
	for _, p := range users.players {
		paths = append(paths, "/players/"+p.ID)
	}
	visitor := capzone.Visitor()
	read := func() string {
		var text strings.Builder
		for _, path := range paths {
			answer, err := visitor.Send(t.Context(), site.Request{Path: path})
			if err == nil {
				err = answer.Problem()
			}
			if err != nil {
				return err.Error()
			}
			text.WriteString(path + " " + string(answer.Body) + "\n")
		}
		return text.String()
	}
	settled := read()
	await(t, "the pages to be the same twice", func() bool {
		sleep(t.Context(), settlePause)
		last := settled
		settled = read()
		return settled == last
	})
	return settled
}
