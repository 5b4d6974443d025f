package record_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

// checks are those of an accepted record, with the results of two that may not apply.
func checks(timeStamp, firstRecord replaycheck.Result) replaycheck.List {
	list := replaycheck.List{}
	for _, name := range []replaycheck.Name{
		replaycheck.ReadByServer, replaycheck.Validated, replaycheck.LabelsAgree, replaycheck.FinishTimeGiven,
		replaycheck.WholeFrames, replaycheck.TimeStampPlausible, replaycheck.FinishUnambiguous, replaycheck.OwnReplay,
		replaycheck.MapUnchanged, replaycheck.GameModeMatches, record.FileNotSubmittedBefore, record.FinishNotSubmittedBefore,
		record.FirstRecordOfAuthorOrValidator,
	} {
		list = append(list, replaycheck.Check{Name: name, Result: replaycheck.Passed})
	}
	list[5].Result, list[len(list)-1].Result = timeStamp, firstRecord
	return list
}

// hashOf returns the hexadecimal hash of a file.
func hashOf(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

func TestSubmitter_Submit(t *testing.T) {
	t.Parallel()
	recoloured := *skyline
	recoloured.Fixtures = append(recoloured.Fixtures[:0:0], skyline.Fixtures...)
	recoloured.Fixtures[0].Colour = 0xff0000
	withoutMode := *skyline
	withoutMode.Mode = bonkmap.NoMode
	for _, tt := range []struct {
		name   string
		by     access.Actor
		replay func(*lbreplay.Replay)
		want   func(*record.Accepted)
	}{
		{"a record", ann, func(*lbreplay.Replay) {}, func(*record.Accepted) {}},
		{"of another player, whose name the replay has in another case", bob, under("BOB"),
			func(a *record.Accepted) { a.Record.PlayerID = bobID }},
		{"without a time stamp", ann, func(r *lbreplay.Replay) { r.TimestampMissing = true }, func(a *record.Accepted) {
			a.Record.FinishTimeStamp, a.Record.Undated = now, true
			a.Checks = checks(replaycheck.NotApplicable, replaycheck.NotApplicable)
		}},
		{"of a clock that is five minutes ahead", ann, func(r *lbreplay.Replay) { r.Timestamp = now.Add(5 * time.Minute) },
			func(a *record.Accepted) { a.Record.FinishTimeStamp, a.Record.Undated = now, true }},
		{"whose label names no mode", ann, func(r *lbreplay.Replay) { r.GameMode = "View v1.3.0+" },
			func(a *record.Accepted) { a.Checks[9].Result = replaycheck.NotApplicable }},
		{"on a map without a mode", ann, func(r *lbreplay.Replay) { r.Map, r.GameMode = &withoutMode, "Grapple" },
			func(a *record.Accepted) { a.Record.MapID, a.Mode, a.Medal = noID, "Grapple", racetime.NoMedal }},
		{"on the map in other colours", ann, func(r *lbreplay.Replay) { r.Map = &recoloured }, func(*record.Accepted) {}},
		{"of other programs", ann, func(r *lbreplay.Replay) { r.ReplayVersion, r.GameVersion = "v1.2.10", "48 beta" },
			func(a *record.Accepted) { a.File.Versions = event.ReplayVersions{Mod: "1.2.10"} }},
		{"of more than 100 minutes", ann, func(r *lbreplay.Replay) { r.FinishTime = 6_123_467 },
			func(a *record.Accepted) { a.Record.FinishTime, a.Medal = 6_123_467, racetime.NoMedal }},
		{"under a former name", ann, under("ANKA"), func(*record.Accepted) {}},
		{"with a token from before a merge", anka, under("Anka"), func(*record.Accepted) {}},
		{"with that, under the present name", anka, under("Ann"), func(*record.Accepted) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup()
			b.copies.maps[noID] = recordtest.Copy(noID, &withoutMode)
			b.setMode(noID, "Grapple")
			b.setMedals(skylineID, racetime.DefaultMedals(40_000))
			file := annsReplay(t, tt.replay)
			header, err := lbreplay.ParseHeader(file)
			require.NoError(t, err)
			mapData := sha256.Sum256([]byte(header.MapData()))
			got, err := b.submit(t.Context(),
				submission{By: tt.by, Replay: file, SelectedMap: strings.ToUpper(skylineID)})
			require.NoError(t, err)
			want := record.Accepted{
				Record: record.Record{
					ID: got.Record.ID, MapID: skylineID, PlayerID: annID, FinishTime: 41_267, FinishTimeStamp: finishedAt,
					ReplayHash: hashOf(file), CreatedAt: now,
				},
				GameMapID: 1_001, Mode: "Classic", Medal: racetime.Gold,
				Checks: checks(replaycheck.Passed, replaycheck.NotApplicable),
				File:   record.FileFacts{MapDataHash: mapData, Versions: event.ReplayVersions{Mod: "1.3.0", Game: "49"}},
			}
			want.Replay.Key = want.Record.ReplayHash
			tt.want(&want)
			assert.Equal(t, "accepted", []record.Accepted{want}, b.stored.accepted)
			if diff := cmp.Diff(want.Record, got.Record.Record); diff != "" || got.Record.Rank != 1 ||
				got.Record.Player.ID != want.Record.PlayerID || got.Placement.PreviousBest != 50_000 {
				t.Errorf("returned %+v (-want +got):\n%s", got, diff)
			}
			for _, c := range want.Checks {
				if leaderboard.CheckSentence(c) == "" {
					t.Errorf("%s has no sentence", c.Name)
				}
			}
		})
	}
}

