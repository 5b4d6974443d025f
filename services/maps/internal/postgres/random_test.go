package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
	maps "capzone.dev/services/maps/internal/postgres"
)

// After random changes, a database in which maps were removed and restored, unranked and ranked in between holds what
// one holds in which they never were.
func TestStore_Restore_random(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			p := newPair(t, seed)
			for range 80 {
				p.step()
			}
			for _, id := range p.removed {
				p.must(p.tested.Restore(t.Context(), id, by("root", "a mistake")))
			}
			for _, id := range p.unranked {
				p.must(p.tested.Rank(t.Context(), id, by("root", "a mistake")))
			}
			if diff := cmp.Diff(contents(t, p.referencePool), contents(t, p.testedPool)); diff != "" {
				t.Errorf("after %v (-never judged +undone):\n%s", p.log, diff)
			}
		})
	}
}

// pair is a store in which maps are removed, restored, unranked and ranked, and one with all other changes.
type pair struct {
	t                         *testing.T
	random                    *rand.Rand
	tested, reference         *maps.Store
	testedPool, referencePool *postgres.Pool
	at                        time.Time
	maps                      int
	// games are the versions of each game map, the oldest first.
	games             map[int][]string
	removed, unranked []string
	merged            map[int]bool
	log               []string
}

const (
	playersOfPair = 6
	gamesOfPair   = 4
)

func newPair(t *testing.T, seed uint64) *pair {
	t.Helper()
	p := &pair{
		t: t, random: rand.New(rand.NewPCG(seed, seed)), at: parkourmaptest.FinishedAt,
		games: map[int][]string{}, merged: map[int]bool{},
	}
	p.tested, p.testedPool = setup(t)
	p.reference, p.referencePool = setup(t)
	for n := 1; n <= playersOfPair; n++ {
		take(t, p.tested, n, fmt.Sprint("player ", n))
		take(t, p.reference, n, fmt.Sprint("player ", n))
	}
	return p
}

func (p *pair) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("after %v: %v", p.log, err)
	}
}

// both makes a change in both stores. What is refused where maps are removed is not made elsewhere.
func (p *pair) both(change func(*maps.Store) error) bool {
	p.t.Helper()
	if err := change(p.tested); err != nil {
		p.log = append(p.log, "refused")
		return false
	}
	p.must(change(p.reference))
	return true
}

func (p *pair) step() {
	p.t.Helper()
	p.at = p.at.Add(time.Minute)
	game := 1 + p.random.IntN(gamesOfPair)
	versions := p.games[game]
	isPartlyRemoved := slices.ContainsFunc(versions, func(id string) bool { return slices.Contains(p.removed, id) })
	switch action := p.random.IntN(14); {
	case action < 3 || len(versions) == 0:
		p.submit(game, fmt.Sprint("f", p.maps+1))
	case action < 5 && !isPartlyRemoved: // of other versions another one would be updated
		p.submit(game, "")
	case action < 7:
		p.reassign(versions[p.random.IntN(len(versions))], 1+p.random.IntN(playersOfPair))
	case action == 7 && len(p.merged) < 2:
		p.merge(1+p.random.IntN(playersOfPair), 1+p.random.IntN(playersOfPair))
	case action < 10:
		id := versions[p.random.IntN(len(versions))]
		p.log = append(p.log, "remove "+id)
		if !slices.Contains(p.removed, id) {
			p.must(p.tested.Remove(p.t.Context(), id, p.at, by("root", "x")))
			p.removed = append(p.removed, id)
		}
	case action < 12:
		id := versions[p.random.IntN(len(versions))]
		if i := slices.Index(p.unranked, id); i >= 0 {
			p.log = append(p.log, "rank "+id)
			p.must(p.tested.Rank(p.t.Context(), id, by("root", "a mistake")))
			p.unranked = slices.Delete(p.unranked, i, i+1)
		} else {
			p.log = append(p.log, "unrank "+id)
			p.must(p.tested.Unrank(p.t.Context(), id, by("root", "x")))
			p.unranked = append(p.unranked, id)
		}
	case len(p.removed) > 0:
		i := p.random.IntN(len(p.removed))
		p.log = append(p.log, "restore "+p.removed[i])
		p.must(p.tested.Restore(p.t.Context(), p.removed[i], by("root", "a mistake")))
		p.removed = slices.Delete(p.removed, i, i+1)
	}
}

// submit submits a version with the fingerprint, or an update of the newest one where it is empty.
func (p *pair) submit(game int, fingerprint string) {
	p.t.Helper()
	p.maps++
	n := p.maps
	update := fingerprint == ""
	if update {
		newest, err := p.reference.ByGameMapID(p.t.Context(), int64(game), "")
		p.must(err)
		fingerprint = newest.Fingerprint
	}
	player := parkourmaptest.PlayerID(1 + p.random.IntN(playersOfPair))
	tag := fmt.Sprint("tag", p.random.IntN(3))
	c := parkourmaptest.NewMap(n, func(m *parkourmap.Map) {
		m.GameMapID, m.Fingerprint, m.Tags = int64(game), fingerprint, []string{tag}
		m.AuthorID, m.SubmittedByID = player, player
		m.CreatedAt, m.UpdatedAt = p.at, p.at
		key := fmt.Sprint("maps/", n)
		m.Files = parkourmap.FileKeys{
			Image: key + "i.webp", Thumbnail: key + "t.webp", Replay: key + ".lbReplay", Drawing: key + ".svg",
			Picture: key + "p.webp", PictureThumbnail: key + "pt.webp", PictureBucket: "capzone-maps",
		}
	})
	p.log = append(p.log, fmt.Sprintf("submit %d as %s of %d", n, fingerprint, game))
	if p.both(func(s *maps.Store) error { _, err := s.Submit(p.t.Context(), c); return err }) && !update {
		p.games[game] = append(p.games[game], c.Map.ID)
	}
}

func (p *pair) reassign(id string, player int) {
	p.t.Helper()
	p.log = append(p.log, fmt.Sprintf("reassign %s to %d", id, player))
	author := parkourmap.Player{ID: parkourmaptest.PlayerID(player)}
	p.both(func(s *maps.Store) error { return s.Reassign(p.t.Context(), id, author, p.at, by("root", "")) })
}

func (p *pair) merge(from, into int) {
	p.t.Helper()
	if from == into || p.merged[from] || p.merged[into] {
		return
	}
	p.merged[from] = true
	p.log = append(p.log, fmt.Sprintf("merge %d into %d", from, into))
	p.both(func(s *maps.Store) error { return s.ApplyPlayer(p.t.Context(), tombstone(from, into)) })
}

// contents returns everything that a database holds but the versions of states, events and the audit log.
func contents(t *testing.T, pool *postgres.Pool) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for table, sql := range map[string]string{
		"maps":           `select (to_jsonb(m) - 'version')::text as row from maps m order by id`,
		"map_data":       `select to_jsonb(d)::text as row from map_data d order by map_id`,
		"map_stats":      `select to_jsonb(s)::text as row from map_stats s order by map_id`,
		"tag_counts":     `select to_jsonb(c)::text as row from tag_counts c where maps <> 0 order by tag`,
		"players":        `select to_jsonb(p)::text as row from players p order by id`,
		"update_replays": `select to_jsonb(r)::text as row from update_replays r order by replay_key`,
		"released files": `select key as row from pending_uploads order by key`,
	} {
		type row struct{ Row string }
		for _, r := range pgtest.Rows[row](t, pool, sql) {
			all[table] = append(all[table], r.Row)
		}
	}
	return all
}
