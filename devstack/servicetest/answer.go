package servicetest

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/export"
)

// Answer is what an API answers. All below Raw is the envelope of an answer in JSON.
type Answer struct {
	Status int         `json:"-"`
	Header http.Header `json:"-"`
	Raw    []byte      `json:"-"`

	Success bool
	Code    string
	Message string
	Errors  []map[string]string
	Data    json.RawMessage
	// Pagination has numbers as float64.
	Pagination map[string]any
}

// Data returns the answer's data.
func Data[T any](t *testing.T, a Answer) (data T) {
	t.Helper()
	if err := json.Unmarshal(a.Data, &data); err != nil {
		t.Fatalf("%d %s: %v", a.Status, a.Raw, err)
	}
	return data
}

// Do sends a request with headers, names and values in turn.
func Do(t *testing.T, method, url string, body io.Reader, header ...string) Answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	a := Answer{Status: resp.StatusCode, Header: resp.Header}
	a.Raw, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	if len(a.Raw) > 0 && strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(a.Raw, &a); err != nil {
			t.Fatalf("%s: %v", a.Raw, err)
		}
	}
	return a
}

// Export returns the things that a service exports at url to the holder of a token, by kind. The last line must say
// that it is complete.
func Export(t *testing.T, url, token string) map[string][]string {
	t.Helper()
	a := Do(t, http.MethodGet, url+export.Path, nil, "Authorization", "Bearer "+token)
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != export.ContentType {
		t.Fatalf("export: %d %s %s", a.Status, a.Header.Get("Content-Type"), a.Raw)
	}
	return exporttest.Lines(t, string(a.Raw))
}

// Part is a part of a form. A file has a file name.
type Part struct {
	Name, File string
	Data       []byte
}

// Form returns a form's body and its content type.
func Form(t *testing.T, parts ...Part) (body io.Reader, contentType string) {
	t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	for _, p := range parts {
		var part io.Writer
		var err error
		if p.File != "" {
			part, err = writer.CreateFormFile(p.Name, p.File)
		} else {
			part, err = writer.CreateFormField(p.Name)
		}
		if err == nil {
			_, err = part.Write(p.Data)
		}
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return &form, writer.FormDataContentType()
}
