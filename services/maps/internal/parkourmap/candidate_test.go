package parkourmap_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

// The ways in which a map differs from the one that was submitted first.
func recoloured(_ *toSubmit, replay *lbreplay.Replay) { replay.Map.Fixtures[0].Colour = 1 }

func widened(width float64) change {
	return func(_ *toSubmit, replay *lbreplay.Replay) {
		replay.Map.Shapes[0] = bonkmap.Box{Width: width, Height: 20}
	}
}

// The submitters.
func validator(in *toSubmit, replay *lbreplay.Replay) {
	in.by = access.Player(judge.ID, "Judge", nil)
	replay.PlayerName = "Judge"
}

// stranger is the author according to the map's data, but not according to version 1.
func stranger(in *toSubmit, replay *lbreplay.Replay) {
	in.by = access.Player(rain.ID, "Rain", nil)
	replay.PlayerName, replay.Map.Author, replay.MapAuthor = "Rain", "Rain", "Rain"
}

func byAuthor(*toSubmit, *lbreplay.Replay) {}

// versions returns the versions of the game map 1000 as "<number>[ superseded][ removed]".
func (b bundle) versions(t *testing.T) (versions []string) {
	t.Helper()
	for _, v := range b.known(t) {
		text := fmt.Sprint(v.MapVersion)
		switch {
		case v.IsRemoved():
			text += " removed"
		case v.Superseded:
			text += " superseded"
		}
		versions = append(versions, text)
	}
	return versions
}

// known returns the versions of the game map 1000.
func (b bundle) known(t *testing.T) parkourmap.Versions {
	t.Helper()
	known, err := b.maps.KnownVersions(t.Context(), parkourmap.Candidate{Map: parkourmap.Map{GameMapID: 1000}})
	require.NoError(t, err)
	return known.Versions
}

func (b bundle) submitted(t *testing.T, changes ...change) parkourmap.Submitted {
	t.Helper()
	submitted, err := b.submit(t, submission(t, changes...))
	require.NoError(t, err)
	return submitted
}

func TestSubmitter_Submit_versions(t *testing.T) {
	t.Parallel()
	by := map[string]change{"author": byAuthor, "validator": validator, "stranger": stranger}
	data := map[string]change{
		"same": byAuthor, "colours": recoloured, "physics 2": widened(700), "physics 3": widened(800),
	}
	for _, tt := range []struct {
		known    string // the versions before; x means removed
		by, data string
		err      *problem.Problem
		id       int // of the version that is updated or created, or that the error names
		after    string
	}{
		{"1", "author", "same", parkourmap.ErrMapExists, 1, "1"},
		{"1", "author", "colours", nil, 1, "1"},
		{"1", "author", "physics 2", nil, 2, "1 superseded, 2"},
		{"1", "validator", "same", parkourmap.ErrMapExists, 1, "1"},
		{"1", "validator", "colours", nil, 1, "1"},
		{"1", "validator", "physics 2", nil, 2, "1 superseded, 2"},
		{"1", "stranger", "colours", parkourmap.ErrNotAuthorValidator, 0, "1"},
		{"1", "stranger", "physics 2", parkourmap.ErrNotAuthorValidator, 0, "1"},
		{"1 2", "author", "same", parkourmap.ErrMapExists, 1, "1 superseded, 2"},
		{"1 2", "author", "colours", parkourmap.ErrMapExists, 1, "1 superseded, 2"},
		{"1 2", "author", "physics 3", nil, 3, "1 superseded, 2 superseded, 3"},
		{"1 2", "stranger", "physics 3", parkourmap.ErrNotAuthorValidator, 0, "1 superseded, 2"},
		{"1x", "author", "same", parkourmap.ErrMapRemoved, 1, "1 removed"},
		{"1x", "validator", "colours", parkourmap.ErrMapRemoved, 1, "1 removed"},
		{"1x", "author", "physics 2", parkourmap.ErrMapRemoved, 1, "1 removed"},
		{"1 2x", "author", "physics 2", parkourmap.ErrMapRemoved, 2, "1, 2 removed"},
		{"1 2x", "author", "colours", nil, 1, "1, 2 removed"},
		{"1 2x", "author", "physics 3", nil, 3, "1 superseded, 2 removed, 3"},
		{"1x 2", "validator", "colours", parkourmap.ErrMapRemoved, 1, "1 removed, 2"},
		{"1x 2", "author", "physics 3", nil, 3, "1 removed, 2 superseded, 3"},
		{"1x 2", "stranger", "physics 3", parkourmap.ErrNotAuthorValidator, 0, "1 removed, 2"},
		{"1x 2x", "validator", "physics 3", parkourmap.ErrMapRemoved, 2, "1 removed, 2 removed"},
	} {
		t.Run(tt.known+", "+tt.by+", "+tt.data, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			known := strings.Fields(tt.known)
			var ids []string
			for i := range known {
				ids = append(ids, b.submitted(t, []change{byAuthor, widened(700)}[i]).ID)
			}
			for i, version := range known {
				if strings.HasSuffix(version, "x") {
					b.remove(t, ids[i])
				}
			}
			submitted, err := b.submit(t, submission(t, by[tt.by], data[tt.data]))
			if submitted.Created {
				ids = append(ids, submitted.ID)
			}
			switch {
			case tt.err == nil && (err != nil || len(ids) < tt.id || submitted.ID != ids[tt.id-1]):
				t.Errorf("submitted %s of %v, %v, want version %d", submitted.ID, ids, err, tt.id)
			case tt.err != nil && (!errors.Is(err, tt.err) || tt.id > 0 && problem.From(err).Data["_id"] != ids[tt.id-1]):
				t.Errorf("error = %v, want %v of version %d of %v", err, tt.err, tt.id, ids)
			}
			assert.Equal(t, "versions", tt.after, strings.Join(b.versions(t), ", "))
		})
	}
}

