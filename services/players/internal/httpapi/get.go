package httpapi

import (
	"context"
	"time"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

// GetPlayer implements GET /players/{id}.
func (s *server) GetPlayer(ctx context.Context, req GetPlayerRequestObject) (GetPlayerResponseObject, error) {
	profile, err := s.use.Profiles.ProfileByID(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.PlayerKey(profile.ID))
	return GetPlayer200JSONResponse{Success: true, Data: toWire(profile)}, nil
}

func toWire(p player.Profile) Player {
	return Player{
		UnderscoreId: p.ID,
		Name:         p.Name,
		Level:        p.Level,
		SkinImageUrl: orNull(p.AvatarURL()),
		SkinColor:    orNull(p.SkinColor),
		Roles:        append([]string{}, p.Roles...),
		CreatedAt:    timeText(p.CreatedAt),
		UpdatedAt:    timeText(p.UpdatedAt),
		Registered:   p.Registered,
		MapCount:     p.Maps,
		RecordCount:  p.Records,
		Trophies:     []map[string]any{},
	}
}

// timeText is RFC 3339 in UTC, always with milliseconds.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
