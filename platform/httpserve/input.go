package httpserve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"capzone.dev/platform/problem"
)

// FormPart is a part of a multipart form that a route reads.
type FormPart struct {
	Name string
	// Max bounds the part's bytes.
	Max int64
	// TooLarge is returned for a larger part; nil means ErrFileTooLarge with
	// the limit in its sentence.
	TooLarge *problem.Problem
	// Cut keeps one byte more than Max of a larger part instead, for a caller that refuses it
	// after other checks.
	Cut bool
}

// ErrFileTooLarge is returned for an uploaded file over its limit.
var ErrFileTooLarge = problem.TooLarge("file_too_large", "File too large.")

// maxParts is the number of parts that a form may have, wanted or not.
const maxParts = 20

// Form holds the parts that ReadForm read, until Close.
type Form struct {
	parts  map[string][]byte
	upload *upload
}

// ReadForm reads the named parts of a multipart form that a player sends and ignores others.
// Of a repeated part the first counts. A player's fourth form waits for one of the first
// three. It returns a problem of status 400 for a malformed form, 413 naming the field for a
// part or a body over its limit, and ErrUploadsBusy. The caller closes the form when its
// bytes are no longer needed.
func ReadForm(ctx context.Context, playerID string, r *multipart.Reader, wanted ...FormPart) (*Form, error) {
	upload, err := uploads.begin(ctx, playerID)
	if err != nil {
		return nil, err
	}
	form := &Form{parts: map[string][]byte{}, upload: upload}
	if err := form.read(r, wanted); err != nil {
		form.Close()
		return nil, err
	}
	return form, nil
}

// Close releases the memory of the form for other forms.
func (f *Form) Close() { f.upload.end() }

func (f *Form) read(r *multipart.Reader, wanted []FormPart) error {
	for range maxParts {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return malformedForm(err)
		}
		if err := f.readPart(part, wanted); err != nil {
			return err
		}
	}
	return ErrMalformed.WithMessage("The form has too many parts.")
}

func (f *Form) readPart(part *multipart.Part, wanted []FormPart) error {
	for _, w := range wanted {
		if _, again := f.parts[w.Name]; again || part.FormName() != w.Name {
			continue
		}
		data, err := f.upload.readAll(part, int(w.Max)+1)
		switch {
		case errors.Is(err, ErrUploadsBusy):
			return err
		case err != nil:
			return malformedForm(err)
		case int64(len(data)) > w.Max && !w.Cut:
			return w.tooLarge()
		}
		f.parts[w.Name] = data
		return nil
	}
	return nil // NextPart discards the rest of the part, within the body's limit
}

func (p FormPart) tooLarge() error {
	if p.TooLarge != nil {
		return p.TooLarge
	}
	message := "Maximum size is " + megabytes(p.Max)
	return ErrFileTooLarge.WithMessage("File too large. %s", message).WithField(p.Name, message)
}

func megabytes(bytes int64) string {
	if bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d KB", bytes>>10)
}

func malformedForm(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return ErrBodyTooLarge.Wrap(err)
	}
	return ErrMalformed.WithMessage("The form cannot be read.").Wrap(err)
}

// Has reports whether the form has the part.
func (f *Form) Has(name string) bool { _, ok := f.parts[name]; return ok }

// Bytes returns the part's bytes, nil where it is absent.
func (f *Form) Bytes(name string) []byte { return f.parts[name] }

// Text returns the part as trimmed text, "" where it is absent.
func (f *Form) Text(name string) string { return strings.TrimSpace(string(f.parts[name])) }

const (
	maxLimit = 100
	// maxPage and maxOffset keep page arithmetic from overflowing.
	maxPage   = 1_000_000
	maxOffset = maxPage * maxLimit
)

// ErrPageInvalid is returned for a page, limit or offset out of range.
var ErrPageInvalid = problem.InvalidArgument("page_invalid", "The page asked for is out of range.")

// PageQuery returns the page (from 1) and the limit (1 to 100) of a list. It returns
// ErrPageInvalid with the field.
func PageQuery(page, limit *int, defaultLimit int) (number, size int, err error) {
	if number, err = inRange("page", page, 1, 1, maxPage); err != nil {
		return 0, 0, err
	}
	size, err = inRange("limit", limit, defaultLimit, 1, maxLimit)
	return number, size, err
}

// OffsetQuery returns the offset (from 0) and the limit (1 to 100) of a list. It returns
// ErrPageInvalid with the field.
func OffsetQuery(offset, limit *int, defaultLimit int) (from, size int, err error) {
	if from, err = inRange("offset", offset, 0, 0, maxOffset); err != nil {
		return 0, 0, err
	}
	size, err = inRange("limit", limit, defaultLimit, 1, maxLimit)
	return from, size, err
}

func inRange(field string, value *int, absent, least, most int) (int, error) {
	if value == nil {
		return absent, nil
	}
	if *value < least || *value > most {
		return 0, ErrPageInvalid.WithField(field, fmt.Sprintf("must be from %d to %d", least, most))
	}
	return *value, nil
}
