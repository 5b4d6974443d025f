package record_test

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

const (
	skylineID  = "01970000-0000-7000-8000-00000000000a"
	gardenID   = "01970000-0000-7000-8000-00000000000b"
	skyline2ID = "01970000-0000-7000-8000-00000000000d"
	annID      = "01970000-0000-7000-8000-000000000001"
	bobID      = "01970000-0000-7000-8000-000000000002"
	eveID      = "01970000-0000-7000-8000-000000000003"
	ankaID     = "01970000-0000-7000-8000-000000000009"
	noID       = "01970000-0000-7000-8000-0000000000ff"
)

var (
	now        = time.Date(2026, 5, 11, 18, 10, 0, 0, time.UTC)
	finishedAt = time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)
	skyline    = recordtest.Map(1_001, "Skyline Run", 600)
	skyline2   = recordtest.Map(1_001, "Skyline Run", 601) // the same map with other physics
	garden     = recordtest.Map(1_002, "Garden", 700)
	ann        = access.Player(annID, "ann", nil) // as the token has it, in another case than the replay
	bob        = access.Player(bobID, "Bob", nil)
	anka       = access.Player(ankaID, "Anka", nil)
)

// bundle is a submitter with copies, owners and accepted records in memory.
type bundle struct {
	*record.Submitter
	copies *copies
	owners *owners
	stored *stored
}

// setup knows two maps and four players. Eve is banned, and Anka was merged into Ann.
func setup() *bundle {
	b := &bundle{copies: newCopies(), stored: &stored{}}
	b.owners = &owners{copies: *newCopies()}
	b.copies.maps[skylineID] = recordtest.Copy(skylineID, skyline)
	b.copies.maps[gardenID] = recordtest.Copy(gardenID, garden)
	for _, p := range []record.Player{
		{ID: annID, Version: 1, Name: "Ann", FormerNames: []string{"Anka"}, Registered: true},
		{ID: bobID, Version: 1, Name: "Bob", Registered: true},
		{ID: eveID, Version: 1, Name: "Eve", Registered: true, Banned: true},
		{ID: ankaID, Version: 2, Removed: true, MergedInto: annID},
	} {
		b.copies.players[p.ID] = p
	}
	b.Submitter = &record.Submitter{
		Maps: record.NewMaps(b.copies, b.owners), Players: lookup.NewPlayers(b.copies, b.owners.Player),
		Records: b.stored, Replays: b.stored, Parser: record.NewParser(),
		Now: func() time.Time { return now }, NewID: uuid.NewString,
	}
	return b
}

// submission is what an actor submits.
type submission struct {
	By          access.Actor
	Replay      []byte
	SelectedMap string
}

func (b *bundle) submit(ctx context.Context, in submission) (record.Submitted, error) {
	return b.Submit(ctx, access.Attribution{Actor: in.By},
		record.Submission{Replay: in.Replay, SelectedMap: in.SelectedMap})
}

// setMode changes the mode of a leaderboard.
func (b *bundle) setMode(id, mode string) {
	m := b.copies.maps[id]
	m.Mode = mode
	b.copies.maps[id] = m
}

// setMedals changes the medal times of a leaderboard.
func (b *bundle) setMedals(id string, medals racetime.Medals) {
	m := b.copies.maps[id]
	m.Medals = medals
	b.copies.maps[id] = m
}

// stored keeps what it was given.
type stored struct {
	// existing are records that others may duplicate, by their replay or their finish.
	existing []record.Record
	// mergedInto is whom the player of a record was merged into meanwhile, or empty.
	mergedInto string
	accepted   []record.Accepted
	files      int
	// whileStoring is called while a replay is stored.
	whileStoring func()
}

func (s *stored) FindDuplicate(_ context.Context, r record.Record) (record.Record, error) {
	for _, e := range s.existing {
		if e.ReplayHash == r.ReplayHash || e.FinishTime == r.FinishTime && e.FinishTimeStamp.Equal(r.FinishTimeStamp) {
			return e, nil
		}
	}
	return record.Record{}, record.ErrRecordUnknown
}

