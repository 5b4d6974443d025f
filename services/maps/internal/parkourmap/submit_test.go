package parkourmap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapimage"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

// The problems of a submission, in the order in which they are returned.
var wrongs = []struct {
	name string
	make change
	want *problem.Problem
}{
	{"no replay", func(in *toSubmit, _ *lbreplay.Replay) { in.Replay = []byte{} },
		parkourmap.ErrReplayMissing},
	{"a replay over 5 MB", func(in *toSubmit, _ *lbreplay.Replay) {
		in.Replay = bytes.Repeat([]byte("x"), parkourmap.MaxReplaySize+1)
	}, parkourmap.ErrReplayTooLarge},
	{"no replay file at all", func(in *toSubmit, _ *lbreplay.Replay) { in.Replay = []byte("hello") },
		parkourmap.ErrReplayInvalid},
	{"a replay that is not validated", altered(func(r *lbreplay.Replay) {
		r.Validated = false
	}), parkourmap.ErrReplayNotValidated},
	{"a label that the map data denies", altered(func(r *lbreplay.Replay) {
		r.MapName = "Other"
	}), parkourmap.ErrReplayDisagrees},
	{"another player's replay", altered(func(r *lbreplay.Replay) {
		r.PlayerName = "stranger"
	}), parkourmap.ErrReplayNotYours},
	{"no map data", altered(func(r *lbreplay.Replay) { r.Map = nil }), parkourmap.ErrMapDataMissing},
	{"a map without an id", altered(func(r *lbreplay.Replay) { r.Map.ID, r.MapID = 0, 0 }), parkourmap.ErrMapIDMissing},
	{"a map without a name", renamed(""), parkourmap.ErrMapNameInvalid},
	{"a map whose name is a filler", renamed("\u3164"), parkourmap.ErrMapNameInvalid},
	{"a map whose name is marks", renamed("\u0300 \u0301"), parkourmap.ErrMapNameInvalid},
	{"a map whose name is an empty Braille pattern", renamed("\u2800"), parkourmap.ErrMapNameInvalid},
	{"a map of an author without an account", altered(func(r *lbreplay.Replay) {
		r.Map.Author = "Zéro"
	}), parkourmap.ErrMapAuthorInvalid},
	{"a map without an author", altered(func(r *lbreplay.Replay) { r.Map.Author = "" }), parkourmap.ErrMapAuthorInvalid},
	{"a map of which nothing says the mode", altered(func(r *lbreplay.Replay) {
		r.Map.Mode, r.GameMode = bonkmap.NoMode, lbreplay.UnknownGameMode
	}), parkourmap.ErrModeMissing},
	{"a football map", altered(func(r *lbreplay.Replay) {
		r.Map.Mode, r.GameMode = bonkmap.Football, "Football"
	}), parkourmap.ErrModeUnsupported},
	{"a replay that was played in another mode", altered(func(r *lbreplay.Replay) {
		r.GameMode = "Grapple"
	}), parkourmap.ErrGameModeDiffers},
	{"an edit that was not saved", altered(func(r *lbreplay.Replay) {
		r.Map.RemixOf = bonkmap.Original{ID: uint32(r.Map.ID), Name: "Sky", Author: "Snow"}
	}), parkourmap.ErrMapNotSaved},
	{"a map without a finish", altered(func(r *lbreplay.Replay) { r.Map.CapZones = nil }), parkourmap.ErrFinishMissing},
	{"a finish that may be in the middle", altered(func(r *lbreplay.Replay) {
		r.Map.Fixtures[0].Name = "cp1"
		r.Map.CapZones = append(r.Map.CapZones, bonkmap.CapZone{Name: "cp1", Fixture: 0, Kind: bonkmap.CapNormal})
	}), parkourmap.ErrFinishAmbiguous},
	{"no finish time", altered(func(r *lbreplay.Replay) { r.FinishTime = 0 }), parkourmap.ErrFinishTimeMissing},
	{"a replay from before the game", altered(func(r *lbreplay.Replay) {
		r.Timestamp = lbreplay.Earliest.Add(-time.Millisecond)
	}), parkourmap.ErrReplayTooOld},
	{"a replay from the future", altered(func(r *lbreplay.Replay) {
		r.Timestamp = now.Add(24 * time.Hour)
	}), parkourmap.ErrReplayFromFuture},
	{"no image", func(in *toSubmit, _ *lbreplay.Replay) { in.Image = nil }, parkourmap.ErrImageMissing},
	{"an image of no type", func(in *toSubmit, _ *lbreplay.Replay) { in.Image = []byte("<svg>") },
		errNoImage},
	{"a map of another author", authored("Rain"), parkourmap.ErrNotAuthorValidator},
	{"a map that exists", nil, parkourmap.ErrMapExists}, // in the other database
	{"eleven tags", func(in *toSubmit, _ *lbreplay.Replay) {
		in.Metadata.Tags = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}
	}, parkourmap.ErrMetadataRefused},
	{"a map that is too complex to be drawn", spawns(mapimage.MaxMarks + 1), parkourmap.ErrMapTooComplex},
	{"a damaged image", func(in *toSubmit, _ *lbreplay.Replay) {
		if string(in.Image) == "picture" {
			in.Image = []byte("picture, damaged")
		}
	}, errImageDamaged},
}

