package parkourmap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapimage"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
	"capzone.dev/services/maps/internal/postgres"
	"capzone.dev/services/maps/migrations"
)

var (
	now = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

	cloudstep = parkourmap.Player{ID: "0198c2f4-0000-7000-8000-000000000001", Version: 1, Name: "cloudstep"}
	rain      = parkourmap.Player{ID: "0198c2f4-0000-7000-8000-000000000002", Version: 1, Name: "Rain"}
	judge     = parkourmap.Player{
		ID: "0198c2f4-0000-7000-8000-000000000004", Version: 1, Name: "Judge", Roles: []string{access.Validator},
	}
)

// bundle is a submitter with the store and stand-ins for its other neighbours.
type bundle struct {
	*parkourmap.Submitter
	maps  *postgres.Store
	pool  *platform.Pool
	owner *owner
	files *files
	// finishes are the records that the records service finds, by their finish.
	finishes finishes
}

func setup(t *testing.T) bundle {
	t.Helper()
	pool := pgtest.Open(t, "maps", migrations.FS)
	b := bundle{
		maps: postgres.NewStore(pool), pool: pool, owner: &owner{}, files: &files{t: t, pool: pool}, finishes: finishes{},
	}
	b.apply(t, cloudstep, rain, judge)
	b.Submitter = &parkourmap.Submitter{
		Maps:    b.maps,
		Players: parkourmap.NewPlayers(b.maps, b.owner),
		Records: b.finishes,
		Parser:  parkourmap.NewParser(),
		Images:  images{},
		Files:   b.files,
		Now:     func() time.Time { return now },
		NewID:   func() string { return uuid.Must(uuid.NewV7()).String() },
	}
	return b
}

// owner is the players service. It creates the players that it is asked for, unless it is away.
type owner struct {
	away  bool
	asked []string
	// name is that of each player who is asked for by an id; without one there is none.
	name string
}

var errAway = problem.Unavailable("service_unavailable", "Away.")

