package httpapi

import (
	"context"
	"time"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/imaging"
	"capzone.dev/services/players/internal/player"
)

const maxRoles = 16 << 10 // bytes, far more than ten roles take

// UpdatePlayer implements PUT /players/{id}.
func (s *Server) UpdatePlayer(ctx context.Context, req UpdatePlayerRequestObject) (UpdatePlayerResponseObject, error) {
	by := httpserve.By(ctx)
	form, err := httpserve.ReadForm(ctx, by.Actor.ID, req.Body,
		httpserve.FormPart{Name: "skinImage", Max: player.MaxImageSize, TooLarge: imaging.ErrTooLarge},
		httpserve.FormPart{Name: "roles", Max: maxRoles},
		httpserve.FormPart{Name: "updatedAt", Max: maxRoles},
		httpserve.FormPart{Name: "name", Max: maxRoles},
		httpserve.FormPart{Name: "level", Max: maxRoles},
	)
	if err != nil {
		return nil, err
	}
	defer form.Close()
	update := player.Update{NameOrLevel: form.Has("name") || form.Has("level")}
	if form.Has("skinImage") {
		update.SkinImage = append([]byte{}, form.Bytes("skinImage")...)
	}
	if form.Has("roles") {
		update.Roles = new(form.Text("roles"))
	}
	if form.Has("updatedAt") {
		if update.UpdatedAt, err = time.Parse(time.RFC3339, form.Text("updatedAt")); err != nil {
			return nil, player.ErrUpdatedAtUnreadable.About("updatedAt").Wrap(err)
		}
	}
	updated, err := s.Updater.Update(ctx, by, req.Id, update)
	if err != nil {
		return nil, err
	}
	profile, err := s.Reader.GetProfile(ctx, updated.ID)
	if err != nil {
		return nil, err
	}
	httpserve.TagChanged(ctx, httpserve.PlayerKey(updated.ID), httpserve.PlayersKey)
	return UpdatePlayer200JSONResponse{Success: true, Data: toWire(profile)}, nil
}
