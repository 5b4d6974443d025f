package record_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/s3test"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/replica"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/files"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
	"capzone.dev/services/records/migrations"
)

const (
	skylineID = "01970000-0000-7000-8000-00000000000a"
	gardenID  = "01970000-0000-7000-8000-00000000000b"
	annID     = "01970000-0000-7000-8000-000000000001"
	bobID     = "01970000-0000-7000-8000-000000000002"
	eveID     = "01970000-0000-7000-8000-000000000003"
)

var (
	now        = time.Date(2026, 5, 11, 18, 10, 0, 0, time.UTC)
	finishedAt = time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)
	skyline    = recordtest.Map(1_001, "Skyline Run", 600)
	garden     = recordtest.Map(1_002, "Garden", 700)
)

// bundle is a submitter with the real store in a database of its own, and the owners of maps
// and players.
type bundle struct {
	*record.Submitter
	store  *postgres.Store
	pool   *platform.Pool
	owners *owners
}

// setup knows two maps and three players, of whom Eve is banned.
func setup(t *testing.T) *bundle {
	t.Helper()
	pool, bucket := pgtest.Open(t, "records", migrations.FS), s3test.Open(t)
	store := postgres.NewStore(pool)
	skylineCopy := recordtest.Copy(skylineID, skyline)
	skylineCopy.Medals = racetime.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000}
	for _, m := range []record.Map{skylineCopy, recordtest.Copy(gardenID, garden)} {
		require.NoError(t, store.ApplyMap(t.Context(), m))
	}
	for _, p := range []record.Player{
		{ID: annID, Version: 1, Name: "Ann", Registered: true},
		{ID: bobID, Version: 1, Name: "Bob", Registered: true},
		{ID: eveID, Version: 1, Name: "Eve", Registered: true, Banned: true},
	} {
		require.NoError(t, store.ApplyPlayer(t.Context(), p))
	}
	o := &owners{
		maps:    map[string]record.Map{skylineID: skylineCopy, gardenID: recordtest.Copy(gardenID, garden)},
		players: map[string]record.Player{},
	}
	return &bundle{
		Submitter: &record.Submitter{
			Maps: record.NewMaps(store, mapOwner{o}), Players: replica.NewPlayers(store, o.player),
			Records: store, Replays: files.New(bucket, pool), Parser: record.NewParser(),
			Now:   func() time.Time { return now },
			NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		},
		store: store, pool: pool, owners: o,
	}
}

// wantNothingStored fails if a record or a file was stored.
func (b *bundle) wantNothingStored(t *testing.T) {
	t.Helper()
	const storedSQL = "select (select count(*) from records) + (select count(*) from pending_uploads)"
	if n := pgtest.Value[int](t, b.pool, storedSQL); n != 0 {
		t.Errorf("%d records and files were stored", n)
	}
}

// owners are the owners that own maps and players.
type owners struct {
	unavailable bool
	asked       int
	maps        map[string]record.Map
	players     map[string]record.Player
}

var errAway = problem.Unavailable("service_unavailable", "Away.")

func (o *owners) ask() error {
	o.asked++
	if o.unavailable {
		return errAway
	}
	return nil
}

type mapOwner struct{ *owners }

func (o mapOwner) Map(_ context.Context, id string) (record.Map, error) {
	if err := o.ask(); err != nil {
		return record.Map{}, err
	}
	if m, ok := o.maps[id]; ok {
		return m, nil
	}
	return record.Map{}, record.ErrMapUnknown
}

func (o mapOwner) MapVersion(_ context.Context, id int64, fingerprint string) (record.Map, error) {
	if err := o.ask(); err != nil {
		return record.Map{}, err
	}
	answer, err := record.Map{}, error(record.ErrMapUnknown)
	for _, m := range o.maps {
		if m.GameMapID == id && m.Fingerprint == fingerprint {
			return m, nil
		}
		if m.GameMapID == id && (err != nil || m.MapVersion > answer.MapVersion) {
			answer, err = m, nil
		}
	}
	return answer, err
}

