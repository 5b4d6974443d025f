package upgrade_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/testservers"
	"capzone.dev/e2e/harness"
	"capzone.dev/e2e/internal/fill"
	"capzone.dev/e2e/internal/world"
)

// record fills the site and writes the snapshot. The databases are dumped by PostgreSQL 15, the oldest version that
// Capzone supports: all later ones read its dumps.
func record(s harness.System) error {
	ctx := context.Background()
	address = s.Running.Site
	size := world.Size{Players: 8, Maps: 4, Records: 40, Drawn: 1, Versions: 1}
	if _, err := fill.Fill(ctx, s.Stack, world.New(1, size), func(string) {}); err != nil {
		return err
	}
	answers, err := settled(ctx)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(answers, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(snapshot, 0o755); err != nil { //nolint:gosec // part of the tree
		return err
	}
	if err := zip("answers.json", text); err != nil {
		return err
	}
	for _, service := range services {
		database := strings.Replace(s.Servers.Settings()["DATABASE_URL"], "/postgres?", "/capzone_"+service+"?", 1)
		var problems strings.Builder
		command := exec.CommandContext(ctx, filepath.Join(testservers.PostgreSQLHome, "bin", "pg_dump"),
			"--inserts", "--no-owner", "--no-privileges", database)
		command.Stderr = &problems
		dump, err := command.Output()
		if err != nil {
			return fmt.Errorf("dump %s: %w\n%s", service, err, problems.String())
		}
		if err := zip(service+".sql", psqlCommand.ReplaceAll(dump, nil)); err != nil {
			return err
		}
	}
	return nil
}

// psqlCommand is a line that only psql understands.
var psqlCommand = regexp.MustCompile(`(?m)^\\.*\n`)

// settled returns the answers once the copies of entities have arrived.
func settled(ctx context.Context) (answers []answer, err error) {
	settled := eventually.Poll(func() bool {
		before := answers
		answers, err = readAnswers(ctx)
		return err != nil || cmp.Equal(before, answers)
	})
	if err == nil && !settled {
		err = errors.New("the answers do not stay the same")
	}
	return answers, err
}

// readAnswers asks for lists and for each entity in them.
func readAnswers(ctx context.Context) ([]answer, error) {
	paths := []string{
		"/stats", "/maps/popular-tags", "/maps/search?name=r", "/maps/search?gameMode=Classic", "/players/search?name=b",
		"/records?limit=10&offset=5&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc",
	}
	var answers []answer
	for _, list := range []struct {
		path string
		of   []string
	}{
		{"/maps/search?limit=100", []string{"/maps/%s", "/maps/%s/versions",
			"/records?map=%s&limit=100&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc"}},
		{"/players/search?limit=100", []string{"/players/%s"}},
		{"/records?limit=100&sortBy=updatedAt&sortDir=desc", []string{"/records/%s", "/records/%s/verification"}},
	} {
		found, err := get(ctx, list.path)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer{list.path, found})
		for _, entity := range found.(map[string]any)["data"].([]any) {
			for _, path := range list.of {
				paths = append(paths, fmt.Sprintf(path, entity.(map[string]any)["_id"]))
			}
		}
	}
	for _, path := range paths {
		found, err := get(ctx, path)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer{path, found})
	}
	return answers, nil
}

// zip writes a file of the snapshot.
func zip(name string, content []byte) error {
	var zipped bytes.Buffer
	writer, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := writer.Write(content); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(snapshot, name+".gz"), zipped.Bytes(), 0o644) //nolint:gosec // part of the tree
}
