package files

import (
	"context"
	"errors"

	"capzone.dev/platform/picture"
	"capzone.dev/platform/problem"
)

// The widths of an image's sizes, in pixels.
const (
	fullWidth      = 1600
	thumbnailWidth = 480
)

// uploadLimit bounds uploaded images.
var uploadLimit = picture.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}

// Images renders uploaded images. It implements parkourmap.Images.
type Images struct{}

// Check implements parkourmap.Images.
func (*Images) Check(image []byte) error {
	return withField(picture.Check(image, uploadLimit))
}

// Render implements parkourmap.Images.
func (*Images) Render(ctx context.Context, _ string, image []byte) (full, thumbnail []byte, err error) {
	sizes, err := picture.Renditions(ctx, image, uploadLimit, fullWidth, thumbnailWidth)
	if err != nil {
		return nil, nil, withField(err)
	}
	return sizes[0].WebP, sizes[1].WebP, nil
}

// withField names the form's field in a problem of an image.
func withField(err error) error {
	var refused *problem.Problem
	if errors.As(err, &refused) {
		return refused.WithField("mapImage", refused.Message)
	}
	return err
}