func (o *owners) player(_ context.Context, id string) (record.Player, error) {
	if err := o.ask(); err != nil {
		return record.Player{}, err
	}
	if p, ok := o.players[id]; ok {
		return p, nil
	}
	return record.Player{}, record.ErrPlayerUnknown
}

var ann = access.Player(annID, "ann", nil) // as the token has it, in another case than the replay

// annsReplay returns a replay that is accepted, with changes.
func annsReplay(t *testing.T, changes ...func(*lbreplay.Replay)) []byte {
	t.Helper()
	replay := recordtest.Replay(skyline, "Ann", 41_267, finishedAt)
	for _, change := range changes {
		change(replay)
	}
	return recordtest.File(t, replay)
}

func TestSubmitter_Submit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t),
		SelectedMap: strings.ToUpper(skylineID)})
	require.NoError(t, err)
	if got.Record.Medal() != racetime.Gold || !got.Placement.WorldRecord || got.Placement.Rank != 1 {
		t.Errorf("outcome %+v", got)
	}
	want := record.Record{
		ID: got.Record.ID, MapID: skylineID, PlayerID: annID, FinishTime: 41_267, FinishTimeStamp: finishedAt,
		ReplayHash: got.Record.ReplayHash, CreatedAt: now,
	}
	if diff := cmp.Diff(want, got.Record.Record); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	stored, err := b.store.Details(t.Context(), got.Record.ID)
	require.NoError(t, err)
	if diff := cmp.Diff(want, stored.Record); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}

	slower, err := b.Submit(t.Context(), record.Submission{By: ann,
		Replay: annsReplay(t, func(r *lbreplay.Replay) { r.FinishTime = 50_000 })})
	require.NoError(t, err)
	if diff := cmp.Diff(record.Placement{Rank: 1, PreviousBest: 41_267}, slower.Placement); diff != "" ||
		slower.Record.Rank != 0 || slower.Record.Medal() != racetime.Bronze {
		t.Errorf("a slower record: %+v", slower)
	}
}

