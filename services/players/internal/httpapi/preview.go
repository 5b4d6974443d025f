package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"

	"golang.org/x/image/webp"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/players/internal/player"
)

// PreviewPlayer implements GET /players/{id}/preview.png.
func (s *Server) PreviewPlayer(ctx context.Context, req PreviewPlayerRequestObject) (PreviewPlayerResponseObject,
	error) {
	profile, err := s.Profiles.GetProfile(ctx, req.Id)
	if err != nil {
		return nil, err
	}
	card := sharecard.Card{
		Site: s.SiteName, Kicker: kicker(profile), Title: profile.Name,
		Lines: []string{count(profile.Records, "record"), count(profile.Maps, "map")},
	}
	drawn, err := s.Previews.Draw(ctx, card, profile.Avatar+" "+profile.SkinColor,
		func(ctx context.Context) (image.Image, error) { return s.previewPicture(ctx, profile) })
	if err != nil {
		return nil, err
	}
	httpserve.TagCacheable(ctx, httpserve.PlayerKey(profile.ID))
	return PreviewPlayer200ImagepngResponse{Body: bytes.NewReader(drawn)}, nil
}

// kicker returns the line above a player's name.
func kicker(p player.Profile) string {
	parts := []string{"Player"}
	if p.Registered {
		parts = append(parts, fmt.Sprintf("Level %d", p.Level))
	}
	return strings.Join(append(parts, p.Roles...), " · ")
}

// count returns a number with its noun.
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// previewPicture returns the avatar, or where there is none the colour of the skin, or else nil.
func (s *Server) previewPicture(ctx context.Context, p player.Profile) (image.Image, error) {
	if p.Avatar == "" {
		return skinPicture(p.SkinColor), nil
	}
	file, err := s.Avatars.Open(ctx, p.Avatar)
	if errors.Is(err, objectstore.ErrFileUnknown) { // the avatar was replaced after the profile was read
		return skinPicture(p.SkinColor), nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	avatar, err := webp.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("decode the avatar: %w", err)
	}
	return avatar, nil
}

// skinPicture returns a picture of one colour, given as #rrggbb, or nil for any other text.
func skinPicture(skin string) image.Image {
	c := color.RGBA{A: 0xff}
	if n, err := fmt.Sscanf(skin, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil || n != 3 {
		return nil
	}
	pixel := image.NewRGBA(image.Rect(0, 0, 1, 1))
	pixel.SetRGBA(0, 0, c)
	return pixel
}
