// Package backup_test tests that a backup brings the whole site back onto empty servers.
package backup_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/programs"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/devstack/testservers"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/fill"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

func TestBackup(t *testing.T) {
	testdeps.Program(t, filepath.Join(testservers.PostgreSQLHome, "bin", "pg_dump"), "postgresql-15")
	testdeps.Program(t, "rclone", "rclone")
	ctx := t.Context()
	w := world.New(21, world.Size{Players: 4, Maps: 3, Foreign: 1, Records: 15})
	program, saved := script(t), filepath.Join(t.TempDir(), "backup")

	original := start(t)
	first := original.up(t)
	_, err := fill.Fill(ctx, first.Stack, w, func(string) {})
	require.NoError(t, err)
	// A removed map keeps its files. The skin that a player replaces is deleted, also in the mirror.
	removed := search[api.ParkourMap](t, first.site, "/maps/search?limit=50")[0]
	player := first.site.Visitor()
	_, err = player.Login(ctx, w.Players[0].Account)
	require.NoError(t, err)
	for _, shade := range []color.Gray{{Y: 99}, {Y: 200}} {
		update := site.PlayerUpdate{SkinImage: square(t, shade)}
		_, err := player.UpdatePlayer(ctx, player.Player.ID, update)
		require.NoError(t, err)
	}
	original.run(t, program, "save", saved)
	files, skins := mirrored(t, saved, "maps"), mirrored(t, saved, "players")
	operate(t, first, "maps", "remove", removed.ID, "It was somebody else's.")
	operate(t, first, "maps", "sweep", "0s")
	operate(t, first, "players", "sweep", "0s")
	original.run(t, program, "save", saved)
	if left := mirrored(t, saved, "maps"); left != files {
		t.Errorf("%d of %d files of maps are left in the mirror, want all", left, files)
	}
	if left := mirrored(t, saved, "players"); left >= skins {
		t.Errorf("%d of %d files of players are left in the mirror, want fewer", left, skins)
	}
	before := settled(t, first.site, w)
	first.down()
	original.stop(t)

	empty := start(t)
	empty.makeDatabases(t)
	empty.run(t, program, "restore", saved)
	second := empty.up(t)
	for _, service := range []string{"players", "maps", "records"} {
		operate(t, second, service, "republish")
	}
	var after string
	same := func() bool { after = everything(t, second.site, w); return after == before }
	if !eventually.Poll(same) {
		t.Errorf("the site (-before +after):\n%s", cmp.Diff(before, after))
	}
	t.Run("players keep their accounts", func(t *testing.T) {
		was := search[api.Player](t, second.site, "/players/search?limit=50")
		v := second.site.Visitor()
		player, err := v.Login(t.Context(), w.Players[0].Account)
		require.NoError(t, err)
		known := false
		for _, p := range was {
			known = known || p.ID == player.ID && p.Name == player.Name
		}
		if !known {
			t.Errorf("%+v is a new player", player)
		}
	})
	t.Run("maps cannot be submitted again", func(t *testing.T) {
		result, err := fill.Fill(t.Context(), second.Stack, w, func(string) {})
		if err == nil || !strings.Contains(err.Error(), "map_removed") {
			t.Errorf("%+v %v", result, err)
		}
	})
	t.Run("data that exist are not overwritten", func(t *testing.T) {
		if output, err := empty.command(program, "restore", saved).CombinedOutput(); err == nil ||
			!strings.Contains(string(output), "not empty") {
			t.Errorf("%v: %s", err, output)
		}
	})
	second.down()
	empty.stop(t)
}

// square returns a picture of one colour, as PNG.
func square(t *testing.T, shade color.Color) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(shade), image.Point{}, draw.Src)
	var encoded bytes.Buffer
	require.NoError(t, png.Encode(&encoded, picture))
	return encoded.Bytes()
}

// servers are the servers of one stack, empty at first.
type servers struct {
	*outside.Servers
	folder string
}

func start(t *testing.T) servers {
	t.Helper()
	folder, err := os.MkdirTemp("", "capzone-backup-") //nolint:usetesting // PostgreSQL's user cannot enter t.TempDir
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	running, err := outside.Start(t.Context(), folder, testservers.PostgreSQLHome) // with tools of the same version
	require.NoError(t, err)
	s := servers{running, folder}
	t.Cleanup(func() { s.stop(t) })
	return s
}

func (s servers) stop(t *testing.T) {
	t.Helper()
	if err := s.Stop(context.Background()); err != nil { // the test's context may have ended
		t.Error(err)
	}
}

func (s servers) makeDatabases(t *testing.T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.Settings()["DATABASE_URL"])
	require.NoError(t, err)
	defer conn.Close(t.Context())
	root, err := checkout.Root()
	require.NoError(t, err)
	services, err := programs.Services(root)
	require.NoError(t, err)
	for _, service := range services {
		_, err := conn.Exec(t.Context(), "create database capzone_"+service.Name)
		require.NoError(t, err)
	}
}

