package httpapi

import (
	"bytes"
	"cmp"
	"context"

	"capzone.dev/game/racetime"
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
	if e.WorldRecord != nil {
		keys = append(keys, httpserve.PlayerKey(e.WorldRecord.Player.ID))
	}
	return keys
}

// PopularTags implements GET /maps/popular-tags.
func (s *Server) PopularTags(ctx context.Context, _ PopularTagsRequestObject) (PopularTagsResponseObject, error) {
	tags, err := s.Reader.PopularTags(ctx)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.MapsKey)
	return PopularTags200JSONResponse{Success: true, Data: append([]string{}, tags...)}, nil
}

// GetMapData implements GET /maps/{id}/data.
func (s *Server) GetMapData(ctx context.Context, req GetMapDataRequestObject) (GetMapDataResponseObject, error) {
	data, err := s.Reader.Data(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.MapKey(req.Id))
	return GetMapData200JSONResponse{Success: true, Data: MapData{MapData: data}}, nil
}

// ListMapVersions implements GET /maps/{id}/versions.
func (s *Server) ListMapVersions(
	ctx context.Context, req ListMapVersionsRequestObject,
) (ListMapVersionsResponseObject, error) {
	versions, err := s.Reader.Versions(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	var keys []httpserve.SurrogateKey
	data := make([]MapVersion, len(versions))
	for i, v := range versions {
		keys = append(keys, httpserve.MapKey(v.ID))
		data[i] = MapVersion{
			UnderscoreId: v.ID, Version: v.MapVersion, Name: v.Name, CreatedAt: httpserve.TimeText(v.CreatedAt),
			RecordCount: v.Records, Newest: !v.Superseded,
		}
	}
	httpserve.TagCacheable(ctx, keys...)
	return ListMapVersions200JSONResponse{Success: true, Data: data}, nil
}

// ListMapIDs implements GET /maps/ids.
func (s *Server) ListMapIDs(ctx context.Context, req ListMapIDsRequestObject) (ListMapIDsResponseObject, error) {
	number, limit, err := httpserve.PageQuery(req.Params.Page, nil, parkourmap.IDPageSize)
	if err != nil {
		return nil, err
	}
	ids, total, err := s.Reader.IDs(ctx, parkourmap.Page{Offset: (number - 1) * limit, Limit: limit})
	if err != nil {
		return nil, err
	}
	data := httpserve.List(ids, func(id parkourmap.ListedID) EntityId {
		return EntityId{UnderscoreId: id.ID, UpdatedAt: httpserve.TimeText(id.UpdatedAt)}
	})
	httpserve.TagCacheable(ctx, httpserve.MapsKey)
	return ListMapIDs200JSONResponse{
		Success: true, Data: data, Pagination: Pagination(httpserve.PaginationOf(total, number, limit)),
	}, nil
}

func toWire(e parkourmap.Entry) ParkourMap {
	return ParkourMap{
		UnderscoreId:   e.ID,
		Name:           e.Name,
		ImageUrl:       mediaBase + cmp.Or(e.Files.Image, e.Files.Picture),
		ThumbnailUrl:   mediaBase + cmp.Or(e.Files.Thumbnail, e.Files.PictureThumbnail),
		DrawingUrl:     mediaPath(e.Files.Drawing),
		PictureUrl:     mediaPath(e.Files.Picture),
		Version:        e.MapVersion,
		Newest:         !e.Superseded,
		Unranked:       e.Unranked,
		UnrankedReason: httpserve.OrNull(PublicReason(e.UnrankedReason)),
		GameMode:       GameMode(e.Mode.String()),
		CreatedAt:      httpserve.TimeText(e.CreatedAt),
		UpdatedAt:      httpserve.TimeText(e.UpdatedAt),
		Author:         playerRef(e.Author),
		SubmittedBy:    playerRef(e.SubmittedBy),
		Tags:           append([]string{}, e.Tags...),
		RecordCount:    e.Records,
		MedalTimes:     medalTimes(e.Medals),
		Description:    e.Description,
		BonkDbId:       e.GameMapID,
		BonkDBID:       e.GameMapID,
		Contributors:   append([]string{}, e.Contributors...),
		RemixOf:        remixOf(e.RemixOf),
		WorldRecord:    worldRecord(e.WorldRecord),
	}
}

const mediaBase = "/media/"

// mediaPath returns the path of a file, nil without a key.
func mediaPath(key string) *string {
	if key == "" {
		return nil
	}
	return new(mediaBase + key)
}

// unknownName is shown for a player without a copy.
const unknownName = "Unknown"

func playerRef(p parkourmap.Player) PlayerRef {
	return PlayerRef{
		UnderscoreId: p.ID, Name: cmp.Or(p.Name, unknownName),
		SkinImageUrl: httpserve.OrNull(p.SkinImageURL), SkinColor: httpserve.OrNull(p.SkinColor),
	}
}

func worldRecord(w *parkourmap.WorldRecord) *WorldRecord {
	if w == nil {
		return nil
	}
	return &WorldRecord{UnderscoreId: w.ID, FinishTime: w.FinishTime, Player: playerRef(w.Player)}
}

func medalTimes(m *racetime.Medals) MedalTimes {
	if m == nil {
		return MedalTimes{}
	}
	return MedalTimes{
		Author: new(int64(m.Author)), Gold: new(int64(m.Gold)),
		Silver: new(int64(m.Silver)), Bronze: new(int64(m.Bronze)),
	}
}

func remixOf(original *parkourmap.Remix) *RemixCredit {
	if original == nil {
		return nil
	}
	return &RemixCredit{BonkDbId: original.GameMapID, Name: original.Name, Author: original.Author}
}

// PreviewMap implements GET /maps/{id}/preview.png.
func (s *Server) PreviewMap(ctx context.Context, req PreviewMapRequestObject) (PreviewMapResponseObject, error) {
	entry, err := s.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	drawn, err := s.Previews.Render(ctx, entry.Preview())
	if err != nil {
		return nil, err
	}
	httpserve.TagPicture(ctx, keysOfEntry(entry)...)
	return PreviewMap200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}
