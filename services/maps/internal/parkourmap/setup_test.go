package parkourmap_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/maptest"
	"capzone.dev/services/maps/internal/parkourmap"
)

var (
	now = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

	cloudstep = parkourmap.Player{ID: "0198c2f4-0000-7000-8000-000000000001", Version: 1, Name: "cloudstep"}
	rain      = parkourmap.Player{ID: "0198c2f4-0000-7000-8000-000000000002", Version: 1, Name: "Rain"}
)

// bundle is a submitter with everything behind it.
type bundle struct {
	*parkourmap.Submitter
	maps  *maptest.Memory
	owner *owner
	files *files
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{maps: maptest.NewMemory(), owner: &owner{}, files: &files{}}
	for _, p := range []parkourmap.Player{cloudstep, rain} {
		if err := b.maps.TakePlayer(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	b.Submitter = &parkourmap.Submitter{
		Maps: b.maps, Players: &parkourmap.Players{Copies: b.maps, Owner: b.owner}, Pictures: pictures{}, Files: b.files,
		Now: func() time.Time { return now }, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
	return b
}

// owner makes players of whom it is asked, unless it is away.
type owner struct {
	away  bool
	asked []string
}

var errAway = problem.Unavailable("service_unavailable", "Away.")

func (o *owner) Player(_ context.Context, id string) (parkourmap.Player, error) {
	o.asked = append(o.asked, id)
	if o.away {
		return parkourmap.Player{}, errAway
	}
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

func (o *owner) Ensure(_ context.Context, name string) (parkourmap.Player, error) {
	o.asked = append(o.asked, name)
	if o.away {
		return parkourmap.Player{}, errAway
	}
	if err := playername.Check(name); err != nil {
		return parkourmap.Player{}, err
	}
	return parkourmap.Player{ID: uuid.NewSHA1(uuid.Nil, []byte(name)).String(), Version: 1, Name: name}, nil
}

// files remembers what was stored.
type files struct{ kept []string }

type file string

func (f file) Key() string { return string(f) }

func (file) Claim(context.Context, pgx.Tx) error { return nil }

func (f *files) keep(kind string, data []byte) objectstore.Upload {
	key := fmt.Sprintf("%s/%s", kind, data[:min(len(data), 8)])
	f.kept = append(f.kept, key)
	return file(key)
}

func (f *files) KeepReplay(_ context.Context, replay []byte) (objectstore.Upload, error) {
	return f.keep("replays", replay), nil
}

func (f *files) KeepPictures(_ context.Context, full, thumbnail []byte) (objectstore.Upload, objectstore.Upload, error) {
	return f.keep("maps", full), f.keep("maps", thumbnail), nil
}

func (f *files) Bucket() string { return "capzone-maps" }

// pictures takes everything that begins with "picture".
type pictures struct{}

var errNoPicture = problem.WrongType("image_type", "No picture.")

func (pictures) Render(_ context.Context, image []byte) (full, thumbnail []byte, err error) {
	if !bytes.HasPrefix(image, []byte("picture")) {
		return nil, nil, errNoPicture
	}
	return append([]byte("full "), image...), append([]byte("tiny "), image...), nil
}

// change alters a submission that would be accepted.
type change func(in *parkourmap.Submission, run *lbreplay.Replay)

func submission(t *testing.T, changes ...change) parkourmap.Submission {
	t.Helper()
	run := maptest.Run(maptest.Drawing(1000, "Skyline Run", "cloudstep"), "cloudstep")
	in := parkourmap.Submission{
		By:       parkourmap.Caller{ID: cloudstep.ID, Name: "cloudstep"},
		Image:    []byte("picture"),
		Metadata: []byte(`{"description":"Mind the gap.","tags":["Speed"]}`),
	}
	for _, c := range changes {
		c(&in, run)
	}
	if in.Replay == nil {
		in.Replay = maptest.File(t, run)
	}
	return in
}
