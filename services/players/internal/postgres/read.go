package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/search"
	"capzone.dev/services/players/internal/player"
)

// profileColumns are the columns for profileTargets.
const profileColumns = `p.id, name, level, coalesce(avatar_key, ''), coalesce(skin_color, ''), roles, registered,
	created_at, updated_at, coalesce(maps, 0), coalesce(records, 0)`

// profileTargets returns where a row of profileColumns is scanned to. Scanning by position is
// faster than by name, and lists are read most often.
func profileTargets(p *player.Profile) []any {
	return []any{
		&p.ID, &p.Name, &p.Level, &p.Avatar, &p.SkinColor, &p.Roles, &p.Registered, &p.CreatedAt, &p.UpdatedAt,
		&p.Maps, &p.Records,
	}
}

// inUTC returns a scanned profile with its times in UTC.
func inUTC(p player.Profile) player.Profile {
	p.CreatedAt, p.UpdatedAt = p.CreatedAt.UTC(), p.UpdatedAt.UTC()
	return p
}

// scanProfile is a pgx.RowToFunc of profileColumns.
func scanProfile(row pgx.CollectableRow) (p player.Profile, err error) {
	err = row.Scan(profileTargets(&p)...)
	return inUTC(p), err
}

const profileSQL = `
	select merged_into, ` + profileColumns + `
	from players p left join player_totals on player_id = p.id where p.id = @id`

// GetProfile implements player.ReadStore.
func (s *Store) GetProfile(ctx context.Context, id string) (player.Profile, error) {
	if !event.IsID(id) {
		return player.Profile{}, player.ErrUnknown
	}
	for {
		profile, mergedInto, err := s.profile(ctx, id)
		if err != nil || mergedInto == nil {
			return profile, err
		}
		id = *mergedInto
	}
}

func (s *Store) profile(ctx context.Context, id string) (profile player.Profile, mergedInto *string, err error) {
	err = s.pool.QueryRow(ctx, profileSQL, pgx.NamedArgs{"id": id}).
		Scan(append([]any{&mergedInto}, profileTargets(&profile)...)...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return player.Profile{}, nil, player.ErrUnknown
	case err != nil:
		return player.Profile{}, nil, fmt.Errorf("read a profile: %w", err)
	}
	return inUTC(profile), mergedInto, nil
}

// Search implements player.ReadStore.
func (s *Store) Search(ctx context.Context, page player.Page) (player.ProfileList, error) {
	profiles, total, err := search.Fetch(ctx, s.pool, searchQuery(page), scanProfile)
	return player.ProfileList{Profiles: profiles, Total: total}, err
}

// sortColumns have an index each, of registered players.
var sortColumns = map[player.SortBy]string{
	player.ByName:    "p.search_key",
	player.ByLevel:   "p.level",
	player.ByCreated: "p.created_at",
	player.ByUpdated: "p.updated_at",
}

func searchQuery(page player.Page) search.Query {
	q := search.Query{
		Table: "players p", ID: "p.id", OrderBy: sortColumns[page.Sort.By],
		Descending: page.Sort.Descending, Limit: page.Limit, Offset: page.Offset,
		Select: `select ` + profileColumns + `
			from page join players p on p.id = page.id left join player_totals on player_id = p.id`,
	}
	q.Where("p.registered", nil)
	q.WhereName("(' ' || p.search_key) like @name", "name", page.Name)
	return q
}
