package httpserve_test

import (
	"bytes"
	"errors"
	"mime/multipart"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

func TestReadForm(t *testing.T) {
	t.Parallel()
	write := func(parts ...string) *multipart.Reader {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for i := 0; i < len(parts); i += 2 {
			part, err := w.CreateFormFile(parts[i], parts[i]+".lbReplay")
			require.NoError(t, err)
			_, _ = part.Write([]byte(parts[i+1]))
		}
		_ = w.Close()
		return multipart.NewReader(&body, w.Boundary())
	}
	want := []httpserve.FormPart{{Name: "replayFile", Max: 1 << 20}, {Name: "map", Max: 10}}

	form, err := httpserve.ReadForm(t.Context(), "a player",
		write("other", "x", "replayFile", "first", "other", "y", "map", " m1 "), want...)
	require.NoError(t, err)
	defer form.Close()
	if got := string(form.Bytes("replayFile")); got != "first" || form.Text("map") != "m1" || form.Has("other") {
		t.Errorf("the form holds %q and %q", got, form.Text("map"))
	}

	_, err = httpserve.ReadForm(t.Context(), "a player", write("replayFile", strings.Repeat("a", 1<<20+1)), want...)
	if p := problem.From(err); p.Code != "file_too_large" || p.Message != "File too large. Maximum size is 1 MB" {
		t.Errorf("a large file: %v", err)
	}
	_, err = httpserve.ReadForm(t.Context(), "a player", write("replayFile", "1", "replayFile", "2"), want...)
	if p := problem.From(err); !errors.Is(err, httpserve.ErrMalformed) || p.Message != "The form has replayFile twice." {
		t.Errorf("a part that is there twice: %v", err)
	}
	cut := "--x\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\nm"
	if _, err = httpserve.ReadForm(t.Context(), "a player", multipart.NewReader(strings.NewReader(cut), "x"),
		want...); !errors.Is(err, httpserve.ErrMalformed) {
		t.Errorf("a form that ends too early: %v", err)
	}
	many := make([]string, 0, 60)
	for range 30 {
		many = append(many, "other", "x")
	}
	if _, err = httpserve.ReadForm(t.Context(), "a player", write(many...), want...); !errors.Is(err,
		httpserve.ErrMalformed) {
		t.Errorf("30 parts: %v", err)
	}
}
