package httpserve

import (
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
	// Cut keeps one byte more than Max of a larger part instead, for who refuses
	// it in its turn.
	Cut bool
}

// ErrFileTooLarge says that an uploaded file is over its limit.
var ErrFileTooLarge = problem.TooLarge("file_too_large", "File too large.")

// maxParts bounds what a form may hold, known or not.
const maxParts = 20

// Form holds the parts that ReadForm read.
type Form struct {
	parts map[string][]byte
}

// ReadForm reads the named parts of a multipart form and passes over others.
// Of a repeated part the first counts. Returns a 400 problem for what is no
// form, and 413 for a part or a body over its limit, naming the field.
func ReadForm(r *multipart.Reader, wanted ...FormPart) (Form, error) {
	form := Form{parts: map[string][]byte{}}
	for range maxParts {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return form, nil
		}
		if err != nil {
			return Form{}, malformedForm(err)
		}
		if err := form.read(part, wanted); err != nil {
			return Form{}, err
		}
	}
	return Form{}, ErrMalformed.WithMessage("The form has too many parts.")
}

func (f Form) read(part *multipart.Part, wanted []FormPart) error {
	for _, w := range wanted {
		if _, again := f.parts[w.Name]; again || part.FormName() != w.Name {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(part, w.Max+1))
		if err != nil {
			return malformedForm(err)
		}
		if int64(len(data)) > w.Max && !w.Cut {
			return w.tooLarge()
		}
		f.parts[w.Name] = data
		return nil
	}
	// NextPart reads the rest away, within the body's limit.
	return nil
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

// Has tells whether the form has the part.
func (f Form) Has(name string) bool { _, ok := f.parts[name]; return ok }

// Bytes returns the part's bytes, nil where it is absent.
func (f Form) Bytes(name string) []byte { return f.parts[name] }

// Text returns the part as trimmed text, "" where it is absent.
func (f Form) Text(name string) string { return strings.TrimSpace(string(f.parts[name])) }