// An update changes what is submitted, and the state only; a version has its own first record.
func TestSubmitter_Submit_update(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.submitted(t)
	second := b.submitted(t, validator, recoloured, func(in *toSubmit, replay *lbreplay.Replay) {
		replay.Map.Name, replay.MapName = "Skyline Run 2", "Skyline Run 2"
		in.Image, in.UseDrawing = nil, true
		in.Metadata = parkourmap.Metadata{Description: new("Brighter."), Tags: []string{"new"}}
	})
	want := first.Map
	want.Version, want.Name, want.Description, want.Tags = 2, "Skyline Run 2", "Brighter.", []string{"new"}
	want.UpdatedAt = first.UpdatedAt.Add(time.Millisecond) // both are submitted at the same time
	want.Files.Image, want.Files.Thumbnail = "", ""
	want.Files.Picture, want.Files.PictureThumbnail = "maps/drawn Sk", "maps/small Sk"
	assert.Equal(t, "updated map", want, second.Map)
	updates := facts[event.MapUpdated](t, b)
	if len(b.facts(t)) != 1 || len(updates) != 1 || updates[0].MapID != first.ID || updates[0].SubmittedByID != judge.ID ||
		updates[0].ReplayKey == "" || updates[0].FinishTime != 41267 {
		t.Errorf("facts %+v and updates %+v, want one of each", b.facts(t), updates)
	}
	third := b.submitted(t, widened(700))
	if facts := b.facts(t); len(facts) != 2 || facts[0].SupersededID != "" || facts[1].MapID != third.ID ||
		facts[1].SupersededID != first.ID || third.Superseded != first.ID {
		t.Errorf("version 2 has superseded %q, facts: %+v", third.Superseded, facts)
	}
}

// What an update leaves out stays, and medal times always do: a replay of 33 ms takes no player's medals.
func TestSubmitter_Submit_update_metadata(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		metadata    parkourmap.Metadata
		description string
		tags        []string
	}{
		{"left out", parkourmap.Metadata{}, "Mind the gap.", []string{"speed"}},
		{"empty", parkourmap.Metadata{Description: new(""), Tags: []string{}}, "", []string{}},
		{"tags", parkourmap.Metadata{Tags: []string{"new"}}, "Mind the gap.", []string{"new"}},
		{"medal times", parkourmap.Metadata{
			Medals: parkourmap.RequestedMedals{Gold: ms(50), Silver: ms(60), Bronze: ms(70)},
		}, "Mind the gap.", []string{"speed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			first := b.submitted(t)
			updated := b.submitted(t, recoloured, func(in *toSubmit, replay *lbreplay.Replay) {
				in.Metadata, replay.FinishTime = tt.metadata, 33
			})
			if updated.Created || updated.Description != tt.description {
				t.Errorf("created %v, description %q, want %q", updated.Created, updated.Description, tt.description)
			}
			assert.Equal(t, "tags", tt.tags, updated.Tags)
			assert.Equal(t, "medal times", first.Medals, updated.Medals)
		})
	}
}