func TestSubmitter_Submit_refused(t *testing.T) {
	t.Parallel()
	replay := func(change func(*lbreplay.Replay)) []byte { return annsReplay(t, change) }
	byAnn := func(file []byte) record.Submission { return record.Submission{By: ann, Replay: file} }
	selecting := func(m string) record.Submission {
		return record.Submission{By: ann, Replay: annsReplay(t), SelectedMap: m}
	}
	for _, tt := range []struct {
		name    string
		in      record.Submission
		want    error
		message string
	}{
		{"of a banned player, whatever they send", record.Submission{By: access.Player(eveID, "Eve", nil)},
			record.ErrSubmitterBanned, ""},
		{"without a file", byAnn([]byte("")), record.ErrReplayMissing, "Replay file is required"},
		{"of more than 1 MB", byAnn([]byte(strings.Repeat("a", 1<<20+1))), record.ErrReplayTooLarge,
			"File too large. Maximum size is 1 MB"},
		{"of what is no replay", byAnn([]byte("hello")), record.ErrReplayInvalid, "Invalid replay file format"},
		{"of a NUL byte", byAnn([]byte("Validated: true\x00")), record.ErrReplayInvalid, ""},
		{"of map data that is none", byAnn([]byte("Validated: true\nMap Data: xyz")), record.ErrReplayInvalid, ""},
		{"that is not validated", byAnn(replay(func(r *lbreplay.Replay) { r.Validated = false })),
			record.ErrReplayNotValidated, "Replay must be validated"},
		{"whose label is not its map's", byAnn(bytes.Replace(annsReplay(t), []byte("Map Name: Skyline Run"),
			[]byte("Map Name: Garden"), 1)), record.ErrReplayDisagrees, ""},
		{"without map data", byAnn([]byte("Validated: true\nMap ID: 1001\nPlayer Name: Ann\nFinish Time: 1000")),
			record.ErrMapDataMissing, ""},
		{"for an unknown map",
			byAnn(replay(func(r *lbreplay.Replay) { r.Map = recordtest.Map(9_999, "Skyline Run", 600) })),
			record.ErrMapUnknown, "This map has no replay on the site yet. " +
				"Its author or a validator can submit the map with one first."},
		{"for a map without an id", byAnn(replay(func(r *lbreplay.Replay) {
			r.Map = recordtest.Map(-1, "Skyline Run",
				600)
		})), record.ErrMapUnknown, ""},
		{"of another player", byAnn(replay(func(r *lbreplay.Replay) { r.PlayerName = "Bob" })), record.ErrReplayNotYours,
			"This replay was recorded by another player."},
		{"without a player", byAnn(replay(func(r *lbreplay.Replay) { r.PlayerName = lbreplay.UnknownName })),
			record.ErrReplayNotYours, ""},
		{"without a time", byAnn(replay(func(r *lbreplay.Replay) { r.FinishTime = 0 })), record.ErrFinishTimeMissing, ""},
		{"from before the game",
			byAnn(replay(func(r *lbreplay.Replay) { r.Timestamp = lbreplay.Earliest.Add(-time.Millisecond) })),
			record.ErrReplayTooOld, ""},
		{"with a time stamp that cannot be read",
			byAnn(bytes.Replace(annsReplay(t), []byte("Timestamp: 2026-05-11T"), []byte("Timestamp: 2026-05-11 "),
				1)), record.ErrTimestampUnreadable, ""},
		{"from more than a minute ahead",
			byAnn(replay(func(r *lbreplay.Replay) { r.Timestamp = now.Add(time.Minute + time.Millisecond) })),
			record.ErrReplayFromFuture, ""},
		{"for another map than the selected", selecting(gardenID), record.ErrWrongMap,
			`This replay is not for the selected map "Garden"`},
		{"for a selected map that is not there", selecting(annID), record.ErrMapUnknown, "There is no such map."},
		{"for a selected map that is no id", selecting("skyline"), record.ErrMapUnknown, ""},
		{"on other physics", byAnn(replay(func(r *lbreplay.Replay) { r.Map = recordtest.Map(1_001, "Skyline Run", 601) })),
			record.ErrMapVersionDiffers, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			_, err := b.Submit(t.Context(), tt.in)
			if !errors.Is(err, tt.want) {
				t.Fatalf("refused with %v, want %v", err, tt.want)
			}
			if got := problem.From(err).Message; tt.message != "" && got != tt.message {
				t.Errorf("the sentence is %q, want %q", got, tt.message)
			}
			b.wantNothingStored(t)
		})
	}
}

// changingReplays changes a player while a replay is being stored.
type changingReplays struct {
	record.ReplayStore

	store   *postgres.Store
	changed record.Player
}

func (c changingReplays) Put(ctx context.Context, hash string, file []byte) (storedfile.Upload, error) {
	if err := c.store.ApplyPlayer(ctx, c.changed); err != nil {
		return storedfile.Upload{}, err
	}
	return c.ReplayStore.Put(ctx, hash, file)
}

func TestSubmitter_Submit_of_a_player_who_is_changed_meanwhile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		changed record.Player
		want    error
	}{
		{"deleted", record.Player{ID: annID, Version: 2, Name: "deleted player 0001", Registered: true, Deleted: true},
			event.ErrPlayerDeleted},
		{"banned", record.Player{ID: annID, Version: 2, Name: "Ann", Registered: true, Banned: true},
			record.ErrSubmitterBanned},
		{"merged into a banned player", record.Player{ID: annID, Version: 2, Removed: true, MergedInto: eveID},
			record.ErrSubmitterBanned},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.Replays = changingReplays{b.Replays, b.store, tt.changed}
			_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
			if !errors.Is(err, tt.want) {
				t.Errorf("returned %v, want %v", err, tt.want)
			}
			if n := pgtest.Value[int](t, b.pool, "select count(*) from records"); n != 0 {
				t.Errorf("%d records of the player", n)
			}
		})
	}
}

// slowReplays stores a replay in a second.
type slowReplays struct {
	record.ReplayStore

	now *time.Time
}

