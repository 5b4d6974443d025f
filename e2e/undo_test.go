package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapgen"
	"capzone.dev/platform/access"
)

// The size of the worlds of TestDesk_undone: enough that the maps give points.
const (
	worldPlayers = 8
	worldAuthors = 3
	worldMaps    = 5
	worldSteps   = 36
	worldMerges  = 2
)

// Two worlds have the same maps, players and finishes. In one of them, decisions are made at the desk at random and
// undone later, some of them several times. In both, other decisions are made for good, and players are merged. At the
// end all visitors see the same in both worlds.
func TestDesk_undone(t *testing.T) {
	t.Parallel()
	desk := &randomDesk{
		t: t, random: rand.New(rand.NewPCG(26, 11)), admin: withRole(t, access.Admin),
		worlds: newWorlds(t), states: map[deskThing]*deskState{}, merged: map[int]bool{},
	}
	for i := range worldPlayers {
		for j := range worldMaps {
			desk.submit(i, j)
		}
	}
	for i := range worldSteps {
		if len(desk.merged) < (worldMerges+1)*i/worldSteps {
			desk.merge()
		}
		if desk.random.IntN(3) == 0 {
			desk.submit(desk.random.IntN(worldPlayers), desk.random.IntN(worldMaps))
			continue
		}
		desk.step()
	}
	for _, thing := range desk.changed {
		if s := desk.states[thing]; s.open != "" {
			desk.undo(s)
		}
	}
	t.Logf("%d decisions, %d of them undone, for good in both worlds: %d, and %d merges",
		desk.made, desk.undone, desk.kept, len(desk.merged))
	if desk.undone < 8 || desk.kept < 4 || len(desk.merged) == 0 {
		t.Error("the sequence has too few decisions to show anything")
	}
	var changed, untouched map[string]any
	same := func() bool {
		changed, untouched = desk.worlds[0].everything(t), desk.worlds[1].everything(t)
		return cmp.Equal(untouched, changed)
	}
	if !eventually.Poll(same) {
		t.Errorf("(-never happened +undone):\n%s", cmp.Diff(untouched, changed))
	}
}

// deskWorld is a few maps and players that have to do with each other alone.
type deskWorld struct {
	maps    []*bonkmap.Map
	mapIDs  []string
	players []*site.Visitor
	records []string
	// owners and on are the players and the maps of the records.
	owners, on []int
}