func TestSubmitter_Submit_slower_record(t *testing.T) {
	t.Parallel()
	b := setup()
	copied := b.copies.maps[skylineID]
	copied.Medals = medals
	b.copies.maps[skylineID] = copied
	slower := annsReplay(t, func(r *lbreplay.Replay) { r.FinishTime = 55_000 })
	got, err := b.submit(t.Context(), submission{By: ann, Replay: slower})
	require.NoError(t, err)
	if got.Record.Rank != 0 || got.Record.PersonalBest || got.Placement.Rank != 1 ||
		got.Record.Medal() != racetime.Bronze {
		t.Errorf("returned %+v", got)
	}
}

func TestSubmitter_Submit_refused(t *testing.T) {
	t.Parallel()
	byAnn := func(file []byte) submission { return submission{By: ann, Replay: file} }
	changed := func(change func(*lbreplay.Replay)) submission { return byAnn(annsReplay(t, change)) }
	on := func(width float64, id int) submission {
		return changed(func(r *lbreplay.Replay) { r.Map = recordtest.Map(id, "Skyline Run", width) })
	}
	selecting := func(m string) submission {
		return submission{By: ann, Replay: annsReplay(t), SelectedMap: m}
	}
	for _, tt := range []struct {
		name    string
		in      submission
		want    error
		message string
	}{
		{"of a banned player, whatever they send", submission{By: access.Player(eveID, "Eve", nil)},
			record.ErrSubmitterBanned, ""},
		{"of a deleted player", submission{By: access.Player(skylineID, "Gone", nil)}, access.ErrDeleted, ""},
		{"of an unknown player", submission{By: access.Player(noID, "New", nil)}, access.ErrForbidden, ""},
		{"without a file", byAnn([]byte("")), record.ErrReplayMissing, "Replay file is required"},
		{"of more than 1 MB", byAnn([]byte(strings.Repeat("a", 1<<20+1))), record.ErrReplayTooLarge,
			"File too large. Maximum size is 1 MB"},
		{"of what is no replay", byAnn([]byte("hello")), record.ErrReplayInvalid, "Invalid replay file format"},
		{"of a NUL byte", byAnn([]byte("Validated: true\x00")), record.ErrReplayInvalid, ""},
		{"of map data that is none", byAnn([]byte("Validated: true\nMap Data: xyz")), record.ErrReplayInvalid, ""},
		{"that is not validated", changed(func(r *lbreplay.Replay) { r.Validated = false }),
			record.ErrReplayNotValidated, "Replay must be validated"},
		{"whose label is not its map's", byAnn(disagreeing(annsReplay(t))), record.ErrReplayDisagrees, ""},
		{"without map data", byAnn([]byte("Validated: true\nMap ID: 1001\nPlayer Name: Ann\nFinish Time: 1000")),
			record.ErrMapDataMissing, ""},
		{"for an unknown map", on(600, 9_999), record.ErrMapUnknown, "This map has no replay on the site yet. " +
			"Its author or a validator can submit the map with one first."},
		{"for a map without an id", on(600, -1), record.ErrMapUnknown, ""},
		{"of another player", changed(under("Bob")), record.ErrReplayNotYours,
			"This replay was recorded by another player."},
		{"of another player, with a token from before a merge",
			submission{By: anka, Replay: annsReplay(t, under("Bob"))}, record.ErrReplayNotYours, ""},
		{"under the former name of another player", submission{By: bob, Replay: annsReplay(t, under("Anka"))},
			record.ErrReplayNotYours, ""},
		{"without a player", changed(under(lbreplay.UnknownName)), record.ErrReplayNotYours, ""},
		{"without a time", changed(func(r *lbreplay.Replay) { r.FinishTime = 0 }), record.ErrFinishTimeMissing, ""},
		{"from before the game",
			changed(func(r *lbreplay.Replay) { r.Timestamp = lbreplay.Earliest.Add(-time.Millisecond) }),
			record.ErrReplayTooOld, ""},
		{"with a time stamp that cannot be read",
			byAnn(bytes.Replace(annsReplay(t), []byte("Timestamp: 2026-05-11T"), []byte("Timestamp: 2026-05-11 "),
				1)), record.ErrTimestampUnreadable, ""},
		{"from more than five minutes ahead", changed(func(r *lbreplay.Replay) { r.Timestamp = now.Add(65 * time.Minute) }),
			record.ErrReplayFromFuture, "The replay's time stamp is 65 minutes in the future: the server's time is " +
				"2026-05-11 18:10:00 UTC. The clock of the computer that recorded it is ahead. The same file will be accepted " +
				"from 2026-05-11 19:10:01 UTC on."},
		{"in another mode", changed(func(r *lbreplay.Replay) { r.GameMode = "Grapple" }), record.ErrGameModeDiffers,
			"This replay was played in Grapple; this leaderboard is for Classic."},
		{"for another map than the selected", selecting(gardenID), record.ErrWrongMap,
			`This replay is not for the selected map "Garden"`},
		{"for a selected map that is not there", selecting(annID), record.ErrMapUnknown, "There is no such map."},
		{"for a selected map that is no id", selecting("skyline"), record.ErrMapUnknown, ""},
		{"on other physics", on(601, 1_001), record.ErrMapVersionDiffers, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup()
			b.owners.maps = b.copies.maps // so that it returns another version
			b.copies.players[skylineID] = record.Player{ID: skylineID, Version: 2, Deleted: true}
			_, err := b.submit(t.Context(), tt.in)
			if !errors.Is(err, tt.want) {
				t.Fatalf("refused with %v, want %v", err, tt.want)
			}
			if got := problem.From(err).Message; tt.message != "" && got != tt.message {
				t.Errorf("the sentence is %q, want %q", got, tt.message)
			}
			if b.stored.files+len(b.stored.accepted) > 0 {
				t.Errorf("stored %+v", b.stored)
			}
		})
	}
}