func (s slowReplays) Put(ctx context.Context, hash string, file []byte) (storedfile.Upload, error) {
	*s.now = s.now.Add(time.Second)
	return s.ReplayStore.Put(ctx, hash, file)
}

// A record is accepted after its replay was stored. Points that were read before that lack it, and are as of an earlier
// time.
func TestSubmitter_Submit_accepts_after_the_upload(t *testing.T) {
	t.Parallel()
	b := setup(t)
	clock := now
	b.Now = func() time.Time { return clock }
	b.Replays = slowReplays{b.Replays, &clock}
	file := annsReplay(t, func(r *lbreplay.Replay) { r.TimestampMissing = true })
	submitted, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: file})
	require.NoError(t, err)
	stored, err := b.store.Details(t.Context(), submitted.Record.ID)
	require.NoError(t, err)
	for _, r := range []record.Record{submitted.Record.Record, stored.Record} {
		if !r.CreatedAt.Equal(now.Add(time.Second)) || !r.FinishTimeStamp.Equal(now) {
			t.Errorf("accepted at %v with the time stamp %v, want %v and %v",
				r.CreatedAt, r.FinishTimeStamp, now.Add(time.Second), now)
		}
	}
}

// What was read of a map once is found again: it decides the same, and nothing is
// taken for it that is not the same to the last letter.
func TestSubmitter_Submit_cachedMap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, tt := range []struct {
		change func(*lbreplay.Replay)
		want   error
	}{
		{func(*lbreplay.Replay) {}, nil},
		{func(r *lbreplay.Replay) { r.Timestamp = finishedAt.Add(-time.Second) }, nil},
		{func(r *lbreplay.Replay) {
			r.Map, r.Timestamp = recordtest.Map(1_001, "Skyline Run", 601), finishedAt.Add(-3*time.Second)
		}, record.ErrMapVersionDiffers},
		{func(r *lbreplay.Replay) {
			r.Map, r.Timestamp = recordtest.Map(1_001, "Skyline Run", 601), finishedAt.Add(-4*time.Second)
		}, record.ErrMapVersionDiffers},
		{func(r *lbreplay.Replay) { r.Map = recordtest.Map(9_999, "Skyline Run", 600) }, record.ErrMapUnknown},
		{func(r *lbreplay.Replay) { r.Timestamp = finishedAt.Add(-2 * time.Second) }, nil},
	} {
		if _, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t, tt.change)}); !errors.Is(err,
			tt.want) {
			t.Errorf("submission %d: %v, want %v", i, err, tt.want)
		}
	}
	disagreeing := bytes.Replace(annsReplay(t), []byte("Map Name: Skyline Run"), []byte("Map Name: Garden"), 1)
	if _, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: disagreeing}); !errors.Is(err,
		record.ErrReplayDisagrees) {
		t.Errorf("a label that contradicts a map that was read before: %v", err)
	}
}

// What is wrong first is what is answered: each step mends the first fault of
// all that are left.
func TestSubmitter_Submit_firstProblem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
	require.NoError(t, err)
	all := func(r *lbreplay.Replay) {
		r.Validated = false
		r.PlayerName, r.FinishTime, r.Timestamp = "Bob", 0, now.Add(time.Hour)
		r.Map = recordtest.Map(9_999, "Skyline Run", 601)
	}
	file := annsReplay(t, all)
	disagreeing := func(f []byte) []byte {
		return bytes.Replace(f, []byte("Map Name: Skyline Run"), []byte("Map Name: Garden"), 1)
	}
	validated := func(r *lbreplay.Replay) { r.Validated = true }
	known := func(r *lbreplay.Replay) { r.Map = recordtest.Map(1_001, "Skyline Run", 601) }
	own := func(r *lbreplay.Replay) { r.PlayerName = "Ann" }
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
		{annsReplay(t, all, validated, known, own), gardenID, record.ErrFinishTimeMissing},
		{annsReplay(t, all, validated, known, own, timed), gardenID, record.ErrReplayFromFuture},
		{annsReplay(t), gardenID, record.ErrReplayExists}, // the same bytes
		{annsReplay(t, all, validated, known, own, timed, past), gardenID, record.ErrWrongMap},
		{annsReplay(t, all, validated, known, own, timed, past), skylineID, record.ErrReplayExists}, // the same record
		{annsReplay(t, all, validated, known, own, timed), skylineID, record.ErrReplayFromFuture},
	} {
		if _, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: tt.file,
			SelectedMap: tt.selected}); !errors.Is(err, tt.want) {
			t.Errorf("step %d: %v, want %v", i, err, tt.want)
		}
	}
}

