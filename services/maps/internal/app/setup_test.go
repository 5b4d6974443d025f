package app_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/app"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/parkourmaptest"
	"capzone.dev/services/maps/migrations"
)

// bundle is the service with everything around it.
type bundle struct {
	*servicetest.Servers
	t    *testing.T
	keys *servicetest.Keys
	cfg  app.Config
	// URL is where the first replica's API listens, OpsURL its operations port.
	URL, OpsURL string
	Files       *objectstore.Store
	// Players stands in for the players service.
	Players *neighbour
}

// setup starts the service as its binary runs, with servers of the test's own.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, Servers: servicetest.Start(t, app.Name, migrations.FS), keys: servicetest.StartKeys(t)}
	b.Players = newNeighbour(t, b.NATS)
	b.cfg = app.Config{Config: b.Config(), KeysConfig: b.keys.Config(), StorageConfig: servicetest.Storage(t)}
	var err error
	b.Files, err = objectstore.Open(t.Context(), b.cfg.For(app.Name))
	require.NoError(t, err)
	b.URL, b.OpsURL = b.startReplica()
	return b
}

// startReplica runs the service until the test ends and returns where it listens.
func (b *bundle) startReplica() (apiURL, opsURL string) {
	b.t.Helper()
	cfg := b.cfg
	return servicetest.Run(b.t, &cfg.Config, func(ctx context.Context) error { return app.Run(ctx, cfg) })
}

// command runs an operator's command and returns what it printed.
func (b *bundle) command(name string, args ...string) (string, error) {
	b.t.Helper()
	return b.Command(app.Commands, name, args...)
}

// operator runs a command that succeeds.
func (b *bundle) operator(name string, args ...string) string {
	b.t.Helper()
	out, err := b.command(name, args...)
	require.NoError(b.t, err)
	return out
}

// read returns a map as the API returns it.
func (b *bundle) read(id string) httpapi.ParkourMap {
	b.t.Helper()
	return servicetest.Data[httpapi.ParkourMap](b.t, b.get("/api/v1/maps/"+id))
}

func (b *bundle) get(path string, header ...string) servicetest.Answer {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil, header...)
}

func (b *bundle) do(method, path string, body io.Reader, header ...string) servicetest.Answer {
	b.t.Helper()
	return servicetest.Do(b.t, method, b.URL+path, body, header...)
}

// submission is a form that would be accepted.
type submission struct {
	by       event.PlayerState
	replay   []byte
	image    []byte
	metadata string
	// useDrawing is the form's field, left out where it is empty.
	useDrawing string
}

// submissionOf returns the submission of a map of the author, with a replay of the player by.
func (b *bundle) submissionOf(
	by event.PlayerState, id int, name, author string, alter ...func(*bonkmap.Map, *lbreplay.Replay),
) submission {
	b.t.Helper()
	drawing := parkourmaptest.Drawing(id, name, author)
	replay := parkourmaptest.Replay(drawing, by.Name)
	for _, a := range alter {
		a(drawing, replay)
	}
	return submission{by: by, replay: parkourmaptest.File(b.t, replay), image: picture(b.t, 64, 36)}
}

// submit sends a submission.
func (b *bundle) submit(s submission) servicetest.Answer {
	b.t.Helper()
	body, contentType := s.form(b.t)
	return b.do(http.MethodPost, "/api/v1/maps/submit", body, "Content-Type", contentType, "Authorization",
		"Bearer "+b.keys.Token(s.by))
}

// submitted sends a submission that is accepted.
func (b *bundle) submitted(s submission) httpapi.ParkourMap {
	b.t.Helper()
	a := b.submit(s)
	if a.Status != http.StatusCreated || !a.Success {
		b.t.Fatalf("got %d %s", a.Status, a.Raw)
	}
	return servicetest.Data[httpapi.ParkourMap](b.t, a)
}

func (s submission) form(t *testing.T) (body io.Reader, contentType string) {
	t.Helper()
	var parts []servicetest.Part
	add := func(name, file string, data []byte) {
		if data != nil {
			parts = append(parts, servicetest.Part{Name: name, File: file, Data: data})
		}
	}
	add("replayFile", "replay.lbReplay", s.replay)
	add("mapImage", "map.png", s.image)
	if s.metadata != "" {
		add("metadata", "", []byte(s.metadata))
	}
	if s.useDrawing != "" {
		add("useDrawing", "", []byte(s.useDrawing))
	}
	return servicetest.Form(t, parts...)
}