// Zones that are not named as checkpoints any more make another version, whose finish may be elsewhere.
func TestSubmitter_Submit_renamed_checkpoints(t *testing.T) {
	t.Parallel()
	b := setup(t)
	checkpoint := altered(func(replay *lbreplay.Replay) { replay.Map.Fixtures[1].Name = "cp1" })
	first := b.submitted(t, checkpoint)
	second := b.submitted(t)
	if !second.Created || second.Superseded != first.ID {
		t.Errorf("the map without checkpoints: %+v", second)
	}
}

// A new version whose first record would be refused is refused.
func TestSubmitter_Submit_version_with_finish_of_record(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const recordID = "0198c2f4-0000-7000-8000-0000000000aa"
	b.finishes[event.FindFinish{
		GameMapID: 1000, FinishTime: 41267, FinishTimeStamp: parkourmaptest.FinishedAt,
	}] = recordID
	b.submitted(t) // version 1: its own record cannot be there before
	_, err := b.submit(t, submission(t, widened(700)))
	if !errors.Is(err, parkourmap.ErrFinishExists) || problem.From(err).Data["_id"] != recordID {
		t.Errorf("a version with the finish of a record: %v", err)
	}
	b.submitted(t, recoloured) // an update keeps its leaderboard
	b.submitted(t, widened(700), altered(func(replay *lbreplay.Replay) { replay.FinishTime = 41300 }))
	assert.Equal(t, "versions", []string{"1 superseded", "2"}, b.versions(t))
}

// A player who was merged into another keeps the game map.
func TestSubmitter_Submit_version_of_merged_author(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.submitted(t)
	named := rain
	named.Version, named.FormerNames = 2, []string{"cloudstep"}
	gone := parkourmap.Player{ID: cloudstep.ID, Version: 2, Removed: true, MergedInto: rain.ID}
	b.apply(t, gone, named)
	submitted := b.submitted(t, stranger, widened(700)) // by Rain
	if submitted.AuthorID != rain.ID || !submitted.Created {
		t.Errorf("version 2: %+v", submitted)
	}
}

// An operator has removed version 1 and corrected the author of version 2.
func TestSubmitter_Submit_version_of_corrected_author(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.submitted(t), b.submitted(t, widened(700))
	b.remove(t, first.ID)
	b.reassignToRain(t, second.ID)
	checkError(t, "the former author's version", parkourmap.ErrNotAuthorValidator,
		errorOf(b.submit(t, submission(t, widened(800)))))
	third := b.submitted(t, stranger, widened(800)) // by Rain
	if third.AuthorID != rain.ID || third.Superseded != second.ID {
		t.Errorf("the author's version: %+v", third)
	}
}

func TestSubmitter_Submit_update_after_reassignment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.submitted(t)
	b.reassignToRain(t, first.ID)
	updated := b.submitted(t, validator, recoloured) // the map data still name cloudstep
	if updated.ID != first.ID || updated.AuthorID != rain.ID {
		t.Errorf("updated %s by %s, want %s by %s", updated.ID, updated.AuthorID, first.ID, rain.ID)
	}
}

func TestSubmitter_Submit_versions_full(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range parkourmap.MaxVersions {
		c := parkourmaptest.NewMap(i, func(m *parkourmap.Map) {
			m.GameMapID, m.AuthorID, m.SubmittedByID, m.Fingerprint = 1000, cloudstep.ID, cloudstep.ID, fmt.Sprint(i)
		})
		require.NoError(t, errorOf(b.maps.Submit(t.Context(), c)))
	}
	if _, err := b.submit(t, submission(t)); !errors.Is(err, parkourmap.ErrVersionsFull) {
		t.Errorf("version %d: %v", parkourmap.MaxVersions+1, err)
	}
}

