package app_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/records/internal/record"
)

// The notifications service asks which of the players who follow somebody were passed.
func TestFindPassed(t *testing.T) {
	b := setup(t)
	m := b.newMap("Skyline Run")
	ann, bob, cid, dan, eve := b.newPlayer("Ann"), b.newPlayer("Bob"), b.newPlayer("Cid"), b.newPlayer("Dan"),
		b.newPlayer("Eve")
	b.submitted(bob, m, 43_000)
	ofCid := b.submitted(cid, m, 44_000).Record.ID
	ofDan := b.submitted(dan, m, 46_000).Record.ID
	first := b.submitted(ann, m, 45_000).Record.ID // passes Dan
	slower := b.submitted(ann, m, 50_000).Record.ID
	second := b.submitted(ann, m, 43_500).Record.ID // passes Cid
	b.submitted(eve, m, 44_500)                     // after it
	all := []string{eve.ID, dan.ID, cid.ID, bob.ID, ann.ID, newID(), dan.ID}

	find := func(q event.FindPassed) ([]event.MovedPlayer, error) {
		found, err := eventbus.Call[event.FindPassed, event.PassedPlayers](t.Context(), b.NATS, event.FindPassedSubject, q)
		return found.Passed, err
	}
	for name, tt := range map[string]struct {
		q    event.FindPassed
		want []event.MovedPlayer
	}{
		"the first record": {event.FindPassed{RecordID: first, PlayerIDs: all}, []event.MovedPlayer{
			{PlayerID: dan.ID, RecordID: ofDan, FinishTime: 46_000, From: 4, To: 5},
		}},
		"an improvement": {event.FindPassed{RecordID: second, PlayerIDs: all}, []event.MovedPlayer{
			{PlayerID: cid.ID, RecordID: ofCid, FinishTime: 44_000, From: 2, To: 3},
		}},
		"no improvement":    {event.FindPassed{RecordID: slower, PlayerIDs: all}, nil},
		"of other players":  {event.FindPassed{RecordID: second, PlayerIDs: []string{bob.ID, dan.ID}}, nil},
		"of no players":     {event.FindPassed{RecordID: second}, nil},
		"of the own player": {event.FindPassed{RecordID: second, PlayerIDs: []string{ann.ID}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := find(tt.q)
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
	_, err := b.command("remove", first, "a test")
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		q    event.FindPassed
		want error
	}{
		"an unknown record": {event.FindPassed{RecordID: newID(), PlayerIDs: all}, record.ErrRecordUnknown},
		"a removed record":  {event.FindPassed{RecordID: first, PlayerIDs: all}, record.ErrRecordUnknown},
		"no record":         {event.FindPassed{RecordID: "r1", PlayerIDs: all}, record.ErrRecordUnknown},
		"a player without an id": {
			event.FindPassed{RecordID: second, PlayerIDs: []string{ann.ID, "bob"}}, record.ErrPlayersInvalid,
		},
		"501 players": {
			event.FindPassed{RecordID: second, PlayerIDs: slices.Repeat(all[:1], event.MaxRequestedPlayers+1)},
			record.ErrPlayersInvalid,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := find(tt.q); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

// The notifications service asks who has a record on the version that a new one supersedes.
func TestListPlayers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, empty, removed := b.newMap("Skyline Run"), b.newMap("Garden"), b.newMap("Cave")
	ann := b.newPlayer("Ann")
	b.submitted(ann, m, 45_000)
	b.submitted(ann, removed, 45_000)
	b.submitted(ann, m, 44_000)
	// Rows of 600 more players.
	_, err := b.Pool.Exec(t.Context(), `
		with added as (
			insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at)
			select gen_random_uuid(), $1, gen_random_uuid(), 50000 + n, now(), n::text, now() from generate_series(1, 600) n
			returning *
		)
		insert into personal_bests (map_id, player_id, record_id, finish_time, finished_at, created_at, records)
		select map_id, player_id, id, finish_time, finished_at, created_at, 1 from added`, m.ID)
	require.NoError(t, err)
	require.NoError(t, b.Publish(t.Context(), event.MapState{ID: removed.ID, Version: 2, Removed: true}))

	list := func(q event.ListPlayers) ([]string, error) {
		listed, err := eventbus.Call[event.ListPlayers, event.ListedPlayers](
			t.Context(), b.NATS, event.ListPlayersSubject, q)
		return listed.PlayerIDs, err
	}
	first, err := list(event.ListPlayers{MapID: m.ID})
	require.NoError(t, err)
	if len(first) != event.MaxRequestedPlayers {
		t.Fatalf("%d players on the first page", len(first))
	}
	second, err := list(event.ListPlayers{MapID: m.ID, After: first[len(first)-1]})
	require.NoError(t, err)
	all := slices.Concat(first, second)
	if len(all) != 601 || !slices.IsSorted(all) || !slices.Contains(all, ann.ID) || len(slices.Compact(all)) != 601 {
		t.Errorf("%d players, which are not each player once in order", len(all))
	}
	for name, q := range map[string]event.ListPlayers{
		"past the end":             {MapID: m.ID, After: "ffffffff-ffff-7fff-bfff-ffffffffffff"},
		"of a map without records": {MapID: empty.ID},
	} {
		t.Run(name, func(t *testing.T) {
			if players, err := list(q); err != nil || len(players) > 0 {
				t.Errorf("%v, error %v", players, err)
			}
		})
	}
	servicetest.AwaitState(b.Servers, event.MapStatsPrefix+removed.ID,
		func(s event.MapStats) bool { return s.MapID == removed.ID && s.Records == 0 })
	for name, tt := range map[string]struct {
		q    event.ListPlayers
		want error
	}{
		"an unknown map": {event.ListPlayers{MapID: newID()}, record.ErrMapUnknown},
		"no map":         {event.ListPlayers{MapID: "m1"}, record.ErrMapUnknown},
		"a removed map":  {event.ListPlayers{MapID: removed.ID}, record.ErrMapRemoved},
		"after no id":    {event.ListPlayers{MapID: m.ID, After: "Ann"}, record.ErrPlayersInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := list(tt.q); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}
