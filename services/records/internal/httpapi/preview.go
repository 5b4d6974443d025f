package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"strings"

	"golang.org/x/image/webp"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/record"
)

// PreviewRecord implements GET /records/{id}/preview.png.
func (s *Server) PreviewRecord(
	ctx context.Context, req PreviewRecordRequestObject,
) (PreviewRecordResponseObject, error) {
	details, err := s.Reader.Details(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	drawn, err := s.Previews.Draw(ctx, s.card(details), details.Map.Picture.Key,
		func(ctx context.Context) (image.Image, error) { return s.mapPicture(ctx, details.Map.Picture) })
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, keysOfEntries([]record.Entry{details.Entry})...)
	return PreviewRecord200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}

// card returns what the preview of a record shows besides the map's picture.
func (s *Server) card(d record.Details) sharecard.Card {
	kicker := "Record"
	switch {
	case d.ID == d.WorldRecord.ID:
		kicker = "World record"
	case d.PersonalBest:
		kicker = "Personal best"
	}
	var earned []string
	if d.Rank > 0 {
		earned = append(earned, fmt.Sprintf("Rank %d", d.Rank))
	}
	if medal := d.Medal(); medal != racetime.NoMedal {
		earned = append(earned, strings.ToUpper(string(medal[:1]))+string(medal[1:])+" medal")
	}
	lines := []string{d.Map.Name}
	if len(earned) > 0 {
		lines = append(lines, strings.Join(earned, " · "))
	}
	return sharecard.Card{
		Site: s.SiteName, Kicker: kicker, Title: d.Player.Name, Feature: racetime.Format(d.FinishTime), Lines: lines,
	}
}

// maxPicture is the size of a map's drawn picture, in bytes.
const maxPicture = 4 << 20

// mapPicture returns the drawing of a map, or nil where there is none.
func (s *Server) mapPicture(ctx context.Context, stored record.StoredFile) (image.Image, error) {
	if stored.Key == "" {
		return nil, nil
	}
	file, err := s.Pictures.Fetch(ctx, stored.Bucket, stored.Key, maxPicture)
	if errors.Is(err, objectstore.ErrNotFound) { // the map was drawn again just now
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	picture, err := webp.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("decode the picture of a map: %w", err)
	}
	return picture, nil
}
