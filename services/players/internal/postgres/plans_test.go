package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/migrations"
)

// Every read of a large table uses an index.
func TestStore_plans(t *testing.T) {
	t.Parallel()
	pool := manyPlayers(t)
	for _, s := range []struct{ name, sql, index string }{
		{"Get", getPlayerSQL, "players_pkey"},
		{"GetByName", getByNameSQL, "players_name_key"},
		{"GetProfile", profileSQL, "player_totals_pkey"},
		{"ListIDs", listIDsSQL, "players_pkey"},
		{"BansOver", bansOverSQL, "players_bans"},
		{"HasAdmin", hasAdminSQL, "players_admins"},
		{"IsReferenced", isReferencedSQL, "players_by_avatar"},
		{"Republish", republishSQL, "players_pkey"},
		{"Deletion", deletionSQL, "deletions_pkey"},
		{"CancelDeletion", cancelDeletionSQL, "deletions_pkey"},
		{"DeleteDue", lockDueSQL, "deletions_due"},
		{"DeleteDue, taken", takeDueSQL, "deletions_pkey"},
		{"DeleteDue, later", postponeSQL, "deletions_pkey"},
		{"other admins", hasOtherAdminSQL, "players_admins"},
		{"taken names", takenKeysSQL, "players_name_key"},
		{"names of merged players", renameMergedSQL, "players_merged_into"},
		{"banned names", isNameBannedSQL, "banned_names_pkey"},
		{"banned names of a player", deleteBannedNamesSQL, "banned_names_by_player"},
	} {
		checkPlan(t, s.name, pgtest.GenericPlan(t, pool, s.sql), s.index)
	}
	exporttest.WantPlans(t, pool, Exports)
}

// Searches use indexes for terms of every length, for what many players have in their name and for
// what few have.
func TestStore_Search_plans(t *testing.T) {
	t.Parallel()
	pool := manyPlayers(t)
	for _, term := range terms {
		for sort, index := range sortIndexes {
			for _, descending := range []bool{false, true} {
				for _, offset := range []int{0, 12 * 100} {
					q := searchQuery(player.Page{
						Name: term, Sort: player.Sort{By: sort, Descending: descending}, Limit: 12, Offset: offset,
					})
					name := fmt.Sprintf("%q by %s, descending %v, from %d", term, sort, descending, offset)
					want := "players_by_"
					if term == "" {
						want = "using " + index
					}
					checkPlan(t, name, pgtest.Plan(t, pool, q.PageSQL(), q.Args()), want)
				}
			}
		}
		if term == "" || term == "_" {
			continue // all players are counted by reading all, and a sign has no trigram
		}
		q := searchQuery(player.Page{Name: term, Sort: player.Sort{By: player.ByName}})
		checkPlan(t, "count "+term, pgtest.Plan(t, pool, q.CountSQL(), q.Args()), "players_by_")
		checkPlan(t, "count "+term, pgtest.GenericPlan(t, pool, q.CountSQL()), "players_by_")
	}
}

// terms are of all lengths; many, few and no players have them in their name.
var terms = []string{"", "a", "r", "ru", "qz", "run", "unn", "runner", "runner123", "99", "_", "zzzzzz"}

var sortIndexes = map[player.SortBy]string{
	player.ByName: "players_by_name", player.ByLevel: "players_by_level",
	player.ByCreated: "players_by_created", player.ByUpdated: "players_by_updated",
}

func checkPlan(t *testing.T, name, plan, index string) {
	t.Helper()
	plan = strings.ReplaceAll(plan, "Scan Backward using", "Scan using")
	if !strings.Contains(plan, index) || strings.Contains(plan, "Seq Scan") {
		t.Errorf("%s, where %s is wanted:\n%s", name, index, plan)
	}
}

