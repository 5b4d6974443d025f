package parkourmap

import (
	"context"
	"io"

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
	drawing, err := draw(ctx, s.Images, parsed.drawn())
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

// PictureIndex knows which maps name a picture.
type PictureIndex interface {
	// IsHidden reports whether removed maps or edits, which have replaced it, name the file under a key, and no other
	// map does.
	IsHidden(ctx context.Context, key string) (bool, error)
}

// PictureFiles opens stored files.
type PictureFiles interface {
	// Open returns storedfile.ErrUnknown for a key without a file. The caller closes the file.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, error)
}

// Pictures opens the pictures of the maps that are not removed.
type Pictures struct {
	Maps  PictureIndex
	Files PictureFiles
}

// Open returns the picture under a key, or storedfile.ErrUnknown. The caller closes it.
func (p *Pictures) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	hidden, err := p.Maps.IsHidden(ctx, key)
	if err != nil {
		return nil, err
	}
	if hidden {
		return nil, storedfile.ErrUnknown
	}
	return p.Files.Open(ctx, key)
}
