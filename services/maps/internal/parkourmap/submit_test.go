package parkourmap_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/maptest"
	"capzone.dev/services/maps/internal/parkourmap"
)

// The things that can be wrong, in the order in which they are told.
var wrongs = []struct {
	name string
	make change
	want *problem.Problem
}{
	{"no replay", func(in *parkourmap.Submission, _ *lbreplay.Replay) { in.Replay = []byte{} }, parkourmap.ErrReplayMissing},
	{"a replay over 5 MB", func(in *parkourmap.Submission, _ *lbreplay.Replay) {
		in.Replay = bytes.Repeat([]byte("x"), parkourmap.MaxReplaySize+1)
	}, parkourmap.ErrReplayTooLarge},
	{"no replay file at all", func(in *parkourmap.Submission, _ *lbreplay.Replay) { in.Replay = []byte("hello") }, parkourmap.ErrReplayInvalid},
	{"a run that the mod has not validated", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Validated = false }, parkourmap.ErrReplayNotValidated},
	{"a label that the map data denies", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.MapName = "Other" }, parkourmap.ErrReplayDisagrees},
	{"somebody else's run", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.PlayerName = "stranger" }, parkourmap.ErrReplayNotYours},
	{"no map data", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Map = nil }, parkourmap.ErrMapDataMissing},
	{"a map without an id", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Map.ID, run.MapID = 0, 0 }, parkourmap.ErrMapIDMissing},
	{"a map without a name", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Map.Name, run.MapName = "", "" }, parkourmap.ErrMapNameInvalid},
	{"a map of an author without an account", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Map.Author = "Zéro" }, parkourmap.ErrMapAuthorInvalid},
	{"a map without an author", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Map.Author = "" }, parkourmap.ErrMapAuthorInvalid},
	{"a football map", func(_ *parkourmap.Submission, run *lbreplay.Replay) {
		run.Map.Mode, run.GameMode = bonkmap.Football, "Football"
	}, parkourmap.ErrModeUnsupported},
	{"a map without a finish", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Map.CapZones = nil }, parkourmap.ErrFinishMissing},
	{"a finish that may be in the middle", func(_ *parkourmap.Submission, run *lbreplay.Replay) {
		run.Map.Fixtures[0].Name = "cp1"
		run.Map.CapZones = append(run.Map.CapZones, bonkmap.CapZone{Name: "cp1", Fixture: 0, Kind: bonkmap.CapNormal})
	}, parkourmap.ErrFinishAmbiguous},
	{"no finish time", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.FinishTime = 0 }, parkourmap.ErrFinishTimeMissing},
	{"a run from before the game", func(_ *parkourmap.Submission, run *lbreplay.Replay) {
		run.Timestamp = lbreplay.Earliest.Add(-time.Millisecond)
	}, parkourmap.ErrReplayTooOld},
	{"a run from tomorrow", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Timestamp = now.Add(24 * time.Hour) }, parkourmap.ErrReplayFromFuture},
	{"no picture", func(in *parkourmap.Submission, _ *lbreplay.Replay) { in.Image = nil }, parkourmap.ErrImageMissing},
	{"a picture that is none", func(in *parkourmap.Submission, _ *lbreplay.Replay) { in.Image = []byte("<svg>") }, errNoPicture},
	{"somebody else's map", func(_ *parkourmap.Submission, run *lbreplay.Replay) { run.Map.Author, run.MapAuthor = "Rain", "Rain" }, parkourmap.ErrNotAuthorValidator},
	{"a map that is there", nil, parkourmap.ErrMapExists}, // made by the test
	{"metadata that is no JSON", func(in *parkourmap.Submission, _ *lbreplay.Replay) { in.Metadata = []byte("tags=a") }, parkourmap.ErrMetadataMalformed},
	{"eleven tags", func(in *parkourmap.Submission, _ *lbreplay.Replay) {
		in.Metadata = []byte(`{"tags":["a","b","c","d","e","f","g","h","i","j","k"]}`)
	}, parkourmap.ErrMetadataRefused},
}

