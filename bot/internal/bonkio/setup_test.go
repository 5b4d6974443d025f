package bonkio_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"capzone.dev/bot/gametest"
	"capzone.dev/bot/internal/bonkio"
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
		LoginURL: game.LoginURL(), RoomsURL: game.RoomsURL(), SocketURL: game.SocketURL(), LinkURL: game.LinkURL(), Version: 49,
		UserAgent: "capzone-test (contact@capzone.test)", ChatSpacing: 10 * time.Millisecond,
	}
}

func serverOf(game *gametest.Server) bonkio.Server {
	return bonkio.Server{Name: game.ServerName(), Location: bonkio.Location{Latitude: 40.7, Longitude: -74, Country: "US"}}
}

var spec = bonkio.RoomSpec{Name: "Capzone login", Password: "room password", Players: 2}

// room creates a room and returns it with notes of what happens in it.
func room(t *testing.T, game *gametest.Server, client *bonkio.Client) (*bonkio.Room, *notes) {
	t.Helper()
	session, err := client.Login(t.Context(), capzonebot)
	if err != nil {
		t.Fatal(err)
	}
	created, err := client.CreateRoom(t.Context(), serverOf(game), session, spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { created.Close(context.Background()) })
	n := &notes{ended: make(chan error, 1)}
	created.Watch(n)
	return created, n
}

// notes are bonkio.Events that are written down.
type notes struct {
	ended chan error

	mu      sync.Mutex
	lines   []string
	players []bonkio.Player
}

func (n *notes) Joined(p bonkio.Player) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, fmt.Sprintf("%d joined", p.ID))
	n.players = append(n.players, p)
}

func (n *notes) Left(id int) { n.add(fmt.Sprintf("%d left", id)) }

func (n *notes) Renamed(id int, name string) { n.add(fmt.Sprintf("%d is now %s", id, name)) }

func (n *notes) Ended(reason error) {
	n.ended <- reason
	n.add("ended")
}

func (n *notes) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

func (n *notes) told() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string{}, n.lines...)
}

func (n *notes) joined() []bonkio.Player {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]bonkio.Player{}, n.players...)
}
