package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
)

// profileColumns are those of profileTargets.
const profileColumns = `id, name, level, coalesce(avatar_key, ''), coalesce(skin_color, ''), roles, registered, created_at, updated_at,
	coalesce(maps, 0), coalesce(records, 0)`

// profileTargets are what a row of profileColumns is scanned into. They are written
// down, and not found by their names: lists are read far more often than anything
// else.
func profileTargets(p *player.Profile) []any {
	return []any{
		&p.ID, &p.Name, &p.Level, &p.Avatar, &p.SkinColor, &p.Roles, &p.Registered, &p.CreatedAt, &p.UpdatedAt,
		&p.Maps, &p.Records,
	}
}

// inUTC is the profile that was scanned.
func inUTC(p player.Profile) player.Profile {
	p.CreatedAt, p.UpdatedAt = p.CreatedAt.UTC(), p.UpdatedAt.UTC()
	return p
}

// collectProfiles reads rows of profileColumns, of which there are about so many.
func collectProfiles(rows pgx.Rows, about int) ([]player.Profile, error) {
	var p player.Profile
	profiles := make([]player.Profile, 0, about)
	_, err := pgx.ForEachRow(rows, profileTargets(&p), func() error {
		profiles = append(profiles, inUTC(p))
		return nil
	})
	return profiles, err
}

const profileSQL = `
	select merged_into, ` + profileColumns + `
	from players left join player_totals on player_id = id where id = $1`

// ProfileByID implements player.Profiles.
func (s *Players) ProfileByID(ctx context.Context, id string) (player.Profile, error) {
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

func (s *Players) profile(ctx context.Context, id string) (profile player.Profile, mergedInto *string, err error) {
	err = s.pool.QueryRow(ctx, profileSQL, id).Scan(append([]any{&mergedInto}, profileTargets(&profile)...)...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return player.Profile{}, nil, player.ErrUnknown
	case err != nil:
		return player.Profile{}, nil, fmt.Errorf("read a profile: %w", err)
	}
	return inUTC(profile), mergedInto, nil
}