// Versions are the author's unless it is said otherwise; their fingerprints are their ids.
func TestKnownVersions_Submit(t *testing.T) {
	t.Parallel()
	at := now.Add(time.Hour)
	candidate := func(fingerprint string, roles ...string) parkourmap.Candidate {
		c := parkourmap.Candidate{By: access.Attribution{Actor: access.Player("author", "", roles)}}
		c.Map = parkourmap.Map{
			ID: "new", Version: 1, MapVersion: 1, AuthorID: "author", SubmittedByID: "author", Fingerprint: fingerprint,
			CreatedAt: at, UpdatedAt: at,
		}
		return c
	}
	byValidator := func(fingerprint string) parkourmap.Candidate {
		c := candidate(fingerprint, access.Validator)
		c.Map.SubmittedByID, c.By.Actor.ID = "validator", "validator"
		return c
	}
	replacement := func(fingerprint string) parkourmap.Candidate {
		c := byValidator(fingerprint)
		c.WrongOwnerReason = "stolen"
		return c
	}
	version := func(id string, number int) parkourmap.Map {
		return parkourmap.Map{
			ID: id, Version: 1, MapVersion: number, AuthorID: "author", SubmittedByID: "author", Fingerprint: id,
			CreatedAt: now, UpdatedAt: now,
		}
	}
	first, second, removed, stolen := version("a", 1), version("b", 2), version("a", 1), version("a", 1)
	superseded := first
	superseded.Superseded, removed.RemovedAt, stolen.AuthorID = true, now, "thief"
	known := func(sameData string, versions ...parkourmap.Map) parkourmap.KnownVersions {
		k := parkourmap.KnownVersions{Versions: versions, SameData: sameData}
		k.OwnerID = k.Owner()
		return k
	}
	created := event.MapCreated{MapID: "new", SubmittedByID: "author"}
	next := created
	next.SupersededID = "a"
	updated := event.MapUpdated{MapID: "a", SubmittedByID: "validator"}
	reassigned := event.MapReassigned{MapID: "a", OldAuthorID: "thief", NewAuthorID: "author", Reason: "stolen"}
	for name, tt := range map[string]struct {
		known     parkourmap.KnownVersions
		candidate parkourmap.Candidate
		err       error
		id        string
		facts     []event.Fact
		// actions are those of the rows of the audit log.
		actions []access.Action
	}{
		"the first version": {known(""), candidate("a"), nil, "new", []event.Fact{created}, nil},
		"other physics":     {known("", first), candidate("b"), nil, "new", []event.Fact{next}, nil},
		"the same physics, by a validator": {known("", first), byValidator("a"), nil, "a", []event.Fact{updated},
			[]access.Action{access.SubmitMap}},
		"the same data":        {known("a", first), candidate("a"), parkourmap.ErrMapExists, "", nil, nil},
		"an older version":     {known("", superseded, second), candidate("a"), parkourmap.ErrMapExists, "", nil, nil},
		"a removed version":    {known("", removed, second), candidate("a"), parkourmap.ErrMapRemoved, "", nil, nil},
		"all versions removed": {known("", removed), candidate("b"), parkourmap.ErrMapRemoved, "", nil, nil},
		"another's game map":   {known("", stolen), candidate("b"), parkourmap.ErrNotAuthorValidator, "", nil, nil},
		"another's game map, replaced": {known("", stolen), replacement("a"), nil, "a",
			[]event.Fact{reassigned, updated}, []access.Action{access.ReplaceOwner, access.SubmitMap}},
	} {
		result, err := tt.known.Submit(tt.candidate)
		checkError(t, name, tt.err, err)
		assert.Equal(t, name+": version", tt.id, result.MapID)
		assert.Equal(t, name+": facts", tt.facts, result.Facts)
		var actions []access.Action
		for _, entry := range result.Entries {
			actions = append(actions, entry.Action)
		}
		assert.Equal(t, name+": audit log", tt.actions, actions)
	}
}