// Of two broken rules the first is returned, and nothing is stored.
func TestSubmitter_Submit_order(t *testing.T) {
	t.Parallel()
	b, existing := setup(t), setup(t)
	existing.submitted(t)
	for i, first := range wrongs {
		for _, later := range wrongs[i:] {
			if first.want == parkourmap.ErrReplayDisagrees && later.want == parkourmap.ErrMapDataMissing {
				continue // without map data there is nothing to disagree with
			}
			if first.want == parkourmap.ErrMapExists && later.want == parkourmap.ErrMapTooComplex {
				continue // with more spawns it is another version
			}
			b := b
			var changes []change
			for _, wrong := range []change{later.make, first.make} {
				if wrong != nil {
					changes = append(changes, wrong)
				} else {
					b = existing
				}
			}
			if _, err := b.submit(t, submission(t, changes...)); !errors.Is(err, first.want) {
				t.Errorf("%s before %s: error = %v, want %v", first.name, later.name, err, first.want)
			}
		}
	}
	if len(b.files.stored) != 0 || len(b.facts(t)) != 0 || len(existing.files.stored) != 6 || len(existing.facts(t)) != 1 {
		t.Errorf("refused submissions have stored %v %v", b.files.stored, existing.files.stored)
	}
}

func TestSubmitter_Submit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entry := b.submitted(t, altered(func(replay *lbreplay.Replay) {
		replay.Map.Contributors = []string{"Rain", "\x01"}
		replay.Map.RemixOf = bonkmap.Original{Name: "Old Sky", Author: "Rain", ID: 7}
	}))
	drawing := parkourmaptest.Drawing(1000, "Skyline Run", "cloudstep")
	want := parkourmap.Map{
		ID: entry.ID, Version: 1, MapVersion: 1, GameMapID: 1000, Name: "Skyline Run", Mode: bonkmap.Classic,
		AuthorID: cloudstep.ID, SubmittedByID: cloudstep.ID, Description: "Mind the gap.", Tags: []string{"speed"},
		Medals:       &racetime.Medals{Author: 41267, Gold: 43733, Silver: 49533, Bronze: 61900},
		Contributors: []string{"Rain"},
		RemixOf:      &parkourmap.Remix{GameMapID: 7, Name: "Old Sky", Author: "Rain"},
		Fingerprint:  drawing.PhysicsFingerprint().String(),
		Files: parkourmap.FileKeys{
			Image: "maps/full pic", Thumbnail: "maps/tiny pic", Replay: "replays/Map Name",
			Drawing: "drawings/<svg xml", Picture: "maps/drawn Sk", PictureThumbnail: "maps/small Sk",
			PictureBucket: "capzone-maps",
		},
		CreatedAt: now, UpdatedAt: now,
	}
	assert.Equal(t, "map", want, entry.Map)
	assert.Equal(t, "files", []string{
		"drawings/<svg xml", "maps/drawn Sk", "maps/small Sk", "maps/full pic", "maps/tiny pic", "replays/Map Name",
	}, b.files.claimed())
	facts := b.facts(t)
	if len(facts) != 1 || len(facts[0].ReplayHash) != 64 {
		t.Fatalf("facts: %+v", facts)
	}
	created := facts[0]
	created.ReplayHash = ""
	assert.Equal(t, "fact", event.MapCreated{
		MapID: entry.ID, SubmittedByID: cloudstep.ID, ReplayBucket: "capzone-maps", ReplayKey: "replays/Map Name",
		FinishTime: 41267, FinishTimeStamp: parkourmaptest.FinishedAt,
	}, created)
	if len(b.owner.asked) != 0 {
		t.Errorf("players were asked for %v, who are known", b.owner.asked)
	}
}

