package site

import (
	"context"
	"net/http"
	"time"
)

// Record is a run.
type Record struct {
	ID              string    `json:"_id"`
	Player          PlayerRef `json:"player"`
	Map             MapRef    `json:"map"`
	FinishTime      int       `json:"finishTime"` // milliseconds
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
	CreatedAt       time.Time `json:"createdAt"`
	UpdatedAt       time.Time `json:"updatedAt"`
	Medal           *string   `json:"medal"`
	Rank            int       `json:"rank"` // on a leaderboard
	PersonalBest    bool      `json:"personalBest"`
}

// MapRef is a map as part of something else.
type MapRef struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// RecordQuery says which runs are wanted. With Map it is the map's leaderboard.
type RecordQuery struct {
	Map, Player     string
	SortBy, SortDir string
	Offset, Limit   int
}

// Records lists runs.
func (v *Visitor) Records(ctx context.Context, q RecordQuery) (Slice[Record], error) {
	return get[Slice[Record]](ctx, v, "/records", values(map[string]string{
		"map": q.Map, "player": q.Player, "sortBy": q.SortBy, "sortDir": q.SortDir, "offset": number(q.Offset), "limit": number(q.Limit),
	}))
}

// Leaderboard is a page of a map's leaderboard, as the site's own page asks for it.
func (v *Visitor) Leaderboard(ctx context.Context, mapID string, offset, limit int) (Slice[Record], error) {
	return v.Records(ctx, RecordQuery{Map: mapID, SortBy: "finishTime,finishTimeStamp", SortDir: "asc,asc", Offset: offset, Limit: limit})
}

// RecordByID is one run.
func (v *Visitor) RecordByID(ctx context.Context, id string) (Record, error) {
	return fetch[Record](ctx, v, Request{Path: "/records/" + id})
}

// RecordSubmission is a run to hand in.
type RecordSubmission struct {
	Replay []byte
	Name   string // of the file, "run.lbReplay" where empty
	Map    string // the map's _id that the run is meant for; may be empty
}

// Outcome is what became of a submitted run.
type Outcome struct {
	Record struct {
		ID         string `json:"_id"`
		Map        string `json:"map"`
		Player     string `json:"player"`
		FinishTime int    `json:"finishTime"`
	} `json:"record"`
	Rank         int  `json:"rank"`
	PersonalBest bool `json:"personalBest"`
	PreviousBest *int `json:"previousBest"`
	WorldRecord  bool `json:"worldRecord"`
}

// Form is the submission as a browser sends it.
func (r RecordSubmission) Form() *Form {
	name := r.Name
	if name == "" {
		name = "run.lbReplay"
	}
	var f Form
	f.File("replayFile", name, r.Replay)
	if r.Map != "" {
		f.Field("map", r.Map)
	}
	return &f
}

// SubmitRecord hands a run in.
func (v *Visitor) SubmitRecord(ctx context.Context, r RecordSubmission) (Outcome, error) {
	return fetch[Outcome](ctx, v, r.Form().Request(http.MethodPost, "/records/submit"))
}

// DownloadReplay downloads the file of a run.
func (v *Visitor) DownloadReplay(ctx context.Context, recordID string) (Answer, error) {
	answer, err := v.Send(ctx, Request{Path: "/download/replays/" + recordID})
	if err != nil {
		return answer, err
	}
	return answer, answer.Problem()
}

// Stats are the site's totals.
type Stats struct {
	Maps    int `json:"totalMaps"`
	Players int `json:"totalPlayers"`
	Records int `json:"totalRecords"`
}

// Stats returns the site's totals.
func (v *Visitor) Stats(ctx context.Context) (Stats, error) {
	return fetch[Stats](ctx, v, Request{Path: "/stats"})
}
