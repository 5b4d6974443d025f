package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/services/records/internal/httpapi"
)

func TestAPI_download(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap(`Über "den" Dächern`), b.newPlayer("Ann")
	file := b.replay(m, "Ann", 41_267)
	path := "/api/v1/download/replays/" + servicetest.Data[httpapi.Submitted](t, b.submit(ann, file)).Record.UnderscoreId
	a := b.get(path)
	for name, want := range map[string]string{
		"Content-Disposition": `attachment; filename="_ber _den_ D_chern - Ann - 00-41.27.lbReplay"; ` +
			`filename*=UTF-8''%C3%9Cber%20_den_%20D%C3%A4chern%20-%20Ann%20-%2000-41.27.lbReplay`,
		"X-Content-Type-Options": "nosniff",
		"Content-Type":           "application/octet-stream",
		"Cache-Control":          "no-cache",
		"Content-Length":         fmt.Sprint(len(file)),
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if a.Status != http.StatusOK || !bytes.Equal(a.Raw, file) {
		t.Errorf("%d, %d bytes of %d", a.Status, len(a.Raw), len(file))
	}
	for _, path := range []string{path, "/api/v1/maps/" + m.ID + "/history", "/api/v1/records"} {
		whole, head := b.get(path), b.do(http.MethodHead, b.URL+path, nil)
		for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Cache-Control"} {
			if got, want := head.Header.Get(name), whole.Header.Get(name); got != want {
				t.Errorf("HEAD %s: %s %q, want %q", path, name, got, want)
			}
		}
		if head.Status != http.StatusOK || len(head.Raw) > 0 {
			t.Errorf("HEAD %s: %d, %d bytes", path, head.Status, len(head.Raw))
		}
	}
	if a := b.get(path, "If-None-Match", a.Header.Get("ETag")); a.Status != http.StatusNotModified {
		t.Errorf("with its tag: %d", a.Status)
	}
	if a := b.get(path, "Range", "bytes=0-3"); a.Status != http.StatusPartialContent || string(a.Raw) != string(file[:4]) {
		t.Errorf("a part: %d %q", a.Status, a.Raw)
	}
}