// A clock that is ahead by five minutes is tolerated. Beyond, the error says when the same file is accepted.
func TestSubmitter_Submit_clock_ahead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ahead := func(by time.Duration) change {
		return altered(func(r *lbreplay.Replay) { r.Timestamp = now.Add(by) })
	}
	_, err := b.submit(t, submission(t, ahead(lbreplay.MaxAhead+time.Minute)))
	checkError(t, "six minutes", parkourmap.ErrReplayFromFuture, err)
	assert.Equal(t, "sentence", "The replay's time stamp is 6 minutes in the future: the server's time is "+
		"2026-06-01 12:00:00 UTC. The clock of the computer that recorded it is ahead. The same file will be accepted "+
		"from 2026-06-01 12:01:01 UTC on.", problem.From(err).Message)
	b.submitted(t, ahead(lbreplay.MaxAhead))
	if facts := b.facts(t); len(facts) != 1 || !facts[0].FinishTimeStamp.Equal(now) {
		t.Errorf("facts: %+v", facts)
	}
}

func TestSubmitter_Submit_mode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, tt := range []struct {
		data        bonkmap.Mode
		label       string
		asked, want bonkmap.Mode
	}{
		{bonkmap.Classic, "Football", bonkmap.VTOL, bonkmap.Classic},
		{bonkmap.NoMode, "grapple", bonkmap.VTOL, bonkmap.Grapple},
		{bonkmap.NoMode, "Football", bonkmap.VTOL, bonkmap.VTOL},
	} {
		played := func(name, label string) change {
			return func(in *toSubmit, replay *lbreplay.Replay) {
				replay.Map.ID, replay.MapID, replay.Map.Name, replay.MapName = i+1, i+1, name, name
				replay.Map.Mode, replay.GameMode, in.Metadata.Mode = tt.data, label, tt.asked
				replay.Map.RemixOf = bonkmap.Original{ID: uint32(i + 1), Name: "Saved", Author: "CloudStep"}
			}
		}
		m, err := b.submit(t, submission(t, played("Sky", tt.label)))
		if err != nil || m.Mode != tt.want {
			t.Errorf("data %q, label %q: %q, %v", tt.data, tt.label, m.Mode, err)
		}
		_, err = b.submit(t, submission(t, played("Skyline", "Arrows")))
		if !errors.Is(err, parkourmap.ErrGameModeDiffers) {
			t.Errorf("data %q, an update that was played in another mode: %v", tt.data, err)
		}
	}
}