// newWorlds returns two worlds with the same maps and players, whose names differ.
func newWorlds(t *testing.T) (worlds [2]*deskWorld) {
	t.Helper()
	var all sync.WaitGroup
	for w := range worlds {
		worlds[w] = &deskWorld{players: make([]*site.Visitor, worldPlayers)}
		for i := range worldPlayers {
			all.Go(func() {
				player := capzone.Visitor()
				if _, err := player.Login(t.Context(), account()); err != nil {
					t.Error(err)
				}
				worlds[w].players[i] = player
			})
		}
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	for _, w := range worlds {
		for i := range worldMaps {
			author := w.players[i%worldAuthors]
			id := mapNumbers.Add(1)
			m := mapgen.Generate(mapgen.Options{
				Seed: uint64(i), Mode: bonkmap.Classic, Name: fmt.Sprintf("Twin %c of %d", 'A'+i, id), Author: author.Player.Name,
				ID: int(id),
			}).Map
			entry, err := author.SubmitMap(t.Context(), submission(t, m, author.Player.Name))
			require.NoError(t, err)
			w.maps, w.mapIDs = append(w.maps, m), append(w.mapIDs, entry.ID)
			w.records = append(w.records, awaitFirstRecord(t, entry.ID))
			w.owners, w.on = append(w.owners, i%worldAuthors), append(w.on, i)
		}
	}
	return worlds
}

// awaitFirstRecord waits until the replay that a map was submitted with is its first record, and returns its id.
func awaitFirstRecord(t *testing.T, mapID string) (id string) {
	t.Helper()
	eventually.WaitFor(t, "the first record of the map", func() bool {
		page, err := newVisitor().Leaderboard(t.Context(), mapID, 0, 1)
		if err == nil && len(page.Data) == 1 {
			id = page.Data[0].ID
		}
		return id != ""
	})
	return id
}

// randomDesk makes decisions about two worlds: those that are undone in the first one alone.
type randomDesk struct {
	t      *testing.T
	random *rand.Rand
	admin  *site.Visitor
	worlds [2]*deskWorld
	states map[deskThing]*deskState
	// merged has the players who were merged into others, in both worlds.
	merged map[int]bool
	// changed are the things that were decided about, in the order of the first decisions.
	changed []deskThing

	submissions, made, kept, undone int
}

// deskThing is something that decisions change: a record, a map, whether a map is ranked, or a player.
type deskThing struct {
	kind     string // as the API names it
	index    int    // of the records, maps or players of a world
	unranked bool
}

// deskState is what was decided about a thing.
type deskState struct {
	// inForce is true where it was removed, unranked or banned for good in both worlds.
	inForce bool
	// open is a decision in the first world that will be undone, or empty.
	open string
}

func (s *deskState) isFree() bool { return s == nil || !s.inForce && s.open == "" }

func (d *randomDesk) state(thing deskThing) *deskState {
	s := d.states[thing]
	if s == nil {
		s = &deskState{}
		d.states[thing] = s
		d.changed = append(d.changed, thing)
	}
	return s
}

// hidden reports whether a player was merged into another, or is banned in one of the worlds.
func (d *randomDesk) hidden(player int) bool {
	return d.merged[player] || !d.states[deskThing{kind: "player", index: player}].isFree()
}

// merge merges a player who has no maps into another one in both worlds, unless one of them is hidden.
func (d *randomDesk) merge() {
	d.t.Helper()
	from, into := worldAuthors+d.random.IntN(worldPlayers-worldAuthors), d.random.IntN(worldPlayers)
	if from == into || d.hidden(from) || d.hidden(into) {
		return
	}
	for _, w := range d.worlds {
		d.carriedOut("/desk/decisions", map[string]any{
			"subject": map[string]any{"kind": "player", "id": w.players[from].Player.ID},
			"kind":    "merge", "intoId": w.players[into].Player.ID,
			"publicReason": "alt_account", "text": "Both accounts are of the same person.",
		})
		for i, owner := range w.owners {
			if owner == from {
				w.owners[i] = into
			}
		}
	}
	d.merged[from] = true
}

// submit submits the same finish in both worlds, unless its player or its map is out of the game in one of them.
func (d *randomDesk) submit(player, mapIndex int) {
	d.t.Helper()
	if d.hidden(player) || !d.states[deskThing{kind: "map", index: mapIndex}].isFree() {
		return
	}
	d.submissions++
	// Finishes are so far apart that they raise no flags.
	at := raceday.Add(time.Duration(d.submissions) * 10 * time.Minute)
	ms := 37_000 + 100*d.random.IntN(30)
	for _, w := range d.worlds {
		visitor := w.players[player]
		file := replay(d.t, w.maps[mapIndex], visitor.Player.Name, ms, func(r *lbreplay.Replay) { r.Timestamp = at })
		var problem *site.Problem
		var submitted api.Submitted
		eventually.WaitFor(d.t, "a finish to be accepted", func() bool {
			var err error
			submitted, err = visitor.SubmitRecord(d.t.Context(), site.RecordSubmission{Replay: file})
			if err != nil && !errors.As(err, &problem) { // what was undone has not arrived everywhere
				d.t.Fatal(err)
			}
			return err == nil
		})
		w.records = append(w.records, submitted.Record.ID)
		w.owners, w.on = append(w.owners, player), append(w.on, mapIndex)
	}
}

// step undoes a decision, or makes one: for good in both worlds, or in the first one until it is undone.
func (d *randomDesk) step() {
	d.t.Helper()
	thing := d.anything()
	if thing.kind == "player" && d.merged[thing.index] {
		return
	}
	s := d.state(thing)
	switch isRemoved := !d.states[deskThing{kind: "map", index: thing.index}].isFree(); {
	case s.open != "":
		d.undo(s)
	case thing.unranked && isRemoved: // a removed map is neither ranked nor unranked
	case d.random.IntN(3) == 0:
		body := d.decision(thing, s.inForce)
		reporter := d.reporter(thing, body["kind"])
		for _, w := range d.worlds {
			d.decide(w, thing, reporter, body)
		}
		s.inForce = !s.inForce
		d.kept++
	default:
		body := d.decision(thing, s.inForce)
		s.open = d.decide(d.worlds[0], thing, d.reporter(thing, body["kind"]), body)
		d.made++
	}
}

func (d *randomDesk) anything() deskThing {
	switch n := d.random.IntN(10); {
	case n < 5:
		return deskThing{kind: "record", index: d.random.IntN(len(d.worlds[0].records))}
	case n < 7:
		return deskThing{kind: "player", index: d.random.IntN(worldPlayers)}
	default:
		return deskThing{kind: "map", index: d.random.IntN(worldMaps), unranked: n == 9}
	}
}

// decision returns the body of a decision that changes a thing from what it is.
func (d *randomDesk) decision(thing deskThing, inForce bool) map[string]any {
	kinds := map[string][2]string{
		"record": {"remove_record", "restore_record"}, "player": {"ban", "unban"}, "map": {"remove_map", "restore_map"},
	}[thing.kind]
	if thing.unranked {
		kinds = [2]string{"unrank_map", "rank_map"}
	}
	body := map[string]any{"publicReason": "mistake", "text": "It is decided at random.", "kind": kinds[0]}
	if inForce {
		body["kind"] = kinds[1]
	}
	if body["kind"] == "ban" {
		body["keepRecords"] = d.random.IntN(2) == 0
		if d.random.IntN(2) == 0 {
			body["until"] = time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		}
	}
	return body
}

// decide makes a decision that is carried out, and returns its id. With reporter, which is not negative, the thing is a
// record that this player reports before.
func (d *randomDesk) decide(w *deskWorld, thing deskThing, reporter int, body map[string]any) string {
	d.t.Helper()
	subject := map[string]any{"kind": thing.kind}
	switch thing.kind {
	case "record":
		subject["id"] = w.records[thing.index]
	case "player":
		subject["id"] = w.players[thing.index].Player.ID
	default:
		subject["id"] = w.mapIDs[thing.index]
	}
	if reporter >= 0 {
		id := w.records[thing.index]
		posted[api.OwnReport](d.t, w.players[reporter], "/reports", map[string]any{"subject": subject, "reason": "edited"})
		caseID := awaitCase(d.t, d.admin, id)
		posted[api.Claim](d.t, d.admin, "/desk/cases/"+caseID+"/claim", map[string]any{})
		return d.carriedOut("/desk/cases/"+caseID+"/decisions", body)
	}
	direct := maps.Clone(body)
	direct["subject"] = subject
	return d.carriedOut("/desk/decisions", direct)
}

// reporter returns who reports a record before it is removed, or -1 for nobody. What is hidden cannot be reported.
func (d *randomDesk) reporter(thing deskThing, kind any) int {
	w := d.worlds[0]
	if kind != "remove_record" || d.random.IntN(2) == 0 || d.hidden(w.owners[thing.index]) ||
		!d.states[deskThing{kind: "map", index: w.on[thing.index]}].isFree() {
		return -1
	}
	for i := range worldPlayers {
		if i != w.owners[thing.index] && !d.hidden(i) {
			return i
		}
	}
	return -1
}

// undo undoes the open decision about a thing. Sometimes that is undone as well, and undone again.
func (d *randomDesk) undo(s *deskState) {
	d.t.Helper()
	times := 1
	if d.random.IntN(4) == 0 {
		times = 3
	}
	for range times {
		s.open = d.carriedOut("/desk/decisions/"+s.open+"/undo", map[string]any{
			"publicReason": "mistake", "text": "It was a mistake.",
		})
	}
	s.open = ""
	d.undone++
}

// carriedOut makes a decision and waits until it is carried out. One about what has just been changed may have to be
// made again when the moderation service knows of the change.
func (d *randomDesk) carriedOut(path string, body map[string]any) string {
	d.t.Helper()
	text, err := json.Marshal(body)
	require.NoError(d.t, err)
	var answer site.Answer
	eventually.WaitFor(d.t, "the desk to know of the change before", func() bool {
		answer = ask(d.t, d.admin, site.Request{
			Method: http.MethodPost, Path: path, Body: strings.NewReader(string(text)),
			Header: http.Header{"Content-Type": {"application/json"}},
		})
		return answer.Status != http.StatusUnprocessableEntity
	})
	var made struct{ Data api.Decision }
	if answer.Status != http.StatusCreated || json.Unmarshal(answer.Body, &made) != nil {
		d.t.Fatalf("POST %s %s: %d %s", path, text, answer.Status, answer.Body)
	}
	if made.Data.State == api.DecisionRefused {
		d.t.Fatalf("POST %s %s: refused %+v", path, text, made.Data.Refusal)
	}
	return made.Data.ID
}

// everything returns what visitors can read of a world, with names and ids that do not depend on the world.
func (w *deskWorld) everything(t *testing.T) map[string]any {
	t.Helper()
	names := w.neutralNames()
	all := map[string]any{}
	read := func(name, path string, without ...string) {
		answer := ask(t, newVisitor(), site.Request{Path: path})
		var body map[string]any
		require.NoError(t, json.Unmarshal(answer.Body, &body))
		if data, ok := body["data"].(map[string]any); ok {
			for _, key := range without {
				delete(data, key)
			}
		}
		all[name] = []any{answer.Status, neutral(body, names)}
	}
	for i, id := range w.mapIDs {
		read(fmt.Sprint("map ", i), "/maps/"+id)
		read(fmt.Sprint("points of map ", i), "/maps/"+id+"/points")
		read(fmt.Sprint("world records of map ", i), "/maps/"+id+"/history")
		read(fmt.Sprint("leaderboard of map ", i),
			"/records?map="+id+"&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc&limit=100")
	}
	for i, p := range w.players {
		read(fmt.Sprint("player ", i), "/players/"+p.Player.ID)
		read(fmt.Sprint("points of player ", i), "/players/"+p.Player.ID+"/points?limit=100", "rank", "ranked", "change7d")
		read(fmt.Sprint("statistics of player ", i), "/players/"+p.Player.ID+"/statistics")
	}
	for i, id := range w.records {
		// The rank at the submission is what it was then, also where that was because of a decision.
		read(fmt.Sprint("record ", i), "/records/"+id, "rankAtSubmission")
		page := open(t, "/record/"+id)
		all[fmt.Sprint("preview of record ", i)] = []any{
			page.status, names.Replace(page.title), names.Replace(page.meta["og:title"]),
			names.Replace(page.meta["og:description"]),
		}
	}
	return all
}

// neutralNames replaces the names and ids of a world.
func (w *deskWorld) neutralNames() *strings.Replacer {
	var pairs [][2]string
	for i, p := range w.players {
		pairs = append(pairs, [2]string{p.Player.ID, fmt.Sprint("player ", i)})
		pairs = append(pairs, [2]string{p.Player.Name, fmt.Sprint("Player ", i)})
	}
	for i, m := range w.maps {
		pairs = append(pairs, [2]string{w.mapIDs[i], fmt.Sprint("map ", i)}, [2]string{m.Name, fmt.Sprint("Map ", i)})
	}
	for i, id := range w.records {
		pairs = append(pairs, [2]string{id, fmt.Sprint("record ", i)})
	}
	// The name of one player may begin with that of another.
	slices.SortStableFunc(pairs, func(a, b [2]string) int { return len(b[0]) - len(a[0]) })
	var args []string
	for _, pair := range pairs {
		args = append(args, pair[0], pair[1])
	}
	return strings.NewReplacer(args...)
}

// neutral returns a decoded value without what differs between worlds: moments and durations, the addresses of files,
// and numbers of the game.
func neutral(value any, names *strings.Replacer) any {
	switch v := value.(type) {
	case map[string]any:
		copied := map[string]any{}
		for key, of := range v {
			switch key {
			case "bonkDBID", "bonkDbId", "gameMapId", "level", "requestId", "milliseconds", "longestReign",
				"holders": // the steps say the same, these in the order of durations
			default:
				copied[key] = neutral(of, names)
			}
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, of := range v {
			copied[i] = neutral(of, names)
		}
		return copied
	case string:
		if _, err := time.Parse(time.RFC3339, v); err == nil || strings.Contains(v, "/media/") {
			return "…"
		}
		return names.Replace(v)
	default:
		return value
	}
}