// Pages and totals are those of a filter in Go.
func TestStore_Search_manyPlayers(t *testing.T) {
	t.Parallel()
	store := NewStore(manyPlayers(t))
	found, err := store.Search(t.Context(), player.Page{Sort: player.Sort{By: player.ByName}, Limit: 100_000})
	all := found.Profiles
	if err != nil || found.Total != 18_000 || len(all) != 18_000 {
		t.Fatalf("all players: %d of %d, %v", len(all), found.Total, err)
	}
	for _, term := range terms[1:] {
		part := term
		if len(term) <= 2 {
			part = " " + term
		}
		var want []string
		for _, p := range all {
			if strings.Contains(" "+search.Key(p.Name), part) {
				want = append(want, p.ID)
			}
		}
		for _, offset := range []int{0, 24} {
			page, err := store.Search(t.Context(), player.Page{Name: term, Sort: player.Sort{By: player.ByName}, Limit: 12,
				Offset: offset})
			if err != nil || page.Total != int64(len(want)) {
				t.Errorf("%q: total %d, want %d (%v)", term, page.Total, len(want), err)
			}
			var got []string
			for _, p := range page.Profiles {
				got = append(got, p.ID)
			}
			wantPage := append([]string(nil), want[min(offset, len(want)):min(offset+12, len(want))]...)
			if diff := cmp.Diff(wantPage, got); diff != "" {
				t.Errorf("%q from %d (-want +got):\n%s", term, offset, diff)
			}
		}
	}
}

// BenchmarkStore_Search searches 20,000 players.
func BenchmarkStore_Search(b *testing.B) {
	store := NewStore(manyPlayers(b))
	for _, term := range terms {
		b.Run("term "+term, func(b *testing.B) {
			for b.Loop() {
				page := player.Page{Name: term, Sort: player.Sort{By: player.ByName}, Limit: 12}
				if _, err := store.Search(b.Context(), page); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// manyPlayers returns a database with players like those of a site in its third year: names of all
// lengths, of which many begin with the same word.
func manyPlayers(tb testing.TB) *postgres.Pool {
	tb.Helper()
	return pgtest.Open(tb, "many players", migrations.FS, inventPlayers)
}

func inventPlayers(ctx context.Context, pool *postgres.Pool) error {
	const count = 20_000
	random := rand.New(rand.NewPCG(1, 2))
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	rows := pgx.CopyFromSlice(count, func(i int) ([]any, error) {
		name := inventedName(random, i)
		when := at.Add(time.Duration(i) * time.Minute)
		return []any{
			uuid.Must(uuid.NewV7()), int64(1), name, playername.Key(name), random.IntN(300), []string{},
			i%10 != 0, when, when, search.Key(name),
		}, nil
	})
	names := []string{"id", "version", "name", "name_key", "level", "roles", "registered", "created_at", "updated_at",
		"search_key"}
	if _, err := pool.CopyFrom(ctx, pgx.Identifier{"players"}, names, rows); err != nil {
		return err
	}
	for _, sql := range []string{
		`update players set roles = '{admin}' where id in (select id from players limit 3)`,
		`update players set banned = true, ban_until = now() where level % 50 = 1`,
		`update players set avatar_key = 'skins/' || name_key where level = 7`,
		`insert into deletions select id, now(), now() + level * interval '1 hour' from players`,
		`insert into banned_names select sha256(convert_to(name_key, 'UTF8')), id from players`,
		`insert into player_totals (player_id, maps, records) select id, level % 3, level from players`,
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return pgtest.Vacuum(ctx, pool, "players", "player_totals", "deletions", "banned_names")
}

func inventedName(random *rand.Rand, i int) string {
	if i%3 == 0 {
		return fmt.Sprintf("Runner%d", i)
	}
	letters := make([]byte, 4+random.IntN(9))
	for j := range letters {
		letters[j] = "aaabcdeeefghiiijklmnooopqrstuuvwxyz_"[random.IntN(36)]
	}
	return fmt.Sprintf("%s%d", letters, i)
}
