package postgres_test

import (
	"errors"
	"fmt"
	gomaps "maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

// TestStore_against_model submits, removes and restores records and maps, hides, shows and merges players at random,
// with many equal times, and compares every answer with the naive model's, which computes it from the records that
// count.
func TestStore_against_model(t *testing.T) {
	t.Parallel()
	w := setup(t)
	model := newModel()
	random := rand.New(rand.NewPCG(1, 2))
	maps := []record.Map{
		w.newMap("m", racetime.Medals{Author: 3000, Gold: 4000, Silver: 5000, Bronze: 6000}),
		w.newMap("n", racetime.Medals{}),
	}
	version2 := w.newMap("m2", racetime.Medals{})
	version2.GameMapID, version2.Fingerprint, version2.Version = maps[0].GameMapID, "f00d2", 2
	version2.MapVersion = 2
	w.must(w.ApplyMap(t.Context(), version2))
	maps = append(maps, version2)
	for _, m := range maps {
		model.maps[m.ID] = m
	}
	var players []record.Player
	for i := range 40 {
		p := w.newPlayer(fmt.Sprintf("p%02d", i))
		players = append(players, p)
		model.players[p.ID] = p
	}
	var submitted []record.Record
	for step := range 400 {
		switch {
		case random.IntN(25) == 0:
			from, into := random.IntN(len(players)), random.IntN(len(players))
			if from > into { // no cycles
				successor := model.successor(players[into].ID)
				hides, before := model.hidden[players[from].ID] && !model.hidden[successor], model.currentWorldRecords()
				w.merge(players[from], players[into])
				model.merge(tombstone(players[from], players[into]))
				if hides {
					w.compareWorldRecords(before, model.currentWorldRecords(), successor, true)
				}
			}
		case random.IntN(15) == 0:
			m := &maps[random.IntN(len(maps))]
			m.Version, m.Removed = m.Version+1, !m.Removed
			w.must(w.ApplyMap(t.Context(), *m))
			model.maps[m.ID] = *m
		case random.IntN(14) == 0:
			m := &maps[random.IntN(len(maps))]
			m.Version, m.Superseded = m.Version+1, random.IntN(4) == 0
			m.Medals = racetime.DefaultMedals(random.IntN(3) * 4000)
			if !m.Removed {
				w.must(w.ApplyMap(t.Context(), *m))
				model.maps[m.ID] = *m
			}
		case random.IntN(10) == 0:
			player, m := players[random.IntN(8)].ID, maps[random.IntN(len(maps))].ID
			if random.IntN(3) == 0 {
				w.must(w.TakeUp(t.Context(), byPlayer(player), m))
				delete(model.putAside, goalKey{model.successor(player), m})
			} else {
				until := day.Add(duration(random.IntN(4000)))
				w.must(w.PutAside(t.Context(), byPlayer(player), m, until))
				model.setAside(player, m, until)
			}
		case random.IntN(12) == 0:
			// Hidden players are few, so that most of them are shown again.
			player, hidden := players[random.IntN(8)], random.IntN(2) == 0
			before := model.currentWorldRecords()
			got := w.setHidden(player, hidden)
			if want := model.hide(player.ID, hidden); !errors.Is(got, want) {
				t.Fatalf("step %d: Hide or Show (%v) returned %v, want %v", step, hidden, got, want)
			}
			if got == nil {
				w.compareWorldRecords(before, model.currentWorldRecords(), model.successor(player.ID), hidden)
			}
		case len(submitted) > 0 && random.IntN(5) == 0:
			r := submitted[random.IntN(len(submitted))]
			before, worldRecord := model.personalBests(r.MapID), model.worldRecord(r.MapID)
			_, got := w.ModerateRecord(t.Context(), moderation(access.RemoveRecord, r.ID))
			if want := model.remove(r.ID); !errors.Is(got, want) {
				t.Fatalf("step %d: Remove returned %v, want %v", step, got, want)
			}
			if got == nil {
				want := model.changeOf(r, before, model.personalBests(r.MapID))
				if now := model.worldRecord(r.MapID); now != nil && now.RecordID != worldRecord.RecordID {
					want.WorldRecord = now
				}
				w.wantSame("removal", want, outboxtest.Last[event.RecordRemoved](t, w.pool), nil, withoutTime)
			}
		case len(submitted) > 0 && random.IntN(10) == 0:
			r := submitted[random.IntN(len(submitted))]
			before, worldRecord := model.personalBests(r.MapID), model.worldRecord(r.MapID)
			_, got := w.ModerateRecord(t.Context(), moderation(access.RestoreRecord, r.ID))
			if want := model.restore(r.ID); !errors.Is(got, want) {
				t.Fatalf("step %d: Restore returned %v, want %v", step, got, want)
			}
			if got == nil {
				after := model.personalBests(r.MapID)
				want := model.changeOf(r, after, before)
				want.Moved = moved(before, after, model.successor(r.PlayerID))
				if now := model.worldRecord(r.MapID); worldRecord != nil && now.RecordID != worldRecord.RecordID {
					want.WorldRecord = worldRecord
				}
				got := event.RecordRemoved(outboxtest.Last[event.RecordRestored](t, w.pool))
				w.wantSame("restoration", want, got, nil, withoutTime)
			}
		default:
			// 60 different times, of which about 20 lie in the same five seconds.
			r := w.record(maps[random.IntN(len(maps))], players[random.IntN(len(players))], 1000+random.IntN(60)*233)
			r.Undated = random.IntN(6) == 0
			if random.IntN(3) == 0 {
				r.FinishTimeStamp = day.Add(duration(random.IntN(50)))
			}
			got, gotErr := w.submitUnlessDuplicate(r)
			want, wantErr := model.submit(r)
			if diff := cmp.Diff(want, got); diff != "" || !errors.Is(gotErr, wantErr) {
				t.Fatalf("step %d: error %v, want %v; placement (-want +got):\n%s", step, gotErr, wantErr, diff)
			}
			if gotErr == nil {
				r.PlayerID = got.PlayerID
				submitted = append(submitted, r)
				fact := outboxtest.Last[event.RecordSubmitted](t, w.pool)
				w.wantSame(fmt.Sprint("fact of step ", step), factOf(r, want), fact, nil)
			}
		}
		w.compareSome(model, random, maps, players, submitted)
	}
	wantMaps, wantPlayers := model.counts()
	gotMaps, gotPlayers := w.counts()
	isZero := func(_ string, n int64) bool { return n == 0 } // it is not published of who never had a record that counts
	for _, totals := range []map[string]int64{wantMaps, wantPlayers, gotMaps, gotPlayers} {
		gomaps.DeleteFunc(totals, isZero)
	}
	if diff := cmp.Diff([]map[string]int64{wantMaps, wantPlayers}, []map[string]int64{gotMaps, gotPlayers}); diff != "" {
		t.Errorf("totals of maps and players (-want +got):\n%s", diff)
	}
	w.wantConsistent()
	w.must(w.RebuildWorldRecords(t.Context()))
	w.wantConsistent()
	registered := 0
	for _, p := range model.players {
		if !p.Removed {
			registered++
		}
	}
	w.wantStats(leaderboard.Stats{
		Maps: int64(len(model.listed())), Players: int64(registered), Records: int64(len(model.active())),
	})
}

// withoutTime ignores when a fact was written.
var withoutTime = cmp.Options{
	cmpopts.IgnoreFields(event.RecordRemoved{}, "At"), cmpopts.IgnoreFields(event.RecordsHidden{}, "At"),
}

// wantSame compares an answer with the model's.
func (w *world) wantSame(what string, want, got any, err error, options ...cmp.Option) {
	w.t.Helper()
	if diff := cmp.Diff(want, got, append(options, cmpopts.EquateEmpty())...); diff != "" || err != nil {
		w.t.Fatalf("%s: %v (-want +got):\n%s", what, err, diff)
	}
}

// factOf returns the fact of an accepted record.
func factOf(r record.Record, p record.Placement) event.RecordSubmitted {
	fact := event.RecordSubmitted{
		RecordID: r.ID, MapID: r.MapID, PlayerID: r.PlayerID, FinishTime: int64(r.FinishTime),
		FinishTimeStamp: r.FinishTimeStamp, PersonalBest: p.PersonalBest, WorldRecord: p.WorldRecord, Overtook: p.Overtook,
		PreviousWorldRecord: p.PreviousWorldRecord, Medal: "silver", At: r.CreatedAt,
	}
	if p.PersonalBest {
		fact.Rank = p.Rank
	}
	return fact
}

// changeOf returns the fact of a removal without its world record.
func (m *model) changeOf(r record.Record, with, without []record.Record) event.RecordRemoved {
	player := m.successor(r.PlayerID)
	return event.RecordRemoved{
		RecordID: r.ID, MapID: r.MapID, PlayerID: player, FinishTime: int64(r.FinishTime), Reason: "a test",
		FinishTimeStamp: r.FinishTimeStamp, CreatedAt: r.CreatedAt,
		PersonalBest: slices.ContainsFunc(with, func(row record.Record) bool { return row.ID == r.ID }),
		Moved:        moved(with, without, player),
	}
}

// compareWorldRecords compares what the newest fact of a hidden or shown player says of world records.
func (w *world) compareWorldRecords(before, after []event.MapWorldRecord, playerID string, hidden bool) {
	w.t.Helper()
	want := event.RecordsHidden{PlayerID: playerID}
	var got event.RecordsHidden
	if hidden {
		before, after = after, before
		got = outboxtest.Last[event.RecordsHidden](w.t, w.pool)
	} else {
		got = event.RecordsHidden(outboxtest.Last[event.RecordsShown](w.t, w.pool))
	}
	for _, worldRecord := range before {
		if !slices.Contains(after, worldRecord) {
			want.WorldRecords = append(want.WorldRecords, worldRecord)
		}
	}
	w.wantSame("fact of a hidden player", want, got, nil, cmpopts.IgnoreFields(event.RecordsHidden{}, "Reason", "At"))
}

// submitUnlessDuplicate submits as the domain does.
func (w *world) submitUnlessDuplicate(r record.Record) (record.Placement, error) {
	existing, err := w.FindDuplicate(w.t.Context(), r)
	if err == nil {
		return record.Placement{}, r.DuplicateProblem(existing)
	}
	if !errors.Is(err, record.ErrRecordUnknown) {
		w.t.Fatal(err)
	}
	return w.submit(r)
}

// compareAfter reads the page of a list and of a leaderboard after the record before it.
func (w *world) compareAfter(m *model, ofMap leaderboard.Leaderboard, list leaderboard.List, equal cmp.Option) {
	w.t.Helper()
	if list.Offset > 0 {
		want, before := m.list(list), list
		before.Offset, before.Limit = list.Offset-1, 1
		if last := m.list(before).Records; len(last) > 0 {
			position := leaderboard.PositionOf(last[0].Record, list.Sort.By)
			list.After, list.Offset = &position, 0
			got, err := w.List(w.t.Context(), list)
			w.wantSame(fmt.Sprintf("list %+v after %+v", list, position), want, got, err, equal)
		}
	}
	ofMap.PlayerID, ofMap.Neighbours = "", 0
	if ofMap.Offset > 0 && !m.maps[ofMap.MapID].Removed {
		want, before := m.leaderboard(ofMap), ofMap
		before.Offset, before.Limit = ofMap.Offset-1, 1
		if last := m.leaderboard(before).Records; len(last) > 0 {
			position := leaderboard.PositionOf(last[0].Record, leaderboard.ByTime)
			ofMap.After, ofMap.Offset = &position, 0
			got, err := w.Leaderboard(w.t.Context(), ofMap)
			w.wantSame(fmt.Sprintf("leaderboard %+v after %+v", ofMap, position), want, got, err, equal)
		}
	}
}

// compareSome compares answers to random queries.
func (w *world) compareSome(
	model *model, random *rand.Rand, maps []record.Map, players []record.Player, submitted []record.Record,
) {
	w.t.Helper()
	ctx, t := w.t.Context(), w.t
	equal := cmp.Options{cmpopts.IgnoreFields(record.Map{}, "Version", "GameMapID", "Fingerprint"),
		cmpopts.IgnoreFields(record.Record{}, "Undated")}
	page := leaderboard.Page{Offset: random.IntN(45), Limit: 1 + random.IntN(12)}
	ofMap := leaderboard.Leaderboard{MapID: maps[random.IntN(len(maps))].ID, Page: page}

	deepPage := w.deepPage(ofMap)
	w.wantSame(fmt.Sprintf("deep page %+v", ofMap), idsAndRanks(model.leaderboard(ofMap)), deepPage, nil)
	worldRecords, err := w.WorldRecords(ctx, ofMap.MapID)
	w.wantSame("world records", model.worldRecords(ofMap.MapID), worldRecords, err, equal)
	list := leaderboard.List{
		Sort: leaderboard.Sort{By: leaderboard.ByUpdated, Descending: random.IntN(2) == 0}, Page: page,
	}
	if random.IntN(2) == 0 {
		list.Sort.By = leaderboard.ByTime
	}
	if random.IntN(2) == 0 {
		ofMap.PlayerID = players[random.IntN(len(players))].ID
		ofMap.Offset = random.IntN(2)
		ofMap.Neighbours = random.IntN(7)
		list.PlayerID = ofMap.PlayerID
	}
	got, err := w.Leaderboard(ctx, ofMap)
	if model.maps[ofMap.MapID].Removed {
		if !errors.Is(err, record.ErrMapRemoved) {
			t.Fatalf("leaderboard of a removed map: %v", err)
		}
	} else {
		w.wantSame(fmt.Sprintf("leaderboard %+v", ofMap), model.leaderboard(ofMap), got, err, equal)
	}
	ofFollowed, followed := page, []string{}
	ofFollowed.Offset %= 5
	for range random.IntN(12) {
		followed = append(followed, players[random.IntN(len(players))].ID)
	}
	got, err = w.FollowedLeaderboard(ctx, ofMap.MapID, followed, ofFollowed)
	if model.maps[ofMap.MapID].Removed {
		if !errors.Is(err, record.ErrMapRemoved) {
			t.Fatalf("followed players on a removed map: %v", err)
		}
	} else {
		want := model.followed(ofMap.MapID, followed, ofFollowed)
		w.wantSame(fmt.Sprintf("followed players %v, %+v", followed, ofFollowed), want, got, err, equal)
	}
	got, err = w.List(ctx, list)
	w.wantSame(fmt.Sprintf("list %+v", list), model.list(list), got, err, equal)
	w.compareAfter(model, ofMap, list, equal)
	player := players[random.IntN(len(players))].ID
	ids := []string{maps[2].ID, newID(), maps[0].ID, maps[1].ID}
	progress, err := w.Progress(ctx, player, ids)
	w.wantSame("progress", model.progress(player, ids), progress, err, equal)
	w.comparePlayed(model, player)
	opponent := players[random.IntN(len(players))].ID
	common, err := w.CommonMaps(ctx, player, opponent)
	byMap := cmpopts.SortSlices(func(a, b leaderboard.CommonMap) bool { return a.Map.ID < b.Map.ID })
	w.wantSame("common maps", model.commonMaps(player, opponent), common, err, equal, byMap)
	w.compareStatistics(model, random, player, ids)
	if len(submitted) > 0 {
		id := submitted[random.IntN(len(submitted))].ID
		details, _ := w.Details(ctx, id)
		w.wantSame("the row above a record", model.rowAbove(id), details.Above, nil)
		of := []string{players[random.IntN(len(players))].ID, players[0].ID, players[1].ID, players[2].ID, players[0].ID}
		wantPassed, wantErr := model.passed(id, of)
		passed, gotErr := w.PassedPlayers(ctx, id, of)
		if diff := cmp.Diff(wantPassed, passed, cmpopts.EquateEmpty()); diff != "" || !errors.Is(gotErr, wantErr) {
			t.Fatalf("players whom %s has passed: %v, want %v; (-want +got):\n%s", id, gotErr, wantErr, diff)
		}
		got, gotErr := w.get(id)
		want, wantErr := model.get(id)
		if diff := cmp.Diff(want, got, equal); diff != "" || !errors.Is(gotErr, wantErr) {
			t.Fatalf("Get returned %v, want %v; (-want +got):\n%s", gotErr, wantErr, diff)
		}
	}
}

// compareStatistics compares what a player has reached, and how they have improved.
func (w *world) compareStatistics(model *model, random *rand.Rand, player string, maps []string) {
	w.t.Helper()
	ctx := w.t.Context()
	since, now := day.Add(duration(random.IntN(1000))), day.Add(duration(random.IntN(4000)))
	records, err := w.PlayerRecords(ctx, player, since, now)
	byMap := cmpopts.SortSlices(func(a, b leaderboard.Standing) bool { return a.Map.ID < b.Map.ID })
	w.wantSame("records of a player", model.playerRecords(player, since, now), records, err, byMap)
	w.compareGoals(model, player, now)
	page := leaderboard.Page{Offset: random.IntN(3), Limit: 1 + random.IntN(3)}
	improved, err := w.ImprovedMaps(ctx, player, page)
	w.wantSame(fmt.Sprintf("improved maps, %+v", page), model.improvedMaps(player, page), improved, err)
	mapID := maps[random.IntN(len(maps))]
	improvements, err := w.Improvements(ctx, player, mapID)
	w.wantSame("improvements", model.improvements(player, mapID), improvements, err)
}

// comparePlayed compares the maps that a player has played with a scan of the model's progress.
func (w *world) comparePlayed(model *model, player string) {
	w.t.Helper()
	byMap := cmpopts.SortSlices(func(a, b leaderboard.Progress) bool { return a.MapID < b.MapID })
	var wantIDs, gotIDs []string
	for _, ranks := range []leaderboard.Ranks{leaderboard.NoRanks, leaderboard.FirstRank, leaderboard.AllRanks} {
		var want []leaderboard.Progress
		for _, p := range model.progress(player, slices.Collect(gomaps.Keys(model.maps))) {
			switch {
			case p.RecordID == "":
				continue
			case ranks == leaderboard.NoRanks, ranks == leaderboard.FirstRank && p.Rank > 1:
				p.Rank = 0
			}
			want = append(want, leaderboard.Progress{MapID: p.MapID, Medals: p.Medals, FinishTime: p.FinishTime, Rank: p.Rank})
			if ranks == leaderboard.NoRanks {
				wantIDs = append(wantIDs, p.MapID)
			}
		}
		got, err := w.Played(w.t.Context(), player, ranks, 100)
		w.wantSame(fmt.Sprintf("played maps, with ranks %d", ranks), want, got, err, byMap)
		if limited, err := w.Played(w.t.Context(), player, ranks, 1); err != nil || len(limited) != min(1, len(want)) {
			w.t.Fatalf("at most one of them: %v, %v", limited, err)
		}
	}
	bytes, err := w.PlayedMaps(w.t.Context(), player, 100)
	w.must(err)
	ids, err := bytes.UUIDs()
	w.must(err)
	for _, id := range ids {
		if id := uuid.UUID(id).String(); !model.maps[id].Removed {
			gotIDs = append(gotIDs, id)
		}
	}
	slices.Sort(wantIDs)
	w.wantSame("ids of played maps", wantIDs, gotIDs, nil)
}

// compareGoals compares what a player may play next.
func (w *world) compareGoals(model *model, player string, now time.Time) {
	w.t.Helper()
	ctx := w.t.Context()
	candidates, err := w.Candidates(ctx, player, now)
	byMap := cmpopts.SortSlices(func(a, b leaderboard.Candidate) bool { return a.MapID < b.MapID })
	w.wantSame("candidates", model.candidates(player, now), candidates, err, byMap)
	goals := leaderboard.NearestGoals(candidates)
	completed, err := w.CompleteGoals(ctx, player, goals)
	w.wantSame("goals", model.completed(player, goals), completed, err)
	unplayed, err := w.EasiestUnplayed(ctx, player, now)
	w.wantSame("easiest maps that are not finished", model.easiestUnplayed(player, now), unplayed, err)
	easiest, err := w.EasiestMaps(ctx)
	w.wantSame("easiest maps", model.easiest(func(string) bool { return false }), easiest, err)
}

func idsAndRanks(list leaderboard.RankedList) []string {
	lines := []string{}
	for _, e := range list.Records {
		lines = append(lines, fmt.Sprint(e.ID, " ", e.Rank))
	}
	return lines
}

// deepPage returns the ids and ranks of a page that is read from its finish time on.
func (w *world) deepPage(q leaderboard.Leaderboard) []string {
	w.t.Helper()
	scan := records.ScanRow()
	rows, err := w.pool.Query(w.t.Context(), records.DeepPageSQL,
		pgx.NamedArgs{"map": q.MapID, "limit": q.Limit, "offset": q.Offset})
	w.must(err)
	n := int64(0)
	lines, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		n++
		r, err := scan(row)
		return fmt.Sprint(r.ID, " ", r.Rank+n), err
	})
	w.must(err)
	return lines
}
