package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

const getPlayerSQL = `select ` + playerColumns + ` from players where id = @id`

// Get implements player.ModerationStore.
func (s *Store) Get(ctx context.Context, id string) (player.Player, error) {
	return selectPlayer(ctx, s.db, getPlayerSQL, pgx.NamedArgs{"id": id})
}

const getByNameSQL = `
	select ` + playerColumns + ` from players where id = coalesce(
		(select id from players where name_key = @name_key),
		(select player_id from former_names where name_key = @name_key))`

// GetByName implements player.RegistrationStore.
func (s *Store) GetByName(ctx context.Context, name string) (player.Player, error) {
	return selectPlayer(ctx, s.db, getByNameSQL, pgx.NamedArgs{"name_key": playername.Key(name)})
}

// HasAdmin implements player.Queries.
func (s *Store) HasAdmin(ctx context.Context) (bool, error) { return hasAdmin(ctx, s.db, []string{}) }

const hasAdminSQL = `
	select exists (select from players where 'admin' = any (roles) and not banned and id <> all (@others::uuid[]))`

// hasAdmin reports whether there is an admin who is not banned, beside other players.
func hasAdmin(ctx context.Context, conn postgres.Conn, others []string) (has bool, err error) {
	err = conn.QueryRow(ctx, hasAdminSQL, pgx.NamedArgs{"others": others}).Scan(&has)
	return has, postgres.Wrap(err, "look for an admin")
}

// profileColumns are the columns of scanProfile.
const profileColumns = `p.id, name, level, coalesce(avatar_key, ''), coalesce(skin_color, ''), roles, registered,
	created_at, updated_at, coalesce(maps, 0), coalesce(records, 0)`

// scanProfile is a pgx.RowToFunc of profileColumns. Scanning by position is faster than by name, and lists are read
// most often.
func scanProfile(row pgx.CollectableRow) (p player.Profile, err error) {
	err = row.Scan(&p.ID, &p.Name, &p.Level, &p.Avatar, &p.SkinColor, &p.Roles, &p.Registered, &p.CreatedAt,
		&p.UpdatedAt, &p.Maps, &p.Records)
	return p, err
}

// profileSQL follows merges, whose number is small and which have no cycles.
const profileSQL = `
	with recursive merged as (
		select id, merged_into from players where id = @id
		union
		select p.id, p.merged_into from merged m join players p on p.id = m.merged_into)
	select ` + profileColumns + `
	from merged join players p using (id) left join player_totals on player_id = p.id
	where p.merged_into is null`

// GetProfile implements player.Queries.
func (s *Store) GetProfile(ctx context.Context, id string) (player.Profile, error) {
	profile, err := postgres.CollectOne(ctx, s.db, scanProfile, profileSQL, pgx.NamedArgs{"id": id})
	return profile, postgres.ReadError(err, player.ErrUnknown, "read a profile")
}

// Search implements player.Queries.
func (s *Store) Search(ctx context.Context, wanted player.Search) ([]player.Profile, int64, error) {
	return search.Fetch(ctx, s.db, searchQuery(wanted), scanProfile)
}

// sortColumns have an index each, of registered players.
var sortColumns = map[player.SortBy]string{
	player.ByName:    "p.search_key",
	player.ByLevel:   "p.level",
	player.ByCreated: "p.created_at",
	player.ByUpdated: "p.updated_at",
}

func searchQuery(wanted player.Search) search.Query {
	q := search.Query{
		Table: "players p", ID: "p.id", OrderBy: sortColumns[wanted.Sort.By],
		Descending: wanted.Sort.Descending, Limit: wanted.Limit, Offset: wanted.Offset,
		Select: `select ` + profileColumns + `
			from page join players p on p.id = page.id left join player_totals on player_id = p.id`,
	}
	q.Where("p.registered", nil)
	q.WhereName("(' ' || p.search_key) like @name", "search_letters(p.search_key) @> @name_letters", "name", wanted.Name)
	return q
}

const (
	listIDsSQL         = `select id, updated_at from players where registered order by id limit @limit offset @offset`
	countRegisteredSQL = `select count(*) from players where registered`
)

// ListIDs implements player.Queries.
func (s *Store) ListIDs(ctx context.Context, limit, offset int) (ids []player.ListedID, total int64, err error) {
	ids, err = postgres.Collect(ctx, s.db, pgx.RowToStructByPos[player.ListedID], listIDsSQL,
		pgx.NamedArgs{"limit": limit, "offset": offset})
	if err != nil {
		return nil, 0, fmt.Errorf("list ids of players: %w", err)
	}
	err = s.db.QueryRow(ctx, countRegisteredSQL).Scan(&total)
	return ids, total, postgres.Wrap(err, "count players")
}
