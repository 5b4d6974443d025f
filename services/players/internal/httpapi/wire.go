package httpapi

import (
	"time"

	"capzone.dev/services/players/internal/player"
)

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

// timeText formats a time as RFC 3339 in UTC with milliseconds.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
