package app_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
)

// wireRecord is a record as the API returns it.
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

// wireSubmitted is what the API returns for a submission.
type wireSubmitted struct {
	Record struct {
		ID        string    `json:"_id"`
		Player    string    `json:"player"`
		Map       string    `json:"map"`
		CreatedAt time.Time `json:"createdAt"`
		Medal     *string   `json:"medal"`
	} `json:"record"`
	Rank         int64  `json:"rank"`
	PersonalBest bool   `json:"personalBest"`
	PreviousBest *int64 `json:"previousBest"`
	WorldRecord  bool   `json:"worldRecord"`
}

func (b *bundle) get(path string, header ...string) servicetest.Answer {
	b.t.Helper()
	return b.do(http.MethodGet, b.URL+path, nil, header...)
}

// submit sends a replay in the name of a player, with further fields of the form.
func (b *bundle) submit(by event.PlayerState, replay []byte, fields ...string) servicetest.Answer {
	b.t.Helper()
	body, contentType := form(b.t, replay, fields...)
	return b.do(http.MethodPost, b.URL+"/api/v1/records/submit", body, "Content-Type", contentType, "Authorization",
		"Bearer "+b.keys.Token(by))
}

// submitted is submit of a record that is accepted.
func (b *bundle) submitted(by event.PlayerState, m drawnMap, finishTime int) wireSubmitted {
	b.t.Helper()
	a := b.submit(by, b.replay(m, by.Name, finishTime))
	if a.Status != http.StatusCreated {
		b.t.Fatalf("%d %s", a.Status, a.Raw)
	}
	return servicetest.Data[wireSubmitted](b.t, a)
}

func (b *bundle) leaderboard(m drawnMap) []wireRecord {
	b.t.Helper()
	return servicetest.Data[[]wireRecord](b.t, b.get("/api/v1/records?map="+m.ID))
}

func (b *bundle) do(method, url string, body io.Reader, header ...string) servicetest.Answer {
	b.t.Helper()
	return servicetest.Do(b.t, method, url, body, header...)
}

// form makes a form of a replay, where there is one, and of names and values.
func form(t *testing.T, replay []byte, fields ...string) (body io.Reader, contentType string) {
	t.Helper()
	var parts []servicetest.Part
	if replay != nil {
		parts = append(parts, servicetest.Part{Name: "replayFile", File: "rec.lbReplay", Data: replay})
	}
	for i := 0; i < len(fields); i += 2 {
		parts = append(parts, servicetest.Part{Name: fields[i], Data: []byte(fields[i+1])})
	}
	return servicetest.Form(t, parts...)
}
