package files

import (
	"context"
	"errors"

	"capzone.dev/platform/imaging"
	"capzone.dev/platform/problem"
)

// The widths of an image's sizes, in pixels.
const (
	fullWidth      = 1600
	thumbnailWidth = 480
)

// uploadLimit bounds uploaded images.
var uploadLimit = imaging.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}

// Images renders uploaded images. It implements parkourmap.Images.
type Images struct{ renderer *imaging.Renderer }

// NewImages returns the service's renderer of images.
func NewImages() *Images {
	return &Images{imaging.NewRenderer(uploadLimit, fullWidth, thumbnailWidth)}
}

// Check implements parkourmap.Images.
func (i *Images) Check(image []byte) error { return withField(i.renderer.Check(image)) }

// Render implements parkourmap.Images.
func (i *Images) Render(ctx context.Context, playerID string, image []byte) (full, thumbnail []byte, err error) {
	sizes, err := i.renderer.Render(ctx, playerID, image)
	if err != nil {
		return nil, nil, withField(err)
	}
	return sizes[0].WebP, sizes[1].WebP, nil
}

// withField names the form's field in the refusal of an image.
func withField(err error) error {
	var refused *problem.Problem
	if errors.As(err, &refused) && refused.Kind != problem.KindUnavailable {
		return refused.WithField("mapImage", refused.Message)
	}
	return err
}