func TestSubmitter_Submit_honestRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, tt := range []struct {
		name string
		by   access.Actor
		rec  func(*lbreplay.Replay)
	}{
		{"a first record", ann, func(*lbreplay.Replay) {}},
		{"an equal time of another player", access.Player(bobID, "Bob", nil), func(r *lbreplay.Replay) {
			r.PlayerName, r.Timestamp = "BOB", finishedAt.Add(time.Millisecond)
		}},
		{"an equal time of the same player", ann,
			func(r *lbreplay.Replay) { r.Timestamp = finishedAt.Add(time.Hour - time.Minute*55) }},
		{"a clock that is a minute ahead", ann,
			func(r *lbreplay.Replay) { r.FinishTime, r.Timestamp = 60_000, now.Add(time.Minute) }},
		{"the map in new colours", ann, func(r *lbreplay.Replay) {
			r.FinishTime = 45_000
			r.Map = recordtest.Map(1_001, "Skyline Run", 600)
			r.Map.Fixtures[0].Colour = 0xff0000
		}},
		{"a file without a time stamp", ann, func(r *lbreplay.Replay) { r.FinishTime, r.TimestampMissing = 46_000, true }},
	} {
		if _, err := b.Submit(t.Context(), record.Submission{By: tt.by, Replay: annsReplay(t, tt.rec)}); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestSubmitter_Submit_relabelledCopy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
	require.NoError(t, err)
	bob := access.Player(bobID, "Bob", nil)
	for name, change := range map[string]func(*lbreplay.Replay){
		"under another name": func(r *lbreplay.Replay) { r.PlayerName = "Bob" },
		"and with another paint": func(r *lbreplay.Replay) {
			r.PlayerName = "Bob"
			r.Map = recordtest.Map(1_001, "Skyline Run", 600)
			r.Map.Fixtures[0].Colour = 0
		},
	} {
		_, err := b.Submit(t.Context(), record.Submission{By: bob, Replay: annsReplay(t, change)})
		if !errors.Is(err, record.ErrReplayCopied) || problem.From(err).Data["_id"] != first.Record.ID {
			t.Errorf("%s: %v", name, err)
		}
	}
	again := append(annsReplay(t), "Comment: again\n"...)
	if _, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: again}); !errors.Is(err,
		record.ErrReplayExists) || problem.From(err).Data["_id"] != first.Record.ID {
		t.Errorf("the same record in other bytes: %v", err)
	}
}

func TestSubmitter_Submit_unknownMapAndPlayer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fresh := recordtest.Map(2_001, "Fresh", 500)
	freshID := "01970000-0000-7000-8000-00000000000c"
	b.owners.maps[freshID] = recordtest.Copy(freshID, fresh)
	b.owners.players[freshID] = record.Player{ID: freshID, Version: 3, Name: "New"}
	newcomer := access.Player(freshID, "New", nil)
	submit := func(time int) error {
		_, err := b.Submit(t.Context(), record.Submission{By: newcomer,
			Replay: recordtest.File(t, recordtest.Replay(fresh, "New", time, finishedAt))})
		return err
	}
	b.owners.unavailable = true
	if err := submit(1000); !errors.Is(err, errAway) {
		t.Errorf("while the owners are unavailable: %v", err)
	}
	b.owners.unavailable, b.owners.asked = false, 0
	require.NoError(t, submit(1000))
	require.NoError(t, submit(900))
	if b.owners.asked != 2 {
		t.Errorf("the owners were asked %d times, want once each", b.owners.asked)
	}
	b.owners.unavailable = true
	require.NoError(t, submit(800))
}

