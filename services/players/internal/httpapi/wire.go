package httpapi

import (
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

func toWire(p player.Profile) Player {
	return Player{
		UnderscoreId: p.ID,
		Name:         p.Name,
		Level:        p.Level,
		SkinImageUrl: httpserve.OrNull(p.AvatarURL()),
		SkinColor:    httpserve.OrNull(p.SkinColor),
		Roles:        append([]string{}, p.Roles...),
		CreatedAt:    httpserve.TimeText(p.CreatedAt),
		UpdatedAt:    httpserve.TimeText(p.UpdatedAt),
		Registered:   p.Registered,
		MapCount:     p.Maps,
		RecordCount:  p.Records,
		Trophies:     []map[string]any{},
	}
}
