package site

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Player is a player's profile.
type Player struct {
	ID           string    `json:"_id"`
	Name         string    `json:"name"`
	Level        int       `json:"level"`
	SkinImageURL *string   `json:"skinImageUrl"`
	SkinColor    *string   `json:"skinColor"`
	Roles        []string  `json:"roles"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
	Registered   bool      `json:"registered"`
	MapCount     int       `json:"mapCount"`
	RecordCount  int       `json:"recordCount"`
	Trophies     []any     `json:"trophies"`
}

// PlayerRef is a player as part of something else.
type PlayerRef struct {
	ID           string  `json:"_id"`
	Name         string  `json:"name"`
	SkinImageURL *string `json:"skinImageUrl"`
	SkinColor    *string `json:"skinColor"`
}

// PlayerSearch says which players are wanted. What is empty is left to the site.
type PlayerSearch struct {
	Name            string
	SortBy, SortDir string
	Page, Limit     int
}

// SearchPlayers finds registered players.
func (v *Visitor) SearchPlayers(ctx context.Context, s PlayerSearch) (Page[Player], error) {
	return get[Page[Player]](ctx, v, "/players/search", values(map[string]string{
		"name": s.Name, "sortBy": s.SortBy, "sortDir": s.SortDir, "page": number(s.Page), "limit": number(s.Limit),
	}))
}

// PlayerByID is a player's profile.
func (v *Visitor) PlayerByID(ctx context.Context, id string) (Player, error) {
	return fetch[Player](ctx, v, Request{Path: "/players/" + id})
}

// PlayerUpdate is what to change of a player. What is nil stays.
type PlayerUpdate struct {
	SkinImage []byte
	Roles     []string
}

// UpdatePlayer changes a player.
func (v *Visitor) UpdatePlayer(ctx context.Context, id string, u PlayerUpdate) (Player, error) {
	var f Form
	if u.SkinImage != nil {
		f.File("skinImage", "avatar.png", u.SkinImage)
	}
	if u.Roles != nil {
		roles, err := json.Marshal(u.Roles)
		if err != nil {
			return Player{}, err
		}
		f.Field("roles", string(roles))
	}
	return fetch[Player](ctx, v, f.Request(http.MethodPut, "/players/"+id))
}