// Maps as players bring them, each with what its test data expect.
func TestSubmitter_Submit_edges(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "game", "testdata", "edges.json"))
	require.NoError(t, err)
	var edges []struct{ What, Expect, Encoded string }
	require.NoError(t, json.Unmarshal(text, &edges))
	problems := map[string]*problem.Problem{
		"refused: no finish": parkourmap.ErrFinishMissing, "refused: map_not_saved": parkourmap.ErrMapNotSaved,
		"the label of the replay gives the mode; without one the form asks": parkourmap.ErrModeMissing,
	}
	b := setup(t)
	for _, edge := range edges {
		m, err := bonkmap.Decode(edge.Encoded)
		require.NoError(t, err)
		author := parkourmap.Player{ID: uuid.NewString(), Version: 1, Name: m.Author}
		b.apply(t, author)
		replay := parkourmaptest.Replay(m, m.Author)
		in := toSubmit{by: access.Player(author.ID, author.Name, nil)}
		in.Image = []byte("picture")
		submit := func() (parkourmap.Submitted, error) {
			in.Replay = parkourmaptest.File(t, replay)
			return b.submit(t, in)
		}
		wanted := problems[edge.Expect]
		submitted, err := submit()
		if wanted != nil {
			checkError(t, edge.What, wanted, err)
		} else if err != nil || submitted.Name != m.Name || submitted.Author.Name != m.Author ||
			bytes.Count(b.files.drawing, []byte(`<text class="finish"`)) != 1 {
			t.Errorf("%s: %+v, %v, drawn as %s", edge.What, submitted.Map, err, b.files.drawing)
		}
		if wanted == parkourmap.ErrModeMissing {
			replay.GameMode = "Arrows"
			submitted, err := submit()
			if err != nil || submitted.Mode != bonkmap.Arrows {
				t.Errorf("%s, with a label: %+v, %v", edge.What, submitted.Map, err)
			}
		}
	}
}

// Rain owns the number of cloudstep's map by two wrong versions, one of them with the physics of the original.
func TestSubmitter_Submit_wrong_owner(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRoles(t, rain, access.Validator)
	version := func(
		by parkourmap.Player, author, name string, spawn float64, reason access.Reason,
	) (parkourmap.Submitted, error) {
		return b.submit(t, submission(t, func(in *toSubmit, replay *lbreplay.Replay) {
			in.by, replay.PlayerName = access.Player(by.ID, by.Name, nil), by.Name
			replay.Map.Author, replay.MapAuthor, replay.Map.Name, replay.MapName = author, author, name, name
			replay.Map.Spawns[0].Position.X = spawn
			in.Metadata.WrongOwnerReason = reason
		}))
	}
	same, errSame := version(rain, "Rain", "Sky", -280, "")
	other, errOther := version(rain, "Rain", "Sky", -270, "")
	require.NoError(t, errors.Join(errSame, errOther))
	for reason, want := range map[access.Reason]error{"mine": access.ErrForbidden, "": parkourmap.ErrMapExists} {
		checkError(t, "without a role, reason "+string(reason), want,
			errorOf(version(cloudstep, "cloudstep", "Skyline", -280, reason)))
	}
	for reason, want := range map[access.Reason]error{" ": access.ErrReasonMissing, "\x00": access.ErrReasonInvalid} {
		checkError(t, fmt.Sprintf("for %q", reason), want, errorOf(version(judge, "cloudstep", "Skyline", -280, reason)))
	}
	original, err := version(judge, "cloudstep", "Skyline", -280, " Rain's edit was not saved ")
	if err != nil || original.ID != same.ID || original.AuthorID != cloudstep.ID {
		t.Fatalf("the original: %+v, %v", original.Map, err)
	}
	checkError(t, "the version with other physics", parkourmap.ErrMapUnknown, errorOf(b.maps.Entry(t.Context(), other.ID)))
	if next, err := version(cloudstep, "cloudstep", "Skyline", -260, ""); err != nil || next.MapVersion != 3 {
		t.Errorf("the author's next version: %d, %v", next.MapVersion, err)
	}
	type row struct{ Subject, Reason string }
	want := []row{{same.ID, "Rain's edit was not saved"}, {other.ID, "Rain's edit was not saved"}}
	const auditedSQL = "select subject, reason from audit where action = 'replace wrong owner of map' order by id"
	assert.Equal(t, "audit log", want, pgtest.Rows[row](t, b.pool, auditedSQL))
	require.NoError(t, b.moderate(t, access.RestoreMap, other.ID, "a mistake"))
}

