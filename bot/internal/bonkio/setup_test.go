package bonkio_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/devstack/gametest"
	"capzone.dev/devstack/require"
)

var capzonebot = bonkio.Credentials{Name: "capzonebot", Password: "correct horse"}

// setup returns a stand-in for the game with an account, and a client of it.
func setup(t *testing.T, options gametest.Options) (*gametest.Server, *bonkio.Client) {
	t.Helper()
	t.Parallel()
	game := gametest.Start(t, options)
	game.Account(capzonebot.Name, string(capzonebot.Password))
	return game, bonkio.NewClient(config(game))
}

func config(game *gametest.Server) bonkio.Config {
	return bonkio.Config{
		LoginURL: game.LoginURL(), RoomsURL: game.RoomsURL(), SocketURL: game.SocketURL(), LinkURL: game.LinkURL(),
		Version:   49,
		UserAgent: "capzone-test (contact@capzone.test)", ChatSpacing: 10 * time.Millisecond,
	}
}

func serverOf(game *gametest.Server) bonkio.Server {
	return bonkio.Server{Name: game.ServerName(), Location: bonkio.Location{Latitude: 40.7, Longitude: -74,
		Country: "US"}}
}

var spec = bonkio.RoomSpec{Name: "Capzone login", Password: "room password", Players: 2}

// create creates a room, and closes it when the test ends.
func create(t *testing.T, game *gametest.Server, client *bonkio.Client) *bonkio.Room {
	t.Helper()
	session, err := client.Login(t.Context(), capzonebot)
	require.NoError(t, err)
	created, err := client.CreateRoom(t.Context(), serverOf(game), session, spec)
	require.NoError(t, err)
	t.Cleanup(func() { created.Close(context.Background()) })
	return created
}

// room creates a room and returns it with a recorder of its events.
func room(t *testing.T, game *gametest.Server, client *bonkio.Client) (*bonkio.Room, *recorder) {
	t.Helper()
	created := create(t, game, client)
	r := &recorder{ended: make(chan error, 1)}
	created.Watch(r)
	return created, r
}

// recorder records the events of a room.
type recorder struct {
	ended chan error

	mu      sync.Mutex
	lines   []string
	players []bonkio.Player
}

func (r *recorder) Joined(p bonkio.Player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf("%d joined", p.ID))
	r.players = append(r.players, p)
}

func (r *recorder) Left(id int) { r.add(fmt.Sprintf("%d left", id)) }

func (r *recorder) Renamed(id int, name string) { r.add(fmt.Sprintf("%d is now %s", id, name)) }

func (r *recorder) Ended(reason error) {
	r.ended <- reason
	r.add("ended")
}

func (r *recorder) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
}

func (r *recorder) events() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.lines...)
}

func (r *recorder) joined() []bonkio.Player {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]bonkio.Player{}, r.players...)
}
