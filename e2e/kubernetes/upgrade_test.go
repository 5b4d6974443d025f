package kubernetes

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/e2e/internal/engine"
	"capzone.dev/e2e/internal/load"
)

// TestUpgrade_AfterRestore saves the site under traffic and once more, loses all volumes but the backup's, and restores
// it, with the commands of docs/backups.md. Everything is there again. Then the databases of an earlier version take
// the place of these, and the new programs bring them up to date. The players are gone then: the name of this file
// makes it the last test.
func TestUpgrade_AfterRestore(t *testing.T) {
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	saveNow(t, "first")
	tr.Stop()
	saveNow(t, "second")
	before := users.Pages(t, capzone)

	loseData(t)
	job := cluster.mustKubectl(t, "create", "job", "restore", "--from=cronjob/backup", "--dry-run=client", "--output=yaml")
	if err := cluster.apply(t.Context(), strings.Replace(job, "- save\n", "- restore\n", 1)); err != nil {
		t.Fatal(err)
	}
	cluster.mustKubectl(t, "wait", "--for=condition=Complete", "--timeout=3m", "job/restore")
	startPrograms(t)
	for _, service := range []string{"players", "maps", "records"} {
		cluster.mustKubectl(t, "exec", "deployment/"+service, "--", "/"+service, "republish")
	}
	var after string
	if !load.Holds(t.Context(), func() bool { after = users.Pages(t, capzone); return after == before }) {
		t.Errorf("the site (-saved +restored):\n%s", cmp.Diff(strings.Split(before, "\n"), strings.Split(after, "\n")))
	}
	users.Verify(t, capzone)
	again := users.Start(t, capzone)
	again.AwaitServed("players to submit records")
	again.Stop()

	loseData(t)
	for _, s := range services {
		loadSnapshot(t, s.Name)
	}
	startPrograms(t)
	load.RunTests(t, address, "capzone.dev/e2e/upgrade")
}

// saveNow makes a backup at once.
func saveNow(t *testing.T, name string) {
	t.Helper()
	cluster.mustKubectl(t, "create", "job", "save-"+name, "--from=cronjob/backup")
	cluster.mustKubectl(t, "wait", "--for=condition=Complete", "--timeout=3m", "job/save-"+name)
}

// loseData ends the programs and makes the servers anew on empty volumes. The job of the streams is made anew, too,
// because a job cannot be changed.
func loseData(t *testing.T) {
	t.Helper()
	cluster.mustKubectl(t, "scale", "deployment", "--all", "--replicas=0")
	cluster.mustKubectl(t, "delete", "statefulset", "--all", "--cascade=foreground")
	claims := []string{"delete", "persistentvolumeclaim"}
	for _, server := range servers {
		claims = append(claims, "data-"+server+"-0")
	}
	cluster.mustKubectl(t, claims...)
	cluster.mustKubectl(t, "delete", "job", "provision", "provision-storage", "--ignore-not-found")
	if err := cluster.applySite(t.Context()); err != nil {
		t.Fatal(err)
	}
	cluster.mustKubectl(t, "rollout", "status", "--timeout=3m", "statefulset")
	cluster.mustKubectl(t, "wait", "--for=condition=Complete", "--timeout=3m", "job/provision", "job/provision-storage")
}

func startPrograms(t *testing.T) {
	t.Helper()
	cluster.mustKubectl(t, "scale", "deployment", "--all", "--replicas=1")
	cluster.mustKubectl(t, "wait", "--for=condition=Available", "--timeout=3m", "deployment", "--all")
}

// loadSnapshot fills an empty database with the rows that a service had in version 1.0.0.
func loadSnapshot(t *testing.T, service string) {
	t.Helper()
	file, err := os.Open(filepath.Join(root, "e2e/upgrade/testdata/1.0.0", service+".sql.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	statements, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	psql := cluster.client(t.Context(), "--namespace=capzone", "exec", "--stdin", "postgres-0", "--", "psql",
		"--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--username=postgres", "--dbname=capzone_"+service)
	psql.Stdin = io.MultiReader(strings.NewReader("set role "+service+";\n"), statements)
	_, err = engine.Output(psql)
	if err := errors.Join(err, statements.Close()); err != nil {
		t.Fatal(err)
	}
}
