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
	"net/url"

	"capzone.dev/e2e/api"
)

// get reads from the API. Params are query parameters of package api, or nil; those with the zero value are not sent.
func get[T any](ctx context.Context, v *Visitor, path string, params any) (T, error) {
	query, err := queryOf(params)
	if err != nil {
		var none T
		return none, err
	}
	return call[T](ctx, v, Request{Path: path, Query: query})
}

// post sends a value as JSON.
func post[T any](ctx context.Context, v *Visitor, path string, value any) (T, error) {
	text, err := json.Marshal(value)
	if err != nil {
		var none T
		return none, err
	}
	return call[T](ctx, v, Request{
		Method: http.MethodPost, Path: path, Body: bytes.NewReader(text),
		Header: http.Header{"Content-Type": {"application/json"}},
	})
}

// call sends a request and returns the body of the answer. It returns a *Problem for a failure.
func call[T any](ctx context.Context, v *Visitor, r Request) (body T, err error) {
	answer, err := v.Send(ctx, r)
	if err != nil {
		return body, err
	}
	if err := answer.Problem(); err != nil {
		return body, err
	}
	if err := json.Unmarshal(answer.Body, &body); err != nil {
		return body, fmt.Errorf("%s: %w", r.Path, err)
	}
	return body, nil
}

// queryOf returns query parameters. Their JSON names are those of the query.
func queryOf(params any) (url.Values, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	numbers := json.NewDecoder(bytes.NewReader(text))
	numbers.UseNumber()
	var values map[string]any
	if err := numbers.Decode(&values); err != nil {
		return nil, err
	}
	query := url.Values{}
	for name, value := range values {
		query.Set(name, fmt.Sprint(value))
	}
	return query, nil
}

// SearchMaps returns a page of the maps that match.
func (v *Visitor) SearchMaps(ctx context.Context, p api.SearchMapsParams) (api.MapPage, error) {
	return get[api.MapPage](ctx, v, "/maps/search", p)
}

// MapByID returns a map.
func (v *Visitor) MapByID(ctx context.Context, id string) (api.ParkourMap, error) {
	answer, err := get[api.MapAnswer](ctx, v, "/maps/"+id, nil)
	return answer.Data, err
}

// PopularTags returns the most used tags, the most used first.
func (v *Visitor) PopularTags(ctx context.Context) ([]string, error) {
	answer, err := get[api.TagList](ctx, v, "/maps/popular-tags", nil)
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
	answer, err := call[api.MapAnswer](ctx, v, form.Request(http.MethodPost, "/maps/submit"))
	return answer.Data, err
}

// CreateToken makes a personal token. The answer is the only one that has it.
func (v *Visitor) CreateToken(ctx context.Context, t api.NewToken) (api.CreatedToken, error) {
	answer, err := post[api.CreatedTokenAnswer](ctx, v, "/tokens", t)
	return answer.Data, err
}

// SearchPlayers returns a page of the registered players that match.
func (v *Visitor) SearchPlayers(ctx context.Context, p api.SearchPlayersParams) (api.PlayerPage, error) {
	return get[api.PlayerPage](ctx, v, "/players/search", p)
}

// PlayerByID returns a player's profile.
func (v *Visitor) PlayerByID(ctx context.Context, id string) (api.Player, error) {
	answer, err := get[api.PlayerAnswer](ctx, v, "/players/"+id, nil)
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
	answer, err := call[api.PlayerAnswer](ctx, v, form.Request(http.MethodPut, "/players/"+id))
	return answer.Data, err
}

// Records returns a part of the list of records or, with a map, of its leaderboard.
func (v *Visitor) Records(ctx context.Context, p api.ListRecordsParams) (api.RecordPage, error) {
	return get[api.RecordPage](ctx, v, "/records", p)
}

// Leaderboard returns a part of a map's leaderboard, as the site's own page asks for it.
func (v *Visitor) Leaderboard(ctx context.Context, mapID string, offset, limit int) (api.RecordPage, error) {
	return v.Records(ctx, api.ListRecordsParams{
		Map: mapID, SortBy: "finishTime,finishTimeStamp", SortDir: "asc,asc", Offset: offset, Limit: limit,
	})
}

// RecordByID returns a record with what it is compared with.
func (v *Visitor) RecordByID(ctx context.Context, id string) (api.RecordDetails, error) {
	answer, err := get[api.RecordAnswer](ctx, v, "/records/"+id, nil)
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
	answer, err := call[api.SubmitAnswer](ctx, v, r.Form().Request(http.MethodPost, "/records/submit"))
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
	answer, err := get[api.StatsAnswer](ctx, v, "/stats", nil)
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