// A number of which moderators have removed all wrong versions is free for the author's map.
func TestSubmitter_Submit_removed_wrong_owner(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wrong := b.submitted(t)
	b.remove(t, wrong.ID)
	original := submission(t, validator, func(in *toSubmit, replay *lbreplay.Replay) {
		replay.Map.Author, replay.MapAuthor, replay.Map.Spawns[0].Priority = "Rain", "Rain", 9
		in.Metadata.WrongOwnerReason = "stolen"
	})
	if m, err := b.submit(t, original); err != nil || m.AuthorID != rain.ID || m.MapVersion != 2 {
		t.Errorf("the original: %+v, %v", m.Map, err)
	}
}

func TestSubmitter_Submit_roles(t *testing.T) {
	t.Parallel()
	medals := parkourmap.RequestedMedals{Gold: ms(45000)}
	none := parkourmap.RequestedMedals{}
	for _, tt := range []struct {
		name   string
		author string
		roles  []string
		asked  parkourmap.RequestedMedals
		want   *problem.Problem
		medals bool
	}{
		{"the author, with medals", "cloudstep", nil, medals, nil, true},
		{"the author by another spelling of the name", " CloudStep", nil, medals, nil, true},
		{"the author who is a validator too", "cloudstep", []string{"validator"}, medals, nil, true},
		{"a player with another author's map", "Rain", nil, none, parkourmap.ErrNotAuthorValidator, false},
		{"a player with a badge", "Rain", []string{"Artist", "Validators"}, none, parkourmap.ErrNotAuthorValidator, false},
		{"a validator", "Rain", []string{"validator"}, none, nil, false},
		{"an admin", "Rain", []string{"admin"}, none, nil, false},
		{"a validator, with medals", "Rain", []string{"validator"}, medals, parkourmap.ErrMedalsNotAuthor, false},
		{"a validator, with an author time alone", "Rain", []string{"validator"},
			parkourmap.RequestedMedals{Author: ms(41267)}, parkourmap.ErrMedalsNotAuthor, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.setRoles(t, cloudstep, tt.roles...)
			entry, err := b.submit(t, submission(t, func(in *toSubmit, replay *lbreplay.Replay) {
				replay.Map.Author, replay.MapAuthor = tt.author, tt.author
				in.Metadata.Medals = tt.asked
			}))
			if tt.want != nil {
				checkError(t, "the submission", tt.want, err)
				return
			}
			if err != nil || (entry.Medals != nil) != tt.medals || entry.SubmittedByID != cloudstep.ID {
				t.Errorf("submitted %+v, %v, want medals: %v", entry.Map, err, tt.medals)
			}
		})
	}
}

// The roles are those of the copy, which may be newer or older than the access token.
func TestSubmitter_Submit_revoked_role(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := access.Player(judge.ID, "Judge", []string{access.Validator})
	validated := func(in *toSubmit, replay *lbreplay.Replay) { in.by, replay.PlayerName = token, "Judge" }
	b.setRoles(t, judge)
	checkError(t, "with a role that was revoked", parkourmap.ErrNotAuthorValidator,
		errorOf(b.submit(t, submission(t, validated))))
}

func TestSubmitter_Submit_banned_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	banned := cloudstep
	banned.Version, banned.Banned = 2, true
	b.apply(t, banned)
	in := toSubmit{by: access.Player(cloudstep.ID, cloudstep.Name, []string{"admin"})}
	checkError(t, "the error", parkourmap.ErrSubmitterBanned, errorOf(b.submit(t, in)))
}