// command is the program as an operator runs it.
func (s servers) command(program string, arguments ...string) *exec.Cmd {
	command := exec.Command(program, arguments...)
	command.Env = append(os.Environ(), "PG_BIN="+filepath.Join(testservers.PostgreSQLHome, "bin"))
	for name, value := range s.Settings() {
		if name == "DATABASE_URL" {
			value += "&pool_max_conns=4&statement_timeout=60000" // as in an address that an operator took from a service
		}
		command.Env = append(command.Env, name+"="+value)
	}
	return command
}

func (s servers) run(t *testing.T, program string, arguments ...string) {
	t.Helper()
	if output, err := s.command(program, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("backup %v: %v\n%s", arguments, err, output)
	}
}

// system is a stack that uses these servers.
type system struct {
	*stack.Running
	site *site.Site
	// down stops it. The end of the test calls it, too.
	down func()
}

func (s servers) up(t *testing.T) system {
	t.Helper()
	running, err := stack.Up(t.Context(), s.folder, s.Settings())
	require.NoError(t, err)
	down := sync.OnceFunc(func() {
		if err := running.Down(); err != nil || t.Failed() {
			t.Errorf("the stack: %v\n%s", err, running.Log())
		}
	})
	t.Cleanup(down)
	return system{running, site.New(running.Site), down}
}

func operate(t *testing.T, s system, kind string, arguments ...string) {
	t.Helper()
	_, err := s.Operate(t.Context(), kind, arguments...)
	require.NoError(t, err)
}

// script returns the path of the backup's script.
func script(t *testing.T) string {
	t.Helper()
	root, err := checkout.Root()
	require.NoError(t, err)
	return filepath.Join(root, "deploy", "backup", "backup.sh")
}

// mirrored counts the files of a service in the backup.
func mirrored(t *testing.T, saved, service string) (count int) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(saved, "files", service), func(_ string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			count++
		}
		return err
	})
	require.NoError(t, err)
	return count
}

// settled is everything when all events have arrived: each record is counted on its map.
func settled(t *testing.T, s *site.Site, w world.World) string {
	t.Helper()
	eventually.WaitFor(t, "all records to be counted", func() bool {
		counted := 0
		for _, m := range search[api.ParkourMap](t, s, "/maps/search?limit=50") {
			counted += m.RecordCount
		}
		stats, err := s.Visitor().Stats(t.Context())
		return err == nil && counted == stats.TotalRecords && stats.TotalMaps == len(w.Maps)-1
	})
	return everything(t, s, w)
}

// everything is all that visitors can read, down to the bytes of the files.
func everything(t *testing.T, s *site.Site, w world.World) string {
	t.Helper()
	var all strings.Builder
	read := func(path string, atRoot bool) {
		answer, err := s.Visitor().Send(t.Context(), site.Request{Path: path, AtRoot: atRoot})
		require.NoError(t, err)
		fmt.Fprintf(&all, "%s %d %q\n", path, answer.Status, answer.Body)
	}
	read("/stats", false)
	read("/maps/popular-tags", false)
	for _, m := range search[api.ParkourMap](t, s, "/maps/search?limit=50&sortBy=createdAt&sortDir=asc") {
		for _, part := range []string{"", "/versions", "/data", "/history"} {
			read("/maps/"+m.ID+part, false)
		}
		read("/records?map="+m.ID+"&limit=50", false)
		read(m.ImageURL, true)
		read(m.ThumbnailURL, true)
		read(*m.DrawingURL, true)
		read(*m.PictureURL, true)
	}
	for _, p := range search[api.Player](t, s, "/players/search?limit=50&sortBy=createdAt&sortDir=asc") {
		read("/players/"+p.ID, false)
		if p.SkinImageURL != nil {
			read(*p.SkinImageURL, true)
		}
	}
	for _, r := range search[api.MapRecord](t, s,
		fmt.Sprintf("/records?sortBy=updatedAt&sortDir=desc&limit=%d", min(100, len(w.Records)+len(w.Maps)))) {
		read("/download/replays/"+r.ID, false)
		read("/records/"+r.ID, false)
		read("/records/"+r.ID+"/verification", false)
	}
	return all.String()
}

// search returns the rows of a list.
func search[T any](t *testing.T, s *site.Site, path string) []T {
	t.Helper()
	answer, err := s.Visitor().Send(t.Context(), site.Request{Path: path})
	if err == nil {
		err = answer.Problem()
	}
	var into struct {
		Data []T `json:"data"`
	}
	if err == nil {
		err = json.Unmarshal(answer.Body, &into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return into.Data
}