// disagreeing returns a replay of the skyline with the label of another map.
func disagreeing(file []byte) []byte {
	return bytes.Replace(file, []byte("Map Name: Skyline Run"), []byte("Map Name: Garden"), 1)
}

// A player who was merged between the checks and the transaction gets the record under the other id.
func TestSubmitter_Submit_merged_meanwhile(t *testing.T) {
	t.Parallel()
	b := setup()
	b.stored.whileStoring, b.stored.mergedInto = b.merge, annID
	got, err := b.submit(t.Context(), submission{By: bob, Replay: annsReplay(t, under("Bob"))})
	require.NoError(t, err)
	if got.Record.PlayerID != annID || got.Record.Player.Name != "Ann" {
		t.Errorf("returned %+v", got)
	}
}

// A record is accepted after its replay was stored. Points that were read before that lack it, and are as of an earlier
// time.
func TestSubmitter_Submit_accepts_after_the_upload(t *testing.T) {
	t.Parallel()
	b := setup()
	clock := now
	b.Now = func() time.Time { return clock }
	b.stored.whileStoring = func() { clock = clock.Add(time.Second) }
	file := annsReplay(t, func(r *lbreplay.Replay) { r.TimestampMissing = true })
	got, err := b.submit(t.Context(), submission{By: ann, Replay: file})
	require.NoError(t, err)
	if r := got.Record; !r.CreatedAt.Equal(now.Add(time.Second)) || !r.FinishTimeStamp.Equal(now) {
		t.Errorf("accepted at %v with the time stamp %v", r.CreatedAt, r.FinishTimeStamp)
	}
}