func TestSubmitter_Submit_unknown_author(t *testing.T) {
	t.Parallel()
	newcomer := authored("newcomer")
	b := setup(t)
	b.owner.away = true
	_, err := b.submit(t, submission(t, newcomer, validator))
	if problem.From(err).Kind != problem.KindUnavailable {
		t.Errorf("without the players service: %v, want an unavailable one", err)
	}
	if len(b.files.stored) != 0 || len(outboxtest.All(t, b.pool)) != 0 {
		t.Errorf("left behind: %v %v", b.files.stored, b.facts(t))
	}
	b.submitted(t) // the players are known
	b.owner.away = false
	entry := b.submitted(t, newcomer, validator, altered(func(replay *lbreplay.Replay) {
		replay.Map.ID, replay.MapID = 1001, 1001
	}))
	if entry.Author.Name != "newcomer" || entry.SubmittedBy.Name != "Judge" {
		t.Errorf("by %q, submitted by %q", entry.Author.Name, entry.SubmittedBy.Name)
	}
}

// Rain was Drizzle before, and the map names an original with the same game map id.
func TestSubmitter_Submit_edit_of_former_name(t *testing.T) {
	t.Parallel()
	named := rain
	named.Version, named.FormerNames = 2, []string{"Drizzle"}
	for _, tt := range []struct {
		name, author, original string
		want                   error
	}{
		{"an own edit of a map that names the former name", "Rain", "DRIZZLE", nil},
		{"an own edit under the former name", "Drizzle", "rain", nil},
		{"an edit of another player's map", "Rain", "Snow", parkourmap.ErrMapNotSaved},
		{"another player's edit", "Snow", "Drizzle", parkourmap.ErrMapNotSaved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.apply(t, named)
			_, err := b.submit(t, submission(t, func(in *toSubmit, replay *lbreplay.Replay) {
				*replay = *parkourmaptest.Replay(parkourmaptest.Drawing(1000, "Skyline Run", tt.author), "Rain")
				replay.Map.RemixOf = bonkmap.Original{ID: uint32(replay.Map.ID), Name: "Sky", Author: tt.original}
				in.by = access.Player(rain.ID, "Rain", nil)
			}))
			if !errors.Is(err, tt.want) {
				t.Errorf("returned %v, want %v", err, tt.want)
			}
		})
	}
}

// Drizzle was merged into Rain; access tokens of Drizzle are still valid.
func TestSubmitter_Submit_merged_player(t *testing.T) {
	t.Parallel()
	drizzle := parkourmap.Player{ID: "0198c2f4-0000-7000-8000-000000000003", Version: 1, Name: "Drizzle"}
	gone := parkourmap.Player{ID: drizzle.ID, Version: 2, Removed: true, MergedInto: rain.ID}
	named := rain
	named.Version, named.FormerNames = 2, []string{"Drizzle"}
	// A map by Drizzle, with a record by Drizzle and medal times, as only the author may set them.
	by := func(caller access.Actor) change {
		return func(in *toSubmit, replay *lbreplay.Replay) {
			*replay = *parkourmaptest.Replay(parkourmaptest.Drawing(1000, "Skyline Run", "DRIZZLE"), "drizzle")
			in.by = caller
			in.Metadata.Medals = parkourmap.RequestedMedals{Gold: ms(50000), Silver: ms(60000), Bronze: ms(70000)}
		}
	}
	for _, tt := range []struct {
		name string
		by   access.Actor
		want error
	}{
		{"who had the former name is the author", access.Player(rain.ID, "Rain", nil), nil},
		{"a token from before the merge hands in for the player", access.Player(drizzle.ID, "Drizzle", nil), nil},
		{"another player is not", access.Player(cloudstep.ID, "cloudstep", nil), parkourmap.ErrReplayNotYours},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.apply(t, gone, named)
			entry, err := b.submit(t, submission(t, by(tt.by)))
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
		b.apply(t, drizzle)
		b.Files = mergingMeanwhile{b.files, func() { b.apply(t, gone, named) }}
		entry, err := b.submit(t, submission(t, by(access.Player(drizzle.ID, "Drizzle", nil))))
		if err != nil || entry.AuthorID != rain.ID || entry.SubmittedByID != rain.ID {
			t.Errorf("the map is %+v, %v", entry.Map, err)
		}
		if facts := b.facts(t); len(facts) != 1 || facts[0].SubmittedByID != rain.ID {
			t.Errorf("facts: %+v", facts)
		}
	})
}

