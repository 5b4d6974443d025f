package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"

	"golang.org/x/image/webp"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/maps/internal/parkourmap"
)

// PreviewMap implements GET /maps/{id}/preview.png.
func (s *Server) PreviewMap(ctx context.Context, req PreviewMapRequestObject) (PreviewMapResponseObject, error) {
	entry, err := s.Reader.Get(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	picture := cmp.Or(entry.Files.Picture, entry.Files.Image)
	drawn, err := s.Previews.Draw(ctx, cardOf(entry, s.SiteName), picture,
		func(ctx context.Context) (image.Image, error) { return s.openPicture(ctx, picture) })
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, keysOfEntry(entry)...)
	return PreviewMap200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}

// cardOf returns what the preview of a map shows, without the picture.
func cardOf(e parkourmap.Entry, site string) sharecard.Card {
	card := sharecard.Card{
		Site: site, Kicker: e.Mode.String(), Title: e.Name,
		Lines: []string{"by " + e.Author.Name, "No records yet"},
	}
	if e.MapVersion > 1 || e.Superseded {
		card.Kicker += fmt.Sprintf(" · Version %d", e.MapVersion)
	}
	if w := e.WorldRecord; w != nil {
		card.Lines[1] = "World record by " + w.Player.Name
		card.Feature = racetime.Format(int(w.FinishTime))
	}
	return card
}

// openPicture returns the stored picture under a key, or nil where it was removed just now.
func (s *Server) openPicture(ctx context.Context, key string) (image.Image, error) {
	file, err := s.Images.Open(ctx, key)
	if errors.Is(err, objectstore.ErrFileUnknown) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	picture, err := webp.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("decode the picture %s: %w", key, err)
	}
	return picture, nil
}