func (o *owner) Player(_ context.Context, id string) (parkourmap.Player, error) {
	o.asked = append(o.asked, id)
	if o.away {
		return parkourmap.Player{}, errAway
	}
	if o.name != "" {
		return parkourmap.Player{ID: id, Version: 1, Name: o.name}, nil
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

// finishes stands in for the records service: the ids of records by their finish.
type finishes map[event.FindFinish]string

func (f finishes) FindFinish(_ context.Context, finish event.FindFinish) (string, error) {
	return f[finish], nil
}

// apply stores copies of players.
func (b bundle) apply(t *testing.T, players ...parkourmap.Player) {
	t.Helper()
	for _, p := range players {
		require.NoError(t, b.maps.ApplyPlayer(t.Context(), p))
	}
}

// setRoles stores the roles of a player in the copy, as the players service publishes them.
func (b bundle) setRoles(t *testing.T, p parkourmap.Player, roles ...string) {
	t.Helper()
	p.Version, p.Roles = p.Version+1, roles
	b.apply(t, p)
}

// facts returns the facts of creations in the outbox.
func (b bundle) facts(t *testing.T) []event.MapCreated {
	t.Helper()
	return facts[event.MapCreated](t, b)
}

// facts returns the facts of one kind in the outbox.
func facts[T event.Fact](t *testing.T, b bundle) (facts []T) {
	t.Helper()
	for _, m := range outboxtest.All(t, b.pool) {
		var fact T
		if m.Subject == fact.Subject() {
			facts = append(facts, outboxtest.Data[T](t, m))
		}
	}
	return facts
}

// files records the keys of the files that are stored.
type files struct {
	t      *testing.T
	pool   *platform.Pool
	mu     sync.Mutex
	stored []string
	// drawing is the SVG that was stored last.
	drawing []byte
}

func (f *files) put(kind string, data []byte) storedfile.Upload {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := fmt.Sprintf("%s/%s", kind, bytes.ToValidUTF8(data[:min(len(data), 8)], nil))
	f.stored = append(f.stored, key)
	return pgtest.PendingUpload(f.t, f.pool, key)
}

// claimed returns the keys of the files that are not pending any more.
func (f *files) claimed() (keys []string) {
	for _, key := range f.stored {
		const isPendingSQL = "select exists (select from pending_uploads where key = $1)"
		if !pgtest.Value[bool](f.t, f.pool, isPendingSQL, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (f *files) PutReplay(_ context.Context, replay []byte) (storedfile.Upload, error) {
	return f.put("replays", replay), nil
}

func (f *files) PutImages(_ context.Context, full, thumbnail []byte) (storedfile.Upload, storedfile.Upload, error) {
	return f.put("maps", full), f.put("maps", thumbnail), nil
}

func (f *files) PutDrawing(
	_ context.Context, d parkourmap.Drawing,
) (svg, picture, thumbnail storedfile.Upload, err error) {
	f.drawing = d.SVG
	return f.put("drawings", d.SVG), f.put("maps", d.Picture), f.put("maps", d.Thumbnail), nil
}

func (f *files) Bucket() string { return "capzone-maps" }

// otherKeys ends an image that is stored under other keys.
const otherKeys = " 2"

// images accepts files that begin with "picture", unless it is damaged.
type images struct{}

var (
	errNoImage      = problem.WrongType("image_type", "No image.")
	errImageDamaged = problem.Unprocessable("image_broken", "Damaged.")
)

func (images) Check(image []byte) error {
	if !bytes.HasPrefix(image, []byte("picture")) {
		return errNoImage
	}
	return nil
}

func (images) Render(_ context.Context, image []byte) (full, thumbnail []byte, err error) {
	if bytes.HasSuffix(image, []byte("damaged")) {
		return nil, nil, errImageDamaged
	}
	if bytes.HasSuffix(image, []byte(otherKeys)) {
		return append([]byte("FULL "), image...), append([]byte("TINY "), image...), nil
	}
	return append([]byte("full "), image...), append([]byte("tiny "), image...), nil
}

func (images) Paint(_ context.Context, m *bonkmap.Map) (picture, thumbnail []byte, err error) {
	if len(m.Spawns) > mapimage.MaxMarks/2 {
		return nil, nil, mapimage.ErrOverlaps
	}
	return []byte("drawn " + m.Name), []byte("small " + m.Name), nil
}

// toSubmit is a submission with its submitter.
type toSubmit struct {
	parkourmap.Submission
	by access.Actor
}

func (b bundle) submit(t *testing.T, in toSubmit) (parkourmap.Submitted, error) {
	t.Helper()
	return b.Submit(t.Context(), access.Attribution{Actor: in.by}, in.Submission)
}

// change alters a submission that would be accepted.
type change func(in *toSubmit, replay *lbreplay.Replay)

// altered changes the replay alone.
func altered(alter func(replay *lbreplay.Replay)) change {
	return func(_ *toSubmit, replay *lbreplay.Replay) { alter(replay) }
}

func renamed(name string) change {
	return altered(func(replay *lbreplay.Replay) { replay.Map.Name, replay.MapName = name, name })
}

func authored(name string) change {
	return altered(func(replay *lbreplay.Replay) { replay.Map.Author, replay.MapAuthor = name, name })
}

// ms is a time that is asked for, in milliseconds.
func ms(time int64) *int64 { return &time }

func submission(t *testing.T, changes ...change) toSubmit {
	t.Helper()
	replay := parkourmaptest.Replay(parkourmaptest.Drawing(1000, "Skyline Run", "cloudstep"), "cloudstep")
	in := toSubmit{by: access.Player(cloudstep.ID, "cloudstep", nil), Submission: parkourmap.Submission{
		Image:    []byte("picture"),
		Metadata: parkourmap.Metadata{Description: new("Mind the gap."), Tags: []string{"Speed"}},
	}}
	for _, c := range changes {
		c(&in, replay)
	}
	if in.Replay == nil {
		in.Replay = parkourmaptest.File(t, replay)
	}
	return in
}

// checkError checks that an error is the one wanted.
func checkError(t *testing.T, what string, want, err error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error = %v, want %v", what, err, want)
	}
}

// errorOf returns the error of a call.
func errorOf[T any](_ T, err error) error { return err }
