package maptest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Store is everything that keeps maps.
type Store interface {
	parkourmap.Creations
	parkourmap.Catalogue
	parkourmap.Corrections
	parkourmap.PlayerCopies
	TakeRecords(ctx context.Context, mapID string, version, records int64) error
}

// Contract tests what every store of maps keeps. open returns an empty store and
// a function that tells what its changes have left behind.
func Contract(t *testing.T, open func(t *testing.T) (Store, func() Left)) {
	t.Helper()
	for name, test := range map[string]func(t *testing.T, store Store, left func() Left){
		"what was created is found as it was, and is told":        roundTrip,
		"an unknown map is ErrMapUnknown":                         unknownMap,
		"the game's map exists once, also when asked for at once": createdAtOnce,
		"a removed map is gone but for its id in the game":        removed,
		"a reassigned map is found by its new author":             reassigned,
		"a search finds any part of a name":                       searchParts,
		"filters narrow each other down":                          searchCombined,
		"a search sorts, and cuts pages without a gap":            searchSorts,
		"record counts wait for their map":                        recordsFirst,
		"a player's copy is taken by version":                     playerVersions,
		"an author's new name is found, the old one not":          renamed,
		"a merged player's maps are the other's":                  merged,
		"merges go along a chain, told in any order":              mergedInAnyOrder,
		"a tombstone is completed by whom it points at":           mergedAfterTombstone,
		"a merged player gets no map":                             mapOfMergedPlayer,
		"maps that are made while a player is merged go along":    mapsWhilePlayerIsMerged,
		"popular tags are those most used":                        popularTags,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, left := open(t)
			test(t, store, left)
		})
	}
}

// PlayerID and MapID are ids for tests.
func PlayerID(n int) string { return fmt.Sprintf("0198c2f4-0000-7000-8000-%012d", n) }

// MapID is the id of the n-th map of NewMap.
func MapID(n int) string { return fmt.Sprintf("0198c2f4-0000-7000-9000-%012d", n) }

// NewMap returns the n-th map, by the first player, altered.
func NewMap(n int, alter ...func(*parkourmap.Map)) parkourmap.Creation {
	at := RunAt.Add(time.Duration(n) * time.Minute)
	m := parkourmap.Map{
		ID: MapID(n), Version: 1, BonkDBID: int64(1000 + n), Name: fmt.Sprintf("Map %d", n), Mode: bonkmap.Classic,
		AuthorID: PlayerID(1), SubmittedByID: PlayerID(1), Tags: []string{}, Contributors: []string{},
		Fingerprint: "f", Files: parkourmap.FileKeys{Image: "maps/i.webp", Thumbnail: "maps/i-480.webp", Replay: "replays/r.lbReplay"},
		CreatedAt: at, UpdatedAt: at,
	}
	for _, a := range alter {
		a(&m)
	}
	return parkourmap.Creation{
		Map: m, EncodedMap: "ILAcJ",
		Run: event.MapCreated{MapID: m.ID, SubmittedByID: m.SubmittedByID, ReplayKey: m.Files.Replay, FinishTime: 41267, FinishTimeStamp: at},
	}
}