func (s *stored) Submit(_ context.Context, a record.Accepted) (record.Placement, error) {
	s.accepted = append(s.accepted, a)
	return record.Placement{
		PlayerID: cmp.Or(s.mergedInto, a.Record.PlayerID),
		Rank:     1, PersonalBest: a.Record.FinishTime != 55_000, PreviousBest: 50_000,
	}, nil
}

func (s *stored) Put(_ context.Context, hash string, _ []byte) (storedfile.Upload, error) {
	s.files++
	if s.whileStoring != nil {
		s.whileStoring()
	}
	return storedfile.Upload{Key: hash}, nil
}

// merge merges Bob into Ann.
func (b *bundle) merge() {
	b.copies.players[bobID] = event.PlayerState{ID: bobID, Version: 2, Removed: true, MergedInto: annID}
}

// annsReplay returns a replay that is accepted, with changes.
func annsReplay(t *testing.T, changes ...func(*lbreplay.Replay)) []byte {
	t.Helper()
	replay := recordtest.Replay(skyline, "Ann", 41_267, finishedAt)
	for _, change := range changes {
		change(replay)
	}
	return recordtest.File(t, replay)
}

// under is a change of a replay to another name.
func under(name string) func(*lbreplay.Replay) {
	return func(r *lbreplay.Replay) { r.PlayerName = name }
}

// medals are those of the skyline in tests of medals.
var medals = racetime.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000}

// copies are copies of maps and players in memory.
type copies struct {
	maps    map[string]record.Map
	players map[string]record.Player
}

// newCopies returns no copies.
func newCopies() *copies {
	return &copies{map[string]record.Map{}, map[string]record.Player{}}
}

// Map implements record.MapCopies and record.MapOwner.
func (c *copies) Map(_ context.Context, id string) (record.Map, error) {
	if m, ok := c.maps[strings.ToLower(id)]; ok {
		return m, nil
	}
	return record.Map{}, record.ErrMapUnknown
}

// MapVersion implements record.MapCopies and record.MapOwner.
func (c *copies) MapVersion(_ context.Context, id int64, fingerprint string) (record.Map, error) {
	for _, m := range c.maps {
		if m.GameMapID == id && m.Fingerprint == fingerprint && !m.Removed {
			return m, nil
		}
	}
	return record.Map{}, record.ErrMapUnknown
}

// Player implements lookup.PlayerCopies.
func (c *copies) Player(_ context.Context, id string) (record.Player, error) {
	if p, ok := c.players[id]; ok {
		return p, nil
	}
	return record.Player{}, record.ErrPlayerUnknown
}

// ApplyMap implements record.MapCopies.
func (c *copies) ApplyMap(_ context.Context, m record.Map) error {
	c.maps[m.ID] = m
	return nil
}

// ApplyPlayer implements lookup.PlayerCopies.
func (c *copies) ApplyPlayer(_ context.Context, p record.Player) error {
	c.players[p.ID] = p
	return nil
}

// owners are the owners of maps and players, who have other ones than the copies.
type owners struct {
	copies

	// unavailable is true where owners answer with errAway. asked counts the questions.
	unavailable bool
	asked       int
}

// errAway is the error of owners who cannot be asked.
var errAway = problem.Unavailable("service_unavailable", "Away.")

func (o *owners) ask() error {
	o.asked++
	if o.unavailable {
		return errAway
	}
	return nil
}

// Map implements record.MapCopies and record.MapOwner.
func (o *owners) Map(ctx context.Context, id string) (record.Map, error) {
	if err := o.ask(); err != nil {
		return record.Map{}, err
	}
	return o.copies.Map(ctx, id)
}

// MapVersion implements record.MapCopies and record.MapOwner.
func (o *owners) MapVersion(_ context.Context, id int64, fingerprint string) (record.Map, error) {
	if err := o.ask(); err != nil {
		return record.Map{}, err
	}
	answer, err := record.Map{}, error(record.ErrMapUnknown)
	for _, m := range o.maps {
		if m.GameMapID == id && (err != nil || m.Fingerprint == fingerprint) {
			answer, err = m, nil
		}
	}
	return answer, err
}

// Player returns a player, record.ErrPlayerUnknown or errAway.
func (o *owners) Player(ctx context.Context, id string) (record.Player, error) {
	if err := o.ask(); err != nil {
		return record.Player{}, err
	}
	return o.copies.Player(ctx, id)
}