// Of every two things that are wrong, the first in the order is told, and nothing is left behind.
func TestWhatIsWrongFirstIsTold(t *testing.T) {
	t.Parallel()
	for i, first := range wrongs {
		for _, later := range wrongs[i:] {
			if first.want == parkourmap.ErrReplayDisagrees && later.want == parkourmap.ErrMapDataMissing {
				continue // there is nothing to disagree with
			}
			t.Run(first.name+" before "+later.name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				var changes []change
				for _, wrong := range []change{later.make, first.make} {
					if wrong != nil {
						changes = append(changes, wrong)
					} else if _, err := b.Submit(t.Context(), submission(t)); err != nil && !errors.Is(err, parkourmap.ErrMapExists) {
						t.Fatal(err)
					}
				}
				before, kept := b.maps.Left(), len(b.files.kept)
				if _, err := b.Submit(t.Context(), submission(t, changes...)); !errors.Is(err, first.want) {
					t.Errorf("error = %v, want %v", err, first.want)
				}
				if diff := cmp.Diff(before, b.maps.Left()); diff != "" || len(b.files.kept) != kept {
					t.Errorf("left behind: files %v, events:\n%s", b.files.kept[kept:], diff)
				}
			})
		}
	}
}

func TestTheAuthorSubmits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entry, err := b.Submit(t.Context(), submission(t, func(_ *parkourmap.Submission, run *lbreplay.Replay) {
		run.Map.Contributors = []string{"Rain", "\x01"}
		run.Map.RemixOf = bonkmap.Original{Name: "Old Sky", Author: "Rain", ID: 7}
	}))
	if err != nil {
		t.Fatal(err)
	}
	drawing := maptest.Drawing(1000, "Skyline Run", "cloudstep")
	want := parkourmap.Map{
		ID: entry.ID, Version: 1, BonkDBID: 1000, Name: "Skyline Run", Mode: bonkmap.Classic,
		AuthorID: cloudstep.ID, SubmittedByID: cloudstep.ID, Description: "Mind the gap.", Tags: []string{"speed"},
		Medals:       &racetime.Medals{Author: 41267, Gold: 43733, Silver: 49533, Bronze: 61900},
		Contributors: []string{"Rain"},
		RemixOf:      &parkourmap.Remix{BonkDBID: 7, Name: "Old Sky", Author: "Rain"},
		Fingerprint:  drawing.PhysicsFingerprint().String(),
		Files:        parkourmap.FileKeys{Image: "maps/full pic", Thumbnail: "maps/tiny pic", Replay: "replays/Map Name"},
		CreatedAt:    now, UpdatedAt: now,
	}
	if diff := cmp.Diff(want, entry.Map); diff != "" {
		t.Errorf("map (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"replays/Map Name", "maps/full pic", "maps/tiny pic"}, b.maps.Claimed()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	left := b.maps.Left()
	if len(left.Facts) != 1 {
		t.Fatalf("facts: %v", left.Facts)
	}
	created, ok := left.Facts[0].(event.MapCreated)
	if !ok || len(created.ReplayHash) != 64 {
		t.Fatalf("fact: %+v", left.Facts[0])
	}
	created.ReplayHash = ""
	if diff := cmp.Diff(event.MapCreated{
		MapID: entry.ID, SubmittedByID: cloudstep.ID, ReplayBucket: "capzone-maps", ReplayKey: "replays/Map Name",
		FinishTime: 41267, FinishTimeStamp: maptest.RunAt,
	}, created); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	if len(b.owner.asked) != 0 {
		t.Errorf("players were asked for %v, who are known", b.owner.asked)
	}
}

// Who may submit whose map, and who may set its medals.
func TestWhoMaySubmit(t *testing.T) {
	t.Parallel()
	const (
		medals = `{"medalTimes":{"gold":45000}}`
		nulls  = `{"medalTimes":{"author":null,"gold":null,"silver":null,"bronze":null}}`
	)
	for _, tt := range []struct {
		name     string
		author   string
		roles    []string
		metadata string
		want     *problem.Problem
		medals   bool
	}{
		{"the author", "cloudstep", nil, "", nil, true},
		{"the author, with medals", "cloudstep", nil, medals, nil, true},
		{"the author by another spelling of the name", " CloudStep", nil, medals, nil, true},
		{"the author who is a validator too", "cloudstep", []string{"validator"}, medals, nil, true},
		{"a player with somebody else's map", "Rain", nil, "", parkourmap.ErrNotAuthorValidator, false},
		{"a player with a badge", "Rain", []string{"Artist", "Validators"}, "", parkourmap.ErrNotAuthorValidator, false},
		{"a validator", "Rain", []string{"validator"}, "", nil, false},
		{"a moderator", "Rain", []string{"moderator"}, "", nil, false},
		{"an admin", "Rain", []string{"admin"}, "", nil, false},
		{"a validator, with medals of null", "Rain", []string{"validator"}, nulls, nil, false},
		{"a validator, with medals", "Rain", []string{"validator"}, medals, parkourmap.ErrMedalsNotAuthor, false},
		{"a validator, with an author time alone", "Rain", []string{"validator"}, `{"medalTimes":{"author":41267}}`, parkourmap.ErrMedalsNotAuthor, false},
		{"an admin, with medals", "Rain", []string{"admin"}, medals, parkourmap.ErrMedalsNotAuthor, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			entry, err := b.Submit(t.Context(), submission(t, func(in *parkourmap.Submission, run *lbreplay.Replay) {
				run.Map.Author, run.MapAuthor = tt.author, tt.author
				in.By.Roles = tt.roles
				in.Metadata = []byte(tt.metadata)
			}))
			if tt.want != nil {
				if !errors.Is(err, tt.want) {
					t.Errorf("error = %v, want %v", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if (entry.Medals != nil) != tt.medals {
				t.Errorf("medals = %v, want any: %v", entry.Medals, tt.medals)
			}
			if entry.SubmittedByID != cloudstep.ID {
				t.Errorf("submitted by %s", entry.SubmittedByID)
			}
		})
	}
}

func TestABannedPlayerIsRefusedBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	banned := cloudstep
	banned.Version, banned.Banned = 2, true
	if err := b.maps.TakePlayer(t.Context(), banned); err != nil {
		t.Fatal(err)
	}
	in := parkourmap.Submission{By: parkourmap.Caller{ID: cloudstep.ID, Name: cloudstep.Name, Roles: []string{"admin"}}}
	if _, err := b.Submit(t.Context(), in); !errors.Is(err, parkourmap.ErrPlayerBanned) {
		t.Errorf("error = %v", err)
	}
}

func TestAnUnknownAuthorIsEnsured(t *testing.T) {
	t.Parallel()
	byValidator := func(in *parkourmap.Submission, run *lbreplay.Replay) {
		run.Map.Author, run.MapAuthor = "newcomer", "newcomer"
		in.By.Roles = []string{"validator"}
	}
	t.Run("and kept as a copy", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		entry, err := b.Submit(t.Context(), submission(t, byValidator))
		if err != nil {
			t.Fatal(err)
		}
		if entry.Author.Name != "newcomer" || entry.SubmittedBy.Name != "cloudstep" {
			t.Errorf("by %q, submitted by %q", entry.Author.Name, entry.SubmittedBy.Name)
		}
	})
	t.Run("or nothing is stored, where players is away", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.owner.away = true
		_, err := b.Submit(t.Context(), submission(t, byValidator))
		if problem.From(err).Kind != problem.KindUnavailable {
			t.Errorf("error = %v, want an unavailable one", err)
		}
		if len(b.files.kept) != 0 || len(b.maps.Left().States) != 0 {
			t.Errorf("left behind: %v %v", b.files.kept, b.maps.Left())
		}
	})
	t.Run("while a known one is not asked for", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.owner.away = true
		if _, err := b.Submit(t.Context(), submission(t)); err != nil {
			t.Error(err)
		}
	})
}

func TestARemovedMapCannotComeBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entry, err := b.Submit(t.Context(), submission(t))
	if err != nil {
		t.Fatal(err)
	}
	operator := parkourmap.Operator{Account: "root", Maps: b.maps, Players: b.Players}
	if err := operator.Remove(t.Context(), entry.ID, "stolen"); err != nil {
		t.Fatal(err)
	}
	_, err = b.Submit(t.Context(), submission(t))
	if !errors.Is(err, parkourmap.ErrMapRemoved) || problem.From(err).Data["_id"] != entry.ID {
		t.Errorf("error = %v", err)
	}
}

// Rain was Drizzle before, and there is Drizzle's token still.
func TestMapsOfAPlayerWhoWasMerged(t *testing.T) {
	t.Parallel()
	drizzle := parkourmap.Player{ID: "0198c2f4-0000-7000-8000-000000000003", Version: 1, Name: "Drizzle"}
	gone := parkourmap.Player{ID: drizzle.ID, Version: 2, Removed: true, MergedInto: rain.ID}
	named := rain
	named.Version, named.FormerNames = 2, []string{"Drizzle"}
	take := func(t *testing.T, b bundle, players ...parkourmap.Player) {
		t.Helper()
		for _, p := range players {
			if err := b.maps.TakePlayer(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
	}
	// A map by Drizzle, with a run by Drizzle and medal times, as only the author may set them.
	by := func(caller parkourmap.Caller) change {
		return func(in *parkourmap.Submission, run *lbreplay.Replay) {
			*run = *maptest.Run(maptest.Drawing(1000, "Skyline Run", "DRIZZLE"), "drizzle")
			in.By = caller
			in.Metadata = []byte(`{"medalTimes":{"gold":50000,"silver":60000,"bronze":70000}}`)
		}
	}
	for _, tt := range []struct {
		name string
		by   parkourmap.Caller
		want error
	}{
		{"who had the former name is the author", parkourmap.Caller{ID: rain.ID, Name: "Rain"}, nil},
		{"a token from before the merge hands in for the player", parkourmap.Caller{ID: drizzle.ID, Name: "Drizzle"}, nil},
		{"nobody else is", parkourmap.Caller{ID: cloudstep.ID, Name: "cloudstep"}, parkourmap.ErrReplayNotYours},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			take(t, b, gone, named)
			entry, err := b.Submit(t.Context(), submission(t, by(tt.by)))
			if !errors.Is(err, tt.want) {
				t.Fatalf("returned %v, want %v", err, tt.want)
			}
			if err == nil && (entry.AuthorID != rain.ID || entry.SubmittedByID != rain.ID || entry.Medals == nil) {
				t.Errorf("the map is %+v", entry.Map)
			}
		})
	}
	t.Run("merged between the check and the keeping, the map is the player's", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		take(t, b, drizzle)
		b.Files = mergingMeanwhile{b.files, func() { take(t, b, gone, named) }}
		entry, err := b.Submit(t.Context(), submission(t, by(parkourmap.Caller{ID: drizzle.ID, Name: "Drizzle"})))
		if err != nil || entry.AuthorID != rain.ID || entry.SubmittedByID != rain.ID {
			t.Errorf("the map is %+v, %v", entry.Map, err)
		}
		if facts := b.maps.Left().Facts; len(facts) != 1 || facts[0].(event.MapCreated).SubmittedByID != rain.ID {
			t.Errorf("told: %+v", facts)
		}
	})
}

// mergingMeanwhile merges players while the replay is stored.
type mergingMeanwhile struct {
	*files
	merge func()
}

func (m mergingMeanwhile) KeepReplay(ctx context.Context, replay []byte) (objectstore.Upload, error) {
	m.merge()
	return m.files.KeepReplay(ctx, replay)
}

func TestSubmitter_Submit_unreadableTimestamp(t *testing.T) {
	t.Parallel()
	file, err := lbreplay.Write(maptest.Run(maptest.Drawing(1000, "Skyline Run", "cloudstep"), "cloudstep"))
	if err != nil {
		t.Fatal(err)
	}
	in := submission(t)
	in.Replay = bytes.Replace(file, []byte("Timestamp: 2026"), []byte("Timestamp: in 2026"), 1)
	if _, err := setup(t).Submit(t.Context(), in); !errors.Is(err, parkourmap.ErrTimestampUnreadable) {
		t.Errorf("Submit returned %v, want ErrTimestampUnreadable", err)
	}
}
