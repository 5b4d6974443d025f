package httpapi_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/uploadtest"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/picture"
	"capzone.dev/platform/token"
	"capzone.dev/services/players/internal/httpapi"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

// keptFiles draws avatars as the service does, and counts them.
type keptFiles struct{ kept int }

type avatar struct{}

func (avatar) Key() string { return "skins/avatar.webp" }

func (avatar) Claim(context.Context, pgx.Tx) error { return nil }

func (s *keptFiles) Keep(ctx context.Context, image []byte) (objectstore.Upload, error) {
	if _, err := picture.Renditions(ctx, image, picture.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}, 256); err != nil {
		return nil, err
	}
	s.kept++
	return avatar{}, nil
}

// The caller is an admin, so that roles are read too.
func FuzzUpdatePlayer(f *testing.F) {
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 16, 16))); err != nil {
		f.Fatal(err)
	}
	uploadtest.Endpoint{
		Method: http.MethodPut, MaxBody: httpapi.MaxBody,
		Files:  map[string][]byte{"skinImage": drawn.Bytes()},
		Fields: map[string]string{"roles": `["admin", "artist"]`},
		Setup: func(t *testing.T, engine *gin.Engine) uploadtest.Target {
			t.Helper()
			store, files := playertest.NewMemory(), &keptFiles{}
			admin, err := store.EditNamed(t.Context(), "Ann", func(p *player.Player) (player.Effects, error) {
				p.Registered, p.Roles = true, []string{player.Admin}
				return player.Effects{}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			httpapi.Register(engine, httpapi.UseCases{
				Profiles: store, Updater: &player.Updater{Finder: store, Editor: store, Avatars: files},
			})
			return uploadtest.Target{
				Path:   "/api/v1/players/" + admin.ID,
				Caller: token.Claims{PlayerID: admin.ID, Name: admin.Name, Roles: admin.Roles},
				Stored: func() int { return files.kept },
			}
		},
	}.Fuzz(f)
}
