package site

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"capzone.dev/e2e/api"
)

// client returns the generated client, which sends what the visitor would send.
func (v *Visitor) client() *api.Client {
	return &api.Client{
		Server: v.site.address + basePath + "/", Client: v.http,
		RequestEditors: []api.RequestEditorFn{v.prepare, omitUnset},
	}
}

// omitUnset leaves parameters that are not set to the site's defaults.
func omitUnset(_ context.Context, r *http.Request) error {
	query := r.URL.Query()
	for name, values := range query {
		if values[0] == "" || values[0] == "0" {
			query.Del(name)
		}
	}
	r.URL.RawQuery = query.Encode()
	return nil
}

// call sends a request of the generated client and returns the body of the response. It returns a *Problem for a
// failure.
func call[T any](send func() (*http.Response, error)) (body T, err error) {
	response, err := send()
	if err != nil {
		return body, err
	}
	answer, err := answerOf(response)
	if err != nil {
		return body, err
	}
	if err := answer.Problem(); err != nil {
		return body, err
	}
	if err := json.Unmarshal(answer.Body, &body); err != nil {
		return body, fmt.Errorf("%s: %w", response.Request.URL.Path, err)
	}
	return body, nil
}

// SearchMaps returns a page of the maps that match.
func (v *Visitor) SearchMaps(ctx context.Context, p api.SearchMapsParams) (api.MapPage, error) {
	return call[api.MapPage](func() (*http.Response, error) { return v.client().SearchMaps(ctx, &p) })
}

// MapByID returns a map.
func (v *Visitor) MapByID(ctx context.Context, id string) (api.ParkourMap, error) {
	answer, err := call[api.MapAnswer](func() (*http.Response, error) { return v.client().GetMap(ctx, id) })
	return answer.Data, err
}

// PopularTags returns the most used tags, the most used first.
func (v *Visitor) PopularTags(ctx context.Context) ([]string, error) {
	answer, err := call[api.TagList](func() (*http.Response, error) { return v.client().PopularTags(ctx) })
	return answer.Data, err
}

// MapSubmission is a map to submit.
type MapSubmission struct {
	Replay, Image []byte
	// UseDrawing is true for a map whose picture is its drawing; Image is not sent then.
	UseDrawing bool
	Metadata   api.MapMetadata
}

// Form returns the submission as a browser sends it.
func (m MapSubmission) Form() (*Form, error) {
	metadata, err := json.Marshal(m.Metadata)
	if err != nil {
		return nil, err
	}
	var f Form
	f.File("replayFile", "run.lbReplay", m.Replay)
	if m.UseDrawing {
		f.Field("useDrawing", "true")
	} else {
		f.File("mapImage", "map.webp", m.Image)
	}
	f.Field("metadata", string(metadata))
	return &f, nil
}

// SubmitMap submits a map.
func (v *Visitor) SubmitMap(ctx context.Context, m MapSubmission) (api.ParkourMap, error) {
	form, err := m.Form()
	if err != nil {
		return api.ParkourMap{}, err
	}
	answer, err := call[api.MapAnswer](func() (*http.Response, error) {
		return v.client().SubmitMapWithBody(ctx, form.ContentType(), form.Body())
	})
	return answer.Data, err
}

// CreateToken makes a personal token. The answer is the only one that has it.
func (v *Visitor) CreateToken(ctx context.Context, t api.NewToken) (api.CreatedToken, error) {
	answer, err := call[api.CreatedTokenAnswer](func() (*http.Response, error) { return v.client().CreateToken(ctx, t) })
	return answer.Data, err
}

// SearchPlayers returns a page of the registered players that match.
func (v *Visitor) SearchPlayers(ctx context.Context, p api.SearchPlayersParams) (api.PlayerPage, error) {
	return call[api.PlayerPage](func() (*http.Response, error) { return v.client().SearchPlayers(ctx, &p) })
}

// PlayerByID returns a player's profile.
func (v *Visitor) PlayerByID(ctx context.Context, id string) (api.Player, error) {
	answer, err := call[api.PlayerAnswer](func() (*http.Response, error) { return v.client().GetPlayer(ctx, id) })
	return answer.Data, err
}

// PlayerUpdate is a change of a player. A field that is nil is not sent.
type PlayerUpdate struct {
	SkinImage []byte
	Roles     []string
}

