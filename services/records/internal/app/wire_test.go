package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/token"
)

// answer is what the API answers.
type answer struct {
	Status     int
	Header     http.Header
	Raw        []byte
	Success    bool
	Code       string
	Message    string
	Errors     []map[string]string
	Data       json.RawMessage
	Pagination map[string]int64
}

// wireRecord is a run as the API tells it.
type wireRecord struct {
	ID     string `json:"_id"`
	Player struct {
		ID           string  `json:"_id"`
		Name         string  `json:"name"`
		SkinImageURL *string `json:"skinImageUrl"`
		SkinColor    *string `json:"skinColor"`
	} `json:"player"`
	Map struct {
		ID   string `json:"_id"`
		Name string `json:"name"`
	} `json:"map"`
	FinishTime      int64     `json:"finishTime"`
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
	CreatedAt       time.Time `json:"createdAt"`
	UpdatedAt       time.Time `json:"updatedAt"`
	Medal           *string   `json:"medal"`
	Rank            int64     `json:"rank"`
	PersonalBest    bool      `json:"personalBest"`
}

// wireSubmitted is what the API tells of a submission.
type wireSubmitted struct {
	Record struct {
		ID     string  `json:"_id"`
		Player string  `json:"player"`
		Map    string  `json:"map"`
		Medal  *string `json:"medal"`
	} `json:"record"`
	Rank         int64  `json:"rank"`
	PersonalBest bool   `json:"personalBest"`
	PreviousBest *int64 `json:"previousBest"`
	WorldRecord  bool   `json:"worldRecord"`
}

// data reads the answer's data.
func data[T any](t *testing.T, a answer) (v T) {
	t.Helper()
	if err := json.Unmarshal(a.Data, &v); err != nil {
		t.Fatalf("%d %s: %v", a.Status, a.Raw, err)
	}
	return v
}

func (b *bundle) get(path string, header ...string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, b.URL+path, nil, header...)
}

// submit sends a replay in the name of a player, with further fields of the form.
func (b *bundle) submit(by event.PlayerState, replay []byte, fields ...string) answer {
	b.t.Helper()
	body, contentType := form(b.t, replay, fields...)
	return b.do(http.MethodPost, b.URL+"/api/v1/records/submit", body, "Content-Type", contentType, "Authorization", "Bearer "+b.token(by))
}

// submitted is submit of a run that is accepted.
func (b *bundle) submitted(by event.PlayerState, m course, finishTime int) wireSubmitted {
	b.t.Helper()
	a := b.submit(by, b.replay(m, by.Name, finishTime))
	if a.Status != http.StatusCreated {
		b.t.Fatalf("%d %s", a.Status, a.Raw)
	}
	return data[wireSubmitted](b.t, a)
}

func (b *bundle) leaderboard(m course) []wireRecord {
	b.t.Helper()
	return data[[]wireRecord](b.t, b.get("/api/v1/records?map="+m.ID))
}

func (b *bundle) token(of event.PlayerState) string {
	b.t.Helper()
	signed, err := b.signer.Sign(token.Claims{PlayerID: of.ID, Name: of.Name, Roles: of.Roles})
	must(b.t, err)
	return signed
}

func (b *bundle) do(method, url string, body io.Reader, header ...string) answer {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, url, body)
	must(b.t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	must(b.t, err)
	defer resp.Body.Close()
	a := answer{Status: resp.StatusCode, Header: resp.Header}
	a.Raw, err = io.ReadAll(resp.Body)
	must(b.t, err)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(a.Raw, &a); err != nil {
			b.t.Fatalf("%s: %v", a.Raw, err)
		}
	}
	return a
}

// form makes a form of a replay, where there is one, and of names and values.
func form(t *testing.T, replay []byte, fields ...string) (body io.Reader, contentType string) {
	t.Helper()
	var buffer bytes.Buffer
	writer := multipart.NewWriter(&buffer)
	if replay != nil {
		part, err := writer.CreateFormFile("replayFile", "run.lbReplay")
		must(t, err)
		_, err = part.Write(replay)
		must(t, err)
	}
	for i := 0; i < len(fields); i += 2 {
		must(t, writer.WriteField(fields[i], fields[i+1]))
	}
	must(t, writer.Close())
	return &buffer, writer.FormDataContentType()
}
