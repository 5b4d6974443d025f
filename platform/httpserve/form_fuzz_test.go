package httpserve_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

const (
	goodForm = "--capzone\r\n" +
		"Content-Disposition: form-data; name=\"replayFile\"; filename=\"replay.bin\"\r\n" +
		"Content-Type: application/octet-stream\r\n\r\na replay\r\n" +
		"--capzone\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\nm1\r\n--capzone--\r\n"
	goodFormType = "multipart/form-data; boundary=capzone"
)

// hostileForms are what is wrong with a form in ways that a fuzzer takes long to come upon, by the content type.
func hostileForms() [][2]string {
	list := [][2]string{
		{goodFormType, goodForm}, {"", goodForm}, {"application/json", goodForm},
		{"application/x-www-form-urlencoded", "replayFile=a&map=b"}, {"multipart/form-data", goodForm},
		{"multipart/form-data; boundary=", goodForm}, {"multipart/form-data; boundary=other", goodForm},
		{"multipart/form-data; boundary=" + strings.Repeat("a", 71), goodForm},
		{"multipart/mixed; boundary=capzone", goodForm},
		{`multipart/form-data; boundary="capzone"; charset=utf-16`, goodForm},
		{"multipart/form-data; boundary=capzone\r\nX-Injected: yes", goodForm},
	}
	replaced := func(old, with string) string { return strings.ReplaceAll(goodForm, old, with) }
	const binary = "Content-Type: application/octet-stream"
	for _, body := range []string{
		"", "--capzone--", "--capzone\r\n\r\n--capzone--\r\n", goodForm + goodForm,
		"a preamble\r\n" + goodForm + "an epilogue", replaced("\r\n", "\n"), replaced("form-data", "attachment"),
		replaced("filename=", "filename*=utf-8''"), replaced(`.bin"`, `/../../../etc/passwd"`), replaced(`.bin"`, "\x00.bin\""),
		replaced("name=", "Name*0="), replaced(binary, "Content-Transfer-Encoding: quoted-printable"),
		replaced(binary, "Content-Encoding: gzip"), replaced(binary, "Content-Type: multipart/mixed; boundary=inner"),
		replaced(binary, "X-Long: "+strings.Repeat("a", 16<<10)+"\r\n"+binary),
		replaced(binary, strings.Repeat("X-Many: a\r\n", 2000)+binary),
		strings.Repeat("--capzone\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\na\r\n", 50) + goodForm,
		strings.Repeat("--capzone\r\n", 1000), strings.TrimSuffix(goodForm, "--capzone--\r\n"),
		goodForm[:len(goodForm)/9], goodForm[:len(goodForm)/3], goodForm[:len(goodForm)*8/9], // breaks off
	} {
		list = append(list, [2]string{goodFormType, body})
	}
	return list
}

// Whatever is sent as a form, its parts keep their limits or it is refused in the envelope as malformed or too large.
func FuzzReadForm(f *testing.F) {
	for _, form := range hostileForms() {
		f.Add(form[0], form[1])
	}
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	engine.POST("/form", func(c *gin.Context) {
		reader, err := c.Request.MultipartReader()
		if err != nil {
			httpserve.RenderMalformed(c, err)
			return
		}
		form, err := httpserve.ReadForm(c.Request.Context(), "a player", reader,
			httpserve.FormPart{Name: "replayFile", Max: 1 << 10}, httpserve.FormPart{Name: "map", Max: 10, Cut: true})
		if err != nil {
			httpserve.Render(c, problem.From(err))
			return
		}
		defer form.Close()
		if len(form.Bytes("replayFile")) > 1<<10 || len(form.Bytes("map")) > 11 {
			c.Status(http.StatusTeapot)
		}
	})
	f.Fuzz(func(t *testing.T, contentType, body string) {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/form", strings.NewReader(body))
		req.Header["Content-Type"] = []string{contentType}
		recorder := httptest.NewRecorder()
		engine.ServeHTTP(recorder, req)
		switch recorder.Code {
		case http.StatusOK:
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			if body == goodForm && contentType == goodFormType || !strings.Contains(recorder.Body.String(), `"success":false`) {
				t.Errorf("%d %s", recorder.Code, recorder.Body)
			}
		default:
			t.Errorf("%d %s", recorder.Code, recorder.Body)
		}
	})
}
