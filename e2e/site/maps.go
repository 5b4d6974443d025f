package site

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Map is a map's entry in the catalogue.
type Map struct {
	ID           string     `json:"_id"`
	Name         string     `json:"name"`
	ImageURL     string     `json:"imageUrl"`
	ThumbnailURL string     `json:"thumbnailUrl"`
	GameMode     string     `json:"gameMode"`
	CreatedAt    time.Time  `json:"createdAt"`
	UpdatedAt    time.Time  `json:"updatedAt"`
	Author       PlayerRef  `json:"author"`
	SubmittedBy  PlayerRef  `json:"submittedBy"`
	Tags         []string   `json:"tags"`
	RecordCount  int        `json:"recordCount"`
	MedalTimes   MedalTimes `json:"medalTimes"`
	Description  string     `json:"description"`
	BonkDBID     int        `json:"bonkDbId"`
	Contributors []string   `json:"contributors"`
	RemixOf      *Original  `json:"remixOf"`
}

// Original is the map that another one was made from.
type Original struct {
	BonkDBID int    `json:"bonkDbId"`
	Name     string `json:"name"`
	Author   string `json:"author"`
}

// MedalTimes are in milliseconds; nil is not set.
type MedalTimes struct {
	Author *int `json:"author"`
	Gold   *int `json:"gold"`
	Silver *int `json:"silver"`
	Bronze *int `json:"bronze"`
}

// MapSearch says which maps are wanted. What is empty is left to the site.
type MapSearch struct {
	Name, Author, AuthorID, GameMode string
	Tags                             []string
	SortBy, SortDir                  string
	Page, Limit                      int
}

// SearchMaps finds maps.
func (v *Visitor) SearchMaps(ctx context.Context, s MapSearch) (Page[Map], error) {
	return get[Page[Map]](ctx, v, "/maps/search", values(map[string]string{
		"name": s.Name, "author": s.Author, "authorId": s.AuthorID, "gameMode": s.GameMode, "tags": strings.Join(s.Tags, ","),
		"sortBy": s.SortBy, "sortDir": s.SortDir, "page": number(s.Page), "limit": number(s.Limit),
	}))
}

// MapByID is one map.
func (v *Visitor) MapByID(ctx context.Context, id string) (Map, error) {
	return fetch[Map](ctx, v, Request{Path: "/maps/" + id})
}

// PopularTags are the most used tags, the most used first.
func (v *Visitor) PopularTags(ctx context.Context) ([]string, error) {
	return fetch[[]string](ctx, v, Request{Path: "/maps/popular-tags"})
}

// MapSubmission is a map to hand in.
type MapSubmission struct {
	Replay, Image []byte
	Metadata      MapMetadata
}

// MapMetadata is what a submitter says of a map.
type MapMetadata struct {
	Description string      `json:"description"`
	Tags        []string    `json:"tags"`
	MedalTimes  *MedalTimes `json:"medalTimes,omitempty"`
}

// Form is the submission as a browser sends it.
func (m MapSubmission) Form() (*Form, error) {
	metadata, err := json.Marshal(m.Metadata)
	if err != nil {
		return nil, err
	}
	var f Form
	f.File("replayFile", "run.lbReplay", m.Replay)
	f.File("mapImage", "map.webp", m.Image)
	f.Field("metadata", string(metadata))
	return &f, nil
}

// SubmitMap hands a map in.
func (v *Visitor) SubmitMap(ctx context.Context, m MapSubmission) (Map, error) {
	f, err := m.Form()
	if err != nil {
		return Map{}, err
	}
	return fetch[Map](ctx, v, f.Request(http.MethodPost, "/maps/submit"))
}
