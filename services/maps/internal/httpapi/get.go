package httpapi

import (
	"context"
	"time"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// GetMap implements GET /maps/{id}.
func (s *Server) GetMap(ctx context.Context, req GetMapRequestObject) (GetMapResponseObject, error) {
	entry, err := s.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, keysOfEntry(entry)...)
	return GetMap200JSONResponse{Success: true, Data: toWire(entry)}, nil
}

// keysOfEntry returns the keys of a map and of the players that are shown with it.
func keysOfEntry(e parkourmap.Entry) []httpserve.SurrogateKey {
	keys := []httpserve.SurrogateKey{httpserve.MapKey(e.ID), httpserve.PlayerKey(e.AuthorID)}
	if e.SubmittedByID != e.AuthorID {
		keys = append(keys, httpserve.PlayerKey(e.SubmittedByID))
	}
	return keys
}

func toWire(e parkourmap.Entry) ParkourMap {
	return ParkourMap{
		UnderscoreId: e.ID,
		Name:         e.Name,
		ImageUrl:     "/media/" + e.Files.Image,
		ThumbnailUrl: "/media/" + e.Files.Thumbnail,
		GameMode:     GameMode(e.Mode.String()),
		CreatedAt:    timeText(e.CreatedAt),
		UpdatedAt:    timeText(e.UpdatedAt),
		Author:       playerRef(e.Author),
		SubmittedBy:  playerRef(e.SubmittedBy),
		Tags:         append([]string{}, e.Tags...),
		RecordCount:  e.Records,
		MedalTimes:   medalTimes(e.Map),
		Description:  e.Description,
		BonkDbId:     e.GameMapID,
		BonkDBID:     e.GameMapID,
		Contributors: append([]string{}, e.Contributors...),
		RemixOf:      remixOf(e.RemixOf),
	}
}

func playerRef(p parkourmap.Player) PlayerRef {
	return PlayerRef{UnderscoreId: p.ID, Name: p.Name, SkinImageUrl: orNull(p.SkinImageURL), SkinColor: orNull(p.SkinColor)}
}

func medalTimes(m parkourmap.Map) MedalTimes {
	if m.Medals == nil {
		return MedalTimes{}
	}
	ms := func(time int) *int64 {
		wide := int64(time)
		return &wide
	}
	return MedalTimes{Author: ms(m.Medals.Author), Gold: ms(m.Medals.Gold), Silver: ms(m.Medals.Silver), Bronze: ms(m.Medals.Bronze)}
}

func remixOf(original *parkourmap.Remix) *RemixCredit {
	if original == nil {
		return nil
	}
	return &RemixCredit{BonkDbId: original.GameMapID, Name: original.Name, Author: original.Author}
}

// timeText is RFC 3339 in UTC, always with milliseconds.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