// picture draws a PNG.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		img.Set(x, x%height, color.RGBA{uint8(x), 99, 200, 255})
	}
	var buffer bytes.Buffer
	require.NoError(t, png.Encode(&buffer, img))
	return buffer.Bytes()
}

// edit changes a map by fields of the metadata, in JSON. The time is that of the map now.
func (b *bundle) edit(by event.PlayerState, id, fields string) servicetest.Answer {
	b.t.Helper()
	return b.patch(by, id, `{"updatedAt": "`+b.read(id).UpdatedAt+`", `+fields+`}`, nil)
}

// patch sends an edit, with an image unless it is nil.
func (b *bundle) patch(by event.PlayerState, id, metadata string, image []byte) servicetest.Answer {
	b.t.Helper()
	parts := []servicetest.Part{{Name: "metadata", Data: []byte(metadata)}}
	if image != nil {
		parts = append(parts, servicetest.Part{Name: "mapImage", File: "map.png", Data: image})
	}
	body, contentType := servicetest.Form(b.t, parts...)
	return b.do(http.MethodPatch, "/api/v1/maps/"+id, body, "Content-Type", contentType, "Authorization",
		"Bearer "+b.keys.Token(by))
}

// editOf changes a map in the name of its author and returns the id of the edit.
func (b *bundle) editOf(id string) string {
	b.t.Helper()
	by := b.read(id).Author
	author := event.PlayerState{ID: by.UnderscoreId, Name: by.Name}
	if a := b.edit(author, id, `"description": "`+uuid.NewString()+`"`); a.Status != http.StatusOK {
		b.t.Fatalf("edit: %d %s", a.Status, a.Raw)
	}
	return b.edits(author, id)[0].UnderscoreId
}

func (b *bundle) edits(by event.PlayerState, id string) []httpapi.MapEdit {
	b.t.Helper()
	a := b.get("/api/v1/maps/"+id+"/edits", "Authorization", "Bearer "+b.keys.Token(by))
	return servicetest.Data[[]httpapi.MapEdit](b.t, a)
}

// neighbour stands in for the players service, and for a records service without records.
type neighbour struct {
	mu      sync.Mutex
	players map[string]event.PlayerState // by the key of the name
	// played answers the requests for played maps.
	played func(event.FindPlayed) (event.PlayedMaps, error)
	// Leave makes it answer no more.
	Leave func()
}

func newNeighbour(t *testing.T, nc *nats.Conn) *neighbour {
	t.Helper()
	n := &neighbour{players: map[string]event.PlayerState{}}
	stops := []func(){
		natstest.Serve(t, nc, event.EnsurePlayerSubject,
			func(_ context.Context, req event.EnsurePlayer) (event.PlayerState, error) {
				if err := playername.Check(req.Name); err != nil {
					return event.PlayerState{}, err
				}
				return n.player(req.Name), nil
			}),
		natstest.Serve(t, nc, event.GetPlayerSubject, n.get),
		natstest.Serve(t, nc, event.FindFinishSubject,
			func(context.Context, event.FindFinish) (event.FoundFinish, error) { return event.FoundFinish{}, nil }),
		natstest.Serve(t, nc, event.FindPlayedSubject,
			func(_ context.Context, q event.FindPlayed) (event.PlayedMaps, error) {
				n.mu.Lock()
				defer n.mu.Unlock()
				return n.played(q)
			}),
	}
	n.Leave = func() {
		for _, stop := range stops {
			stop()
		}
	}
	return n
}

// player returns the player of a name, made where there is none.
func (n *neighbour) player(name string, roles ...string) event.PlayerState {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := playername.Key(name)
	p, ok := n.players[key]
	if !ok {
		at := time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC)
		p = event.PlayerState{ID: uuid.Must(uuid.NewV7()).String(), Version: 1, Name: name, SkinColor: "#8e24aa",
			Roles: roles, CreatedAt: at, UpdatedAt: at}
		n.players[key] = p
	}
	return p
}

func (n *neighbour) get(_ context.Context, req event.GetPlayer) (event.PlayerState, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range n.players {
		if p.ID == req.ID {
			return p, nil
		}
	}
	return event.PlayerState{}, problem.NotFound("player_unknown", "There is no such player.")
}

func (n *neighbour) answerPlayed(answer func(event.FindPlayed) (event.PlayedMaps, error)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.played = answer
}