// What was read of a map once decides the same, and nothing is taken for it that is not the same to the last letter.
func TestSubmitter_Submit_cached_map(t *testing.T) {
	t.Parallel()
	b := setup()
	b.owners.maps = b.copies.maps
	otherPhysics := func(r *lbreplay.Replay) { r.Map = skyline2 }
	for i, tt := range []struct {
		file []byte
		want error
	}{
		{annsReplay(t), nil},
		{annsReplay(t), nil},
		{annsReplay(t, otherPhysics), record.ErrMapVersionDiffers},
		{annsReplay(t, otherPhysics), record.ErrMapVersionDiffers},
		{annsReplay(t), nil},
		{disagreeing(annsReplay(t)), record.ErrReplayDisagrees},
	} {
		if _, err := b.submit(t.Context(), submission{By: ann, Replay: tt.file}); !errors.Is(err, tt.want) {
			t.Errorf("submission %d: %v, want %v", i, err, tt.want)
		}
	}
}

// What is wrong first is what is answered: each step mends the first fault of all that are left.
func TestSubmitter_Submit_first_problem(t *testing.T) {
	t.Parallel()
	b := setup()
	b.owners.maps = b.copies.maps
	first, err := b.submit(t.Context(), submission{By: ann, Replay: annsReplay(t)})
	require.NoError(t, err)
	b.stored.existing = []record.Record{first.Record.Record}
	all := func(r *lbreplay.Replay) {
		r.Validated = false
		r.PlayerName, r.FinishTime, r.Timestamp = "Bob", 0, now.Add(time.Hour)
		r.Map = recordtest.Map(9_999, "Skyline Run", 601)
	}
	file := annsReplay(t, all)
	validated := func(r *lbreplay.Replay) { r.Validated = true }
	known := func(r *lbreplay.Replay) { r.Map = skyline2 }
	timed := func(r *lbreplay.Replay) { r.FinishTime = 41_267 }
	past := func(r *lbreplay.Replay) { r.Timestamp = finishedAt }
	for i, tt := range []struct {
		file     []byte
		selected string
		want     error
	}{
		{append(bytes.Repeat([]byte(" "), 1<<20), file...), gardenID, record.ErrReplayTooLarge},
		{disagreeing(file), gardenID, record.ErrReplayNotValidated},
		{disagreeing(annsReplay(t, all, validated)), gardenID, record.ErrReplayDisagrees},
		{annsReplay(t, all, validated), gardenID, record.ErrMapUnknown},
		{annsReplay(t, all, validated, known), gardenID, record.ErrReplayNotYours},
		{annsReplay(t, all, validated, known, under("Ann")), gardenID, record.ErrFinishTimeMissing},
		{annsReplay(t, all, validated, known, under("Ann"), timed), gardenID, record.ErrReplayFromFuture},
		{annsReplay(t), gardenID, record.ErrReplayExists}, // the same bytes
		{annsReplay(t, all, validated, known, under("Ann"), timed, past), gardenID, record.ErrWrongMap},
		{annsReplay(t, all, validated, known, under("Ann"), timed, past), skylineID, record.ErrReplayExists},
		{append(annsReplay(t), "Comment: again\n"...), skylineID, record.ErrReplayExists}, // the same finish
	} {
		in := submission{By: ann, Replay: tt.file, SelectedMap: tt.selected}
		if _, err := b.submit(t.Context(), in); !errors.Is(err, tt.want) {
			t.Errorf("step %d: %v, want %v", i, err, tt.want)
		}
	}
	copied := submission{By: bob, Replay: annsReplay(t, under("Bob"))}
	if _, err := b.submit(t.Context(), copied); !errors.Is(err, record.ErrReplayCopied) ||
		problem.From(err).Data["_id"] != first.Record.ID {
		t.Errorf("a copy under another name: %v", err)
	}
}