func create(t *testing.T, store Store, creations ...parkourmap.Creation) {
	t.Helper()
	for _, c := range creations {
		if _, err := store.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
}

func take(t *testing.T, store Store, n int, name string) {
	t.Helper()
	if err := store.TakePlayer(t.Context(), parkourmap.Player{ID: PlayerID(n), Version: 1, Name: name}); err != nil {
		t.Fatal(err)
	}
}

func found(t *testing.T, store Store, s parkourmap.Search) []string {
	t.Helper()
	if s.Limit == 0 {
		s.Limit = 100
	}
	if s.SortBy == "" {
		s.SortBy = parkourmap.ByName
	}
	page, err := store.Search(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range page.Entries {
		names = append(names, entry.Name)
	}
	if s.Offset == 0 && len(names) < s.Limit && page.Total != int64(len(names)) {
		t.Errorf("%+v: total %d of %d", s, page.Total, len(names))
	}
	return names
}

func roundTrip(t *testing.T, store Store, left func() Left) {
	t.Helper()
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	if err := store.TakePlayer(t.Context(), parkourmap.Player{
		ID: PlayerID(2), Version: 2, Name: "Rain", SkinImageURL: "/media/skins/a.webp", SkinColor: "#8e24aa",
	}); err != nil {
		t.Fatal(err)
	}
	c := NewMap(1, func(m *parkourmap.Map) {
		m.Description, m.Tags, m.Contributors = "Mind the gap.\n", []string{"speed", "a b"}, []string{"Rain"}
		m.Mode = bonkmap.DeathArrows
		m.Medals = &racetime.Medals{Author: 1, Gold: 2, Silver: 3, Bronze: 4}
		m.RemixOf = &parkourmap.Remix{BonkDBID: 7, Name: "Old Sky", Author: "Rain"}
		m.SubmittedByID = PlayerID(2)
	})
	want := parkourmap.Entry{
		Map:         c.Map,
		Author:      parkourmap.Player{ID: PlayerID(1), Name: "cloudstep"},
		SubmittedBy: parkourmap.Player{ID: PlayerID(2), Name: "Rain", SkinImageURL: "/media/skins/a.webp", SkinColor: "#8e24aa"},
	}
	created, err := store.Create(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	read, err := store.Entry(t.Context(), c.Map.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []parkourmap.Entry{created, read} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("entry (-want +got):\n%s", diff)
		}
	}
	if diff := cmp.Diff(Left{States: []event.MapState{c.Map.State()}, Facts: []event.Fact{c.Run}}, left()); diff != "" {
		t.Errorf("left behind (-want +got):\n%s", diff)
	}
}

func unknownMap(t *testing.T, store Store, left func() Left) {
	t.Helper()
	for _, id := range []string{MapID(1), "", "1", "'; drop table maps; --", "\x00", "{" + MapID(1) + "}"} {
		if _, err := store.Entry(t.Context(), id); !errors.Is(err, parkourmap.ErrMapUnknown) {
			t.Errorf("Entry(%q) returned %v", id, err)
		}
		if err := store.Remove(t.Context(), id, parkourmap.Attribution{}); !errors.Is(err, parkourmap.ErrMapUnknown) {
			t.Errorf("Remove(%q) returned %v", id, err)
		}
		if err := store.Reassign(t.Context(), id, parkourmap.Player{ID: PlayerID(1)}, parkourmap.Attribution{}); !errors.Is(err, parkourmap.ErrMapUnknown) {
			t.Errorf("Reassign(%q) returned %v", id, err)
		}
	}
	if diff := cmp.Diff(Left{}, left()); diff != "" {
		t.Errorf("left behind (-want +got):\n%s", diff)
	}
}

func createdAtOnce(t *testing.T, store Store, left func() Left) {
	t.Helper()
	take(t, store, 1, "cloudstep")
	var wait sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		wait.Go(func() {
			_, errs[i] = store.Create(t.Context(), NewMap(i, func(m *parkourmap.Map) { m.BonkDBID, m.Tags = 7, []string{"b", "a"} }))
		})
	}
	wait.Wait()
	winner := slices.Index(errs, nil)
	if winner < 0 {
		t.Fatalf("nobody won: %v", errs[0])
	}
	for i, err := range errs {
		if i != winner && (!errors.Is(err, parkourmap.ErrMapExists) || problem.From(err).Data["_id"] != MapID(winner)) {
			t.Errorf("submission %d got %v, want the map %s exists", i, err, MapID(winner))
		}
	}
	if after := left(); len(after.States) != 1 || len(after.Facts) != 1 {
		t.Errorf("left behind: %+v", after)
	}
}

func removed(t *testing.T, store Store, left func() Left) {
	t.Helper()
	take(t, store, 1, "cloudstep")
	gone, stays := NewMap(1, tagged("speed")), NewMap(2, tagged("speed"))
	create(t, store, gone, stays)
	if err := store.Remove(t.Context(), gone.Map.ID, parkourmap.Attribution{Operator: "root", Reason: "stolen"}); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Entry(t.Context(), gone.Map.ID); !errors.Is(err, parkourmap.ErrMapUnknown) {
		t.Errorf("Entry returned %v", err)
	}
	for _, s := range []parkourmap.Search{{}, {Name: "map"}, {Tags: []string{"speed"}}, {SortBy: parkourmap.ByRecords}, {AuthorID: PlayerID(1)}} {
		if diff := cmp.Diff([]string{"Map 2"}, found(t, store, s)); diff != "" {
			t.Errorf("search %+v (-want +got):\n%s", s, diff)
		}
	}
	again := NewMap(3, func(m *parkourmap.Map) { m.BonkDBID = gone.Map.BonkDBID })
	if _, err := store.Create(t.Context(), again); !errors.Is(err, parkourmap.ErrMapRemoved) {
		t.Errorf("Create returned %v", err)
	}
	if err := store.Existing(t.Context(), gone.Map.BonkDBID); !errors.Is(err, parkourmap.ErrMapRemoved) {
		t.Errorf("Existing returned %v", err)
	}
	if err := store.Remove(t.Context(), gone.Map.ID, parkourmap.Attribution{Reason: "again"}); !errors.Is(err, parkourmap.ErrRemovedAlready) {
		t.Errorf("Remove returned %v", err)
	}
	if err := store.Reassign(t.Context(), gone.Map.ID, parkourmap.Player{ID: PlayerID(2)}, parkourmap.Attribution{}); !errors.Is(err, parkourmap.ErrMapUnknown) {
		t.Errorf("Reassign returned %v", err)
	}
	want := Left{
		States: []event.MapState{gone.Map.State(), stays.Map.State(), {ID: gone.Map.ID, Version: 2, Removed: true}},
		Facts:  []event.Fact{gone.Run, stays.Run, event.MapRemoved{MapID: gone.Map.ID, Reason: "stolen"}},
	}
	if diff := cmp.Diff(want, left()); diff != "" {
		t.Errorf("left behind (-want +got):\n%s", diff)
	}
}

func reassigned(t *testing.T, store Store, left func() Left) {
	t.Helper()
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store, NewMap(1))
	to := parkourmap.Player{ID: PlayerID(2), Name: "Rain"}
	if err := store.Reassign(t.Context(), MapID(1), to, parkourmap.Attribution{Operator: "root", Reason: "wrong author"}); err != nil {
		t.Fatal(err)
	}
	if err := store.Reassign(t.Context(), MapID(1), to, parkourmap.Attribution{}); !errors.Is(err, parkourmap.ErrAuthorAlready) {
		t.Errorf("a second time returned %v", err)
	}
	for _, s := range []parkourmap.Search{{AuthorID: PlayerID(2)}, {Author: "rain"}, {Author: "a"}} {
		if diff := cmp.Diff([]string{"Map 1"}, found(t, store, s)); diff != "" {
			t.Errorf("search %+v (-want +got):\n%s", s, diff)
		}
	}
	for _, s := range []parkourmap.Search{{AuthorID: PlayerID(1)}, {Author: "cloud"}, {Author: "d"}} {
		if names := found(t, store, s); names != nil {
			t.Errorf("search %+v found %v", s, names)
		}
	}
	after := left()
	if len(after.States) != 2 || after.States[1].Version != 2 || after.States[1].AuthorID != PlayerID(2) {
		t.Errorf("states: %+v", after.States)
	}
	fact := event.MapReassigned{MapID: MapID(1), OldAuthorID: PlayerID(1), NewAuthorID: PlayerID(2), Reason: "wrong author"}
	if diff := cmp.Diff(event.Fact(fact), after.Facts[len(after.Facts)-1]); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
}

func tagged(tags ...string) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) { m.Tags = tags }
}

func named(name string) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) { m.Name = name }
}

// byTheSecond makes the map the second player's.
func byTheSecond(m *parkourmap.Map) { m.AuthorID = PlayerID(2) }

func in(mode bonkmap.Mode) func(*parkourmap.Map) {
	return func(m *parkourmap.Map) { m.Mode = mode }
}
