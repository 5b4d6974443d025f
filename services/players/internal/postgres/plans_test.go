package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

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
		{"DeletionsDue", deletionsDueSQL, "deletions_due"},
		{"PostponeDeletion", postponeSQL, "deletions_pkey"},
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
				q := searchQuery(player.Search{Name: term, Sort: player.Sort{By: sort, Descending: descending}, Limit: 12})
				want := "players_by_"
				if term == "" {
					want = "using " + index
				}
				checkPlan(t, fmt.Sprintf("%q by %s, descending %v", term, sort, descending),
					pgtest.Plan(t, pool, q.PageSQL(), q.Args()), want)
			}
		}
		if term == "" {
			continue // all players are counted by reading all
		}
		q := searchQuery(player.Search{Name: term, Sort: player.Sort{By: player.ByName}})
		checkPlan(t, "count "+term, pgtest.Plan(t, pool, q.CountSQL(), q.Args()), "players_by_")
		checkPlan(t, "count "+term, pgtest.GenericPlan(t, pool, q.CountSQL()), "players_by_")
	}
}

// terms are of all lengths; many, few and no players have them in their name.
var terms = []string{"", "a", "ru", "qz", "run", "runner123", "雲", "跑酷", "zzzzzz"}

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

// manyPlayers returns a database with players like those of a site in its third year: names of all
// lengths, of which many begin with the same word.
func manyPlayers(tb testing.TB) *postgres.Pool {
	tb.Helper()
	return pgtest.Open(tb, "many players", migrations.FS, inventPlayers)
}

func inventPlayers(ctx context.Context, pool *postgres.Pool) error {
	const count = 5_000
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