// A replay is of the version whose physics it has, whichever version is selected.
func TestSubmitter_Submit_versions(t *testing.T) {
	t.Parallel()
	b := setup()
	version2 := recordtest.Copy(skyline2ID, skyline2)
	version2.MapVersion = 2
	b.owners.maps[skyline2ID] = version2
	for _, tt := range []struct {
		name     string
		width    float64
		selected string
		wantMap  string
		want     error
	}{
		{"version 2 without a selection", 601, "", skyline2ID, nil},
		{"version 2 with itself selected", 601, skyline2ID, skyline2ID, nil},
		{"version 2 with version 1 selected", 601, skylineID, skyline2ID, nil},
		{"version 1 with version 2 selected", 600, skyline2ID, skylineID, nil},
		{"version 1 without a selection", 600, "", skylineID, nil},
		{"version 1 with another map selected", 600, gardenID, "", record.ErrWrongMap},
		{"an unknown version", 602, "", "", record.ErrMapVersionDiffers},
		{"an unknown version with version 1 selected", 602, skylineID, "", record.ErrMapVersionDiffers},
	} {
		file := annsReplay(t, func(r *lbreplay.Replay) { r.Map = recordtest.Map(1_001, "Skyline Run", tt.width) })
		got, err := b.submit(t.Context(), submission{By: ann, Replay: file, SelectedMap: tt.selected})
		if !errors.Is(err, tt.want) || got.Record.MapID != tt.wantMap {
			t.Errorf("%s: map %q, %v, want %q, %v", tt.name, got.Record.MapID, err, tt.wantMap, tt.want)
		}
	}
	if want := 3; b.owners.asked != want { // once for version 2, and for each unknown version
		t.Errorf("the owner was asked %d times, want %d", b.owners.asked, want)
	}
}

func TestSubmitter_Submit_unknown_map_and_player(t *testing.T) {
	t.Parallel()
	b := setup()
	fresh := recordtest.Map(2_001, "Fresh", 500)
	b.owners.maps[noID] = recordtest.Copy(noID, fresh)
	b.owners.players[noID] = record.Player{ID: noID, Version: 3, Name: "New"}
	in := submission{
		By: access.Player(noID, "New", nil), Replay: recordtest.File(t, recordtest.Replay(fresh, "New", 1000, finishedAt)),
	}
	for i, tt := range []struct {
		unavailable bool
		want        error
		asked       int
	}{{true, errAway, 1}, {false, nil, 3}, {true, nil, 3}} {
		b.owners.unavailable = tt.unavailable
		if _, err := b.submit(t.Context(), in); !errors.Is(err, tt.want) || b.owners.asked != tt.asked {
			t.Errorf("submission %d: %v after %d questions, want %v after %d", i, err, b.owners.asked, tt.want, tt.asked)
		}
	}
	removed := b.copies.maps[noID]
	removed.Removed = true
	b.copies.maps[noID], b.owners.maps[noID], b.owners.unavailable = removed, removed, false
	if _, err := b.submit(t.Context(), in); !errors.Is(err, record.ErrMapRemoved) {
		t.Errorf("on a removed map: %v", err)
	}
}
