// Package uploadtest sends invalid and hostile requests to the handler of an upload: forms that break off, lie
// about what is in them, or are none, and whatever a fuzzer makes of those.
package uploadtest

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/token"
)

// Endpoint is a call that takes files in a form.
type Endpoint struct {
	Method string
	// MaxBody bounds the body, in bytes.
	MaxBody int64
	// Files and Fields are the parts of a form that is taken.
	Files  map[string][]byte
	Fields map[string]string
	// Setup registers the call on an engine, with nothing stored yet.
	Setup func(t *testing.T, engine *gin.Engine) Target
}

// Target is where and as whom a form is sent.
type Target struct {
	Path   string
	Caller token.Claims
	// Stored returns the number of stored objects.
	Stored func() int
}

// refusals are the statuses with which an upload may be refused.
var refusals = []int{
	http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
	http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
}

const (
	boundary    = "capzone"
	contentType = "multipart/form-data; boundary=" + boundary
)

// Fuzz sends whatever the fuzzer makes of the form, as bytes. Each answer is one of success or one of the
// refusals, in the envelope; a refusal leaves nothing stored, and nothing takes the handler down.
func (e Endpoint) Fuzz(f *testing.F) {
	f.Helper()
	good := e.form(f)
	for _, s := range seeds(good) {
		f.Add(s.contentType, s.body)
	}
	key, err := token.NewKey()
	require.NoError(f, err)
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, sentType string, body []byte) {
		status := e.send(t, signer, sentType, body)
		if bytes.Equal(body, good) && sentType == contentType && status >= http.StatusBadRequest {
			t.Errorf("a good form is refused with %d", status)
		}
	})
}

func (e Endpoint) send(t *testing.T, signer *token.Signer, contentType string, body []byte) (status int) {
	t.Helper()
	engine := httpserve.NewEngine(httpserve.Options{
		Log: slog.New(slog.DiscardHandler), Verifier: token.NewLocalVerifier(signer), MaxBody: e.MaxBody,
	})
	target := e.Setup(t, engine)
	raw, err := signer.Sign(target.Caller)
	require.NoError(t, err)
	req := httptest.NewRequestWithContext(t.Context(), e.Method, target.Path, bytes.NewReader(body))
	req.Header["Content-Type"] = []string{contentType}
	req.Header.Set("Authorization", "Bearer "+raw)
	recorder := httptest.NewRecorder()
	engine.ServeHTTP(recorder, req)

	var answer struct {
		Success *bool
		Code    string
		Message string
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil || answer.Success == nil {
		t.Fatalf("%d without the envelope: %v: %q", recorder.Code, err, recorder.Body)
	}
	if *answer.Success {
		if recorder.Code != http.StatusOK && recorder.Code != http.StatusCreated {
			t.Errorf("a success has the status %d", recorder.Code)
		}
		return recorder.Code
	}
	if !slices.Contains(refusals, recorder.Code) || answer.Code == "" || answer.Message == "" {
		t.Errorf("refused with %d %s", recorder.Code, recorder.Body)
	}
	if n := target.Stored(); n > 0 {
		t.Errorf("refused with %d %s, and %d things are stored", recorder.Code, answer.Code, n)
	}
	return recorder.Code
}

// form writes a form that is taken.
func (e Endpoint) form(f *testing.F) []byte {
	f.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	require.NoError(f, w.SetBoundary(boundary))
	write := func(part io.Writer, err error, data []byte) {
		if err == nil {
			_, err = part.Write(data)
		}
		require.NoError(f, err)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		part, err := w.CreateFormFile(name, name+".bin")
		write(part, err, e.Files[name])
	}
	for _, name := range slices.Sorted(maps.Keys(e.Fields)) {
		part, err := w.CreateFormField(name)
		write(part, err, []byte(e.Fields[name]))
	}
	require.NoError(f, w.Close())
	return form.Bytes()
}

type seed struct {
	contentType string
	body        []byte
}

// seeds are a good form and what is wrong in ways that a fuzzer takes long to come upon.
func seeds(good []byte) []seed {
	of := func(body string) seed { return seed{contentType, []byte(body)} }
	const binary = "Content-Type: application/octet-stream"
	text := string(good)
	list := []seed{
		{contentType, good},
		{"", good},
		{"application/json", good},
		{"application/x-www-form-urlencoded", []byte("replayFile=a&mapImage=b")},
		{"multipart/form-data", good},
		{"multipart/form-data; boundary=", good},
		{"multipart/form-data; boundary=" + strings.Repeat("a", 71), good},
		{"multipart/form-data; boundary=other", good},
		{"multipart/mixed; boundary=capzone", good},
		{`multipart/form-data; boundary="capzone"; charset=utf-16`, good},
		{"multipart/form-data; boundary=capzone\r\nX-Injected: yes", good},
		of(""),
		of("--capzone--"),
		of("--capzone\r\n\r\n--capzone--\r\n"),
		of(text + text),
		of("a preamble\r\n" + text + "an epilogue"),
		of(strings.ReplaceAll(text, "\r\n", "\n")),
		of(strings.ReplaceAll(text, "form-data", "attachment")),
		of(strings.ReplaceAll(text, "filename=", "filename*=utf-8''")),
		of(strings.ReplaceAll(text, `.bin"`, `/../../../etc/passwd"`)),
		of(strings.ReplaceAll(text, `.bin"`, "\x00.bin\"")),
		of(strings.ReplaceAll(text, "name=", "Name*0=")),
		of(strings.ReplaceAll(text, binary, "Content-Transfer-Encoding: quoted-printable")),
		of(strings.ReplaceAll(text, binary, "Content-Encoding: gzip")),
		of(strings.ReplaceAll(text, binary, "Content-Type: multipart/mixed; boundary=inner")),
		of(strings.ReplaceAll(text, binary, "X-Long: "+strings.Repeat("a", 16<<10)+"\r\n"+binary)),
		of(strings.ReplaceAll(text, binary, strings.Repeat("X-Many: a\r\n", 2000)+binary)),
		of(strings.Repeat("--capzone\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\r\n", 50) + text),
		of(strings.Repeat("--capzone\r\n", 1000)),
		of(strings.TrimSuffix(text, "--capzone--\r\n")),
	}
	for _, share := range []int{1, 2, 3, 5, 8} { // breaks off
		list = append(list, of(text[:len(text)*share/9]))
	}
	return list
}