// mergingMeanwhile merges players while the replay is stored.
type mergingMeanwhile struct {
	*files
	merge func()
}

func (m mergingMeanwhile) PutReplay(ctx context.Context, replay []byte) (storedfile.Upload, error) {
	m.merge()
	return m.files.PutReplay(ctx, replay)
}

func TestSubmitter_Submit_unreadable_timestamp(t *testing.T) {
	t.Parallel()
	in := submission(t)
	in.Replay = bytes.Replace(in.Replay, []byte("Timestamp: 2026"), []byte("Timestamp: in 2026"), 1)
	checkError(t, "Submit", parkourmap.ErrTimestampUnreadable, errorOf(setup(t).submit(t, in)))
}

// What players do with their own maps leaves no row.
func TestSubmitter_Submit_audit_log(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRoles(t, cloudstep, access.Validator)
	submit := func(changes ...change) string { return b.submitted(t, changes...).ID }
	own := submit()
	if rows := b.submissionsAudited(t); len(rows) != 0 {
		t.Errorf("the author's own submission: %+v", rows)
	}
	if id := submit(validator, renamed("Skyline")); id != own {
		t.Fatalf("the update of map %s is %s", own, id)
	}
	others := submit(validator, altered(func(replay *lbreplay.Replay) { replay.Map.ID, replay.MapID = 1001, 1001 }))
	// An operator has corrected the author: by the name in the game the map would be the submitter's own.
	b.reassignToRain(t, own)
	submit(renamed("Skyline Walk"))

	audited := func(name string, gameMapID float64, author parkourmap.Player) map[string]any {
		return map[string]any{
			"name": name, "gameMapId": gameMapID, "mapVersion": 1.0, "authorId": author.ID, "removed": false, "unranked": false,
		}
	}
	want := []auditedSubmission{
		{judge.ID, own, audited("Skyline Run", 1000, cloudstep), audited("Skyline", 1000, cloudstep)},
		{judge.ID, others, map[string]any{}, audited("Skyline Run", 1001, cloudstep)},
		{cloudstep.ID, own, audited("Skyline", 1000, rain), audited("Skyline Walk", 1000, rain)},
	}
	assert.Equal(t, "audit log", want, b.submissionsAudited(t))
}

// The log names whom a player was merged into, also where the token is of before the merge.
func TestSubmitter_Submit_audit_log_merged_player(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.apply(t, parkourmap.Player{ID: judge.ID, Version: 2, Removed: true, MergedInto: rain.ID})
	b.setRoles(t, rain, access.Validator)
	id := b.submitted(t, validator).ID
	edit := parkourmap.RequestedEdit{Description: new("By a validator.")}
	require.NoError(t, b.edit(t, b.editor(&medalCounts{}), byJudge, id, edit))
	type row struct{ Actor, ActorName, Action string }
	assert.Equal(t, "audit log", []row{
		{rain.ID, "Rain", "submit map of another"}, {rain.ID, "Rain", "edit map of another"},
	}, pgtest.Rows[row](t, b.pool, "select actor, actor_name, action from audit order by id"))
}

type auditedSubmission struct {
	Actor, Subject string
	Before, After  map[string]any
}

// submissionsAudited returns the rows of the audit log about submissions.
func (b bundle) submissionsAudited(t *testing.T) []auditedSubmission {
	t.Helper()
	return pgtest.Rows[auditedSubmission](t, b.pool,
		"select actor, subject, before, after from audit where action = 'submit map of another' order by id")
}
