package httpapi

import (
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

func toWire(e parkourmap.Entry) ParkourMap {
	return ParkourMap{
		UnderscoreId: e.ID,
		Name:         e.Name,
		ImageUrl:     "/media/" + e.Files.Image,
		ThumbnailUrl: "/media/" + e.Files.Thumbnail,
		GameMode:     GameMode(e.Mode.String()),
		CreatedAt:    httpserve.TimeText(e.CreatedAt),
		UpdatedAt:    httpserve.TimeText(e.UpdatedAt),
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
	return PlayerRef{
		UnderscoreId: p.ID,
		Name:         p.Name,
		SkinImageUrl: httpserve.OrNull(p.SkinImageURL),
		SkinColor:    httpserve.OrNull(p.SkinColor),
	}
}

func medalTimes(m parkourmap.Map) MedalTimes {
	if m.Medals == nil {
		return MedalTimes{}
	}
	author, gold := int64(m.Medals.Author), int64(m.Medals.Gold)
	silver, bronze := int64(m.Medals.Silver), int64(m.Medals.Bronze)
	return MedalTimes{Author: &author, Gold: &gold, Silver: &silver, Bronze: &bronze}
}

func remixOf(original *parkourmap.Remix) *RemixCredit {
	if original == nil {
		return nil
	}
	return &RemixCredit{BonkDbId: original.GameMapID, Name: original.Name, Author: original.Author}
}