// UpdatePlayer changes a player.
func (v *Visitor) UpdatePlayer(ctx context.Context, id string, u PlayerUpdate) (api.Player, error) {
	var form Form
	if u.SkinImage != nil {
		form.File("skinImage", "avatar.png", u.SkinImage)
	}
	if u.Roles != nil {
		roles, err := json.Marshal(u.Roles)
		if err != nil {
			return api.Player{}, err
		}
		form.Field("roles", string(roles))
	}
	answer, err := call[api.PlayerAnswer](func() (*http.Response, error) {
		return v.client().UpdatePlayerWithBody(ctx, id, form.ContentType(), form.Body())
	})
	return answer.Data, err
}

// Records returns a part of the list of records or, with a map, of its leaderboard.
func (v *Visitor) Records(ctx context.Context, p api.ListRecordsParams) (api.RecordPage, error) {
	return call[api.RecordPage](func() (*http.Response, error) { return v.client().ListRecords(ctx, &p) })
}

// Leaderboard returns a part of a map's leaderboard, as the site's own page asks for it.
func (v *Visitor) Leaderboard(ctx context.Context, mapID string, offset, limit int) (api.RecordPage, error) {
	return v.Records(ctx, api.ListRecordsParams{
		Map: mapID, SortBy: "finishTime,finishTimeStamp", SortDir: "asc,asc", Offset: offset, Limit: limit,
	})
}

// RecordByID returns a record with what it is compared with.
func (v *Visitor) RecordByID(ctx context.Context, id string) (api.RecordDetails, error) {
	answer, err := call[api.RecordAnswer](func() (*http.Response, error) { return v.client().GetRecord(ctx, id) })
	return answer.Data, err
}

// RecordSubmission is a replay to submit.
type RecordSubmission struct {
	Replay []byte
	Name   string // of the file, "run.lbReplay" where empty
	Map    string // the map's _id that the replay is meant for; may be empty
}

// Form returns the submission as a browser sends it.
func (r RecordSubmission) Form() *Form {
	var f Form
	f.File("replayFile", cmp.Or(r.Name, "run.lbReplay"), r.Replay)
	if r.Map != "" {
		f.Field("map", r.Map)
	}
	return &f
}

// SubmitRecord submits a replay.
func (v *Visitor) SubmitRecord(ctx context.Context, r RecordSubmission) (api.Submitted, error) {
	form := r.Form()
	answer, err := call[api.SubmitAnswer](func() (*http.Response, error) {
		return v.client().SubmitRecordWithBody(ctx, form.ContentType(), form.Body())
	})
	return answer.Data, err
}

// DownloadReplay downloads the replay of a record.
func (v *Visitor) DownloadReplay(ctx context.Context, recordID string) (Answer, error) {
	answer, err := v.Send(ctx, Request{Path: "/download/replays/" + recordID})
	if err != nil {
		return answer, err
	}
	return answer, answer.Problem()
}

// Stats returns the site's totals.
func (v *Visitor) Stats(ctx context.Context) (api.Stats, error) {
	answer, err := call[api.StatsAnswer](func() (*http.Response, error) { return v.client().GetStats(ctx) })
	return answer.Data, err
}

// Form is a multipart form. The zero value is an empty one.
type Form struct {
	body   bytes.Buffer
	writer *multipart.Writer
}

// Field adds a text.
func (f *Form) Field(name, value string) {
	_ = f.open().WriteField(name, value) // a buffer takes everything
}

// File adds a file.
func (f *Form) File(field, name string, data []byte) {
	part, err := f.open().CreateFormFile(field, name)
	if err == nil {
		_, _ = part.Write(data) // a buffer takes everything
	}
}

// Body ends the form and returns it.
func (f *Form) Body() io.Reader {
	_ = f.open().Close()
	return bytes.NewReader(f.body.Bytes())
}

// ContentType returns the form's type with its boundary.
func (f *Form) ContentType() string { return f.open().FormDataContentType() }

// Request ends the form and returns the request that sends it.
func (f *Form) Request(method, path string) Request {
	return Request{Method: method, Path: path, Body: f.Body(), Header: http.Header{"Content-Type": {f.ContentType()}}}
}

func (f *Form) open() *multipart.Writer {
	if f.writer == nil {
		f.writer = multipart.NewWriter(&f.body)
	}
	return f.writer
}