func TestSubmitter_Submit_removedMap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tombstone := record.Map{ID: skylineID, Version: 2, Removed: true}
	require.NoError(t, b.store.ApplyMap(t.Context(), tombstone))
	tombstone.GameMapID = 1_001 // so that the owner finds it
	b.owners.maps[skylineID] = tombstone
	if _, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)}); !errors.Is(err,
		record.ErrMapRemoved) {
		t.Errorf("Submit returned %v, want ErrMapRemoved", err)
	}
}

// Ann was Anka before, and there is Anka's token still.
func TestSubmitter_Submit_mergedPlayer(t *testing.T) {
	t.Parallel()
	const ankaID = "01970000-0000-7000-8000-000000000009"
	anka := access.Player(ankaID, "Anka", nil)
	under := func(name string) func(*lbreplay.Replay) { return func(r *lbreplay.Replay) { r.PlayerName = name } }
	merged := func(t *testing.T) *bundle {
		t.Helper()
		b := setup(t)
		require.NoError(t, b.store.ApplyPlayer(t.Context(),
			record.Player{ID: annID, Version: 2, Name: "Ann", FormerNames: []string{"Anka"}, Registered: true}))
		merged := record.Player{ID: ankaID, Version: 2, Removed: true, MergedInto: annID}
		require.NoError(t, b.store.ApplyPlayer(t.Context(), merged))
		return b
	}
	for _, tt := range []struct {
		name   string
		by     access.Actor
		replay string
		want   error
	}{
		{"a replay under the former name is the player's", ann, "ANKA", nil},
		{"a token from before the merge hands in for the player", anka, "Anka", nil},
		{"also under the present name", anka, "Ann", nil},
		{"but no other player's", anka, "Bob", record.ErrReplayNotYours},
		{"another player does not submit under the former name", access.Player(bobID, "Bob", nil), "Anka",
			record.ErrReplayNotYours},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := merged(t)
			got, err := b.Submit(t.Context(), record.Submission{By: tt.by, Replay: annsReplay(t, under(tt.replay))})
			if !errors.Is(err, tt.want) {
				t.Fatalf("returned %v, want %v", err, tt.want)
			}
			if err == nil && got.Record.PlayerID != annID {
				t.Errorf("the record is %s's", got.Record.PlayerID)
			}
		})
	}
	t.Run("merged between the checks and the transaction", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		copied := record.Player{ID: ankaID, Version: 1, Name: "Anka", Registered: true}
		require.NoError(t, b.store.ApplyPlayer(t.Context(), copied))
		merged := record.Player{ID: ankaID, Version: 2, Removed: true, MergedInto: annID}
		b.Replays = changingReplays{b.Replays, b.store, merged}
		got, err := b.Submit(t.Context(), record.Submission{By: anka, Replay: annsReplay(t, under("Anka"))})
		require.NoError(t, err)
		if got.Record.PlayerID != annID || got.Record.Player.Name != "Ann" {
			t.Errorf("outcome %+v", got)
		}
	})
	t.Run("the first record of a map submitted before the merge", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		// The present state of Ann, with the former name, may come later.
		merged := record.Player{ID: ankaID, Version: 2, Removed: true, MergedInto: annID}
		require.NoError(t, b.store.ApplyPlayer(t.Context(), merged))
		file := annsReplay(t, under("Anka"))
		first := firstRecord(file)
		first.PlayerID = ankaID
		importer := &record.Importer{Submitter: b.Submitter, Archive: archive{file: file}}
		require.NoError(t, importer.Import(t.Context(), first))
		page, err := b.store.Leaderboard(t.Context(), record.Leaderboard{MapID: skylineID, Page: record.Page{Limit: 10}})
		require.NoError(t, err)
		if len(page.Records) != 1 || page.Records[0].PlayerID != annID {
			t.Errorf("leaderboard %+v", page)
		}
	})
}
