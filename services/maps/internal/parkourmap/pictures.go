package parkourmap

import (
	"context"

	"capzone.dev/platform/storedfile"
)

// checkImage returns what is wrong with the image of a submission, as far as that is cheap to find.
func (s *Submitter) checkImage(in Submission) error {
	switch {
	case len(in.Image) > 0:
		return s.Images.Check(in.Image)
	case !in.UseDrawing:
		return ErrImageMissing
	}
	return nil
}

// pictures are the drawing of a map and, unless they are empty, both sizes of the uploaded image.
type pictures struct {
	drawing         Drawing
	full, thumbnail []byte
}

func (s *Submitter) makePictures(ctx context.Context, parsed parsedReplay, image []byte) (pictures, error) {
	drawing, err := s.Parser.draw(ctx, s.Images, parsed.drawn())
	if err != nil || len(image) == 0 {
		return pictures{drawing: drawing}, err
	}
	full, thumbnail, err := s.Images.Render(ctx, image)
	return pictures{drawing, full, thumbnail}, err
}

// storePictures stores pictures and returns their keys.
func (s *Submitter) storePictures(ctx context.Context, p pictures) (FileKeys, []storedfile.Upload, error) {
	keys, uploads, err := storeDrawing(ctx, s.Files, p.drawing)
	if err != nil || len(p.full) == 0 {
		return keys, uploads, err
	}
	full, thumbnail, err := s.Files.PutImages(ctx, p.full, p.thumbnail)
	if err != nil {
		return FileKeys{}, nil, err
	}
	keys.Image, keys.Thumbnail = full.Key, thumbnail.Key
	return keys, append(uploads, full, thumbnail), nil
}
