package httpserve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"capzone.dev/platform/keylimit"
	"capzone.dev/platform/problem"
)

// FormPart is a part of a multipart form that a route reads.
type FormPart struct {
	Name string
	// Max bounds the part's bytes.
	Max int64
	// TooLarge is returned for a larger part; nil means errFileTooLarge. One that names no field gets a sentence with the
	// limit, and the field.
	TooLarge *problem.Problem
	// Cut keeps one byte more than Max of a larger part instead, for a caller that refuses it after other checks.
	Cut bool
}

// errFileTooLarge is returned for an uploaded file over its limit.
var errFileTooLarge = problem.TooLarge("file_too_large", "File too large.")

// maxParts is the number of parts that a form may have, wanted or not.
const maxParts = 20

// Form holds the parts that ReadForm read, until Close.
type Form struct {
	parts map[string][]byte
	end   func()
}

// ReadForm reads the named parts of a multipart form that a player sends and ignores others. A player's fourth form
// waits for one of the first three. It returns a problem of status 400 for a malformed form or a part that is there
// twice, 413 naming the field for a part or a body over its limit, and errUploadsBusy. The caller closes the form when
// its bytes are no longer needed.
func ReadForm(ctx context.Context, playerID string, r *multipart.Reader, wanted ...FormPart) (*Form, error) {
	end, err := uploads.begin(ctx, playerID, memoryOf(Request(ctx), wanted))
	if err != nil {
		return nil, err
	}
	form := &Form{parts: map[string][]byte{}, end: end}
	if err := form.read(r, wanted); err != nil {
		form.Close()
		return nil, err
	}
	return form, nil
}

// Close releases the memory of the form for other forms.
func (f *Form) Close() { f.end() }

// memoryOf returns the memory for the wanted parts of a request, in bytes, without the first freePart.
func memoryOf(r *http.Request, wanted []FormPart) int64 {
	var size int64
	for _, w := range wanted {
		size += w.Max
	}
	if r != nil && r.ContentLength >= 0 {
		size = min(size, r.ContentLength)
	}
	return max(0, size-freePart)
}

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
	return ErrMalformed.WithMessage("form_too_many_parts", "The form has too many parts.")
}

func (f *Form) readPart(part *multipart.Part, wanted []FormPart) error {
	for _, w := range wanted {
		if part.FormName() != w.Name {
			continue
		}
		if f.Has(w.Name) {
			return ErrMalformed.WithMessage("form_part_twice", "The form has {part} twice.").WithData("part", w.Name).
				WithField(w.Name, "sent_twice", "Send this once.")
		}
		data, err := io.ReadAll(io.LimitReader(part, w.Max+1))
		switch {
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
	refused := cmp.Or(p.TooLarge, errFileTooLarge)
	if len(refused.Fields) > 0 {
		return refused
	}
	return refused.WithMessage("file_size", "File too large. Maximum size is {size}").
		WithField(p.Name, "maximum_size", "Maximum size is {size}").WithData("size", problem.FormatSize(p.Max))
}

func malformedForm(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return ErrBodyTooLarge.Wrap(err)
	}
	return ErrMalformed.WithMessage("form_unreadable", "The form cannot be read.").Wrap(err)
}

// Has reports whether the form has the part.
func (f *Form) Has(name string) bool { _, ok := f.parts[name]; return ok }

// Bytes returns the part's bytes, nil where it is absent.
func (f *Form) Bytes(name string) []byte { return f.parts[name] }

// Text returns the part as trimmed text, "" where it is absent.
func (f *Form) Text(name string) string { return strings.TrimSpace(string(f.parts[name])) }

// errUploadsBusy is returned where the uploads in flight leave no room for another one.
var errUploadsBusy = problem.Unavailable("uploads_busy", "Too many uploads are in progress. Please try again shortly.").
	WithRetryAfter(5 * time.Second)

const (
	uploadsPerPlayer = 3
	// uploadWait is how long an upload waits for its player's other uploads.
	uploadWait = 10 * time.Second
	// uploadBytes is the memory for the parts of all uploads in flight, without the first freePart bytes of each. It is a
	// fifth of the memory of the containers that take the largest uploads, those of maps and players.
	uploadBytes = 96 << 20
	freePart    = 64 << 10
)

// uploads bounds the uploads of the process.
var uploads = newUploadLimit(uploadBytes)

// uploadLimit bounds the uploads in flight: from the first byte that is read of their body to
// the end of the request.
type uploadLimit struct {
	memory  *semaphore.Weighted
	players *keylimit.Limit
}

func newUploadLimit(bytes int64) *uploadLimit {
	return &uploadLimit{memory: semaphore.NewWeighted(bytes), players: keylimit.New(uploadsPerPlayer)}
}

// begin waits until the player has less than uploadsPerPlayer uploads in flight, and takes memory for one that goes on
// until end is called. It returns errUploadsBusy after uploadWait or where the memory is used up, or the error of ctx.
func (l *uploadLimit) begin(ctx context.Context, playerID string, bytes int64) (end func(), err error) {
	wait, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	leave, err := l.players.Begin(wait, playerID)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("wait for other uploads of the player: %w", err)
	case err != nil:
		return nil, errUploadsBusy
	case !l.memory.TryAcquire(bytes):
		leave()
		return nil, errUploadsBusy
	}
	return sync.OnceFunc(func() {
		l.memory.Release(bytes)
		leave()
	}), nil
}
