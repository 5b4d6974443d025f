package httpapi_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/uploadtest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/imaging"
	"capzone.dev/platform/storedfile"
	"capzone.dev/platform/token"
	"capzone.dev/services/players/internal/httpapi"
	"capzone.dev/services/players/internal/player"
)

// storedFiles makes avatars as the service does, and counts them.
type storedFiles struct{ stored int }

func (s *storedFiles) Put(ctx context.Context, image []byte) (storedfile.Upload, error) {
	renderer := imaging.NewRenderer(imaging.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}, 256)
	if _, err := renderer.Render(ctx, image); err != nil {
		return storedfile.Upload{}, err
	}
	s.stored++
	return storedfile.Upload{Key: "skins/avatar.webp"}, nil
}

// onePlayer is the only player. Fuzzing has no database.
type onePlayer struct{ player.Player }

func (o *onePlayer) Get(context.Context, string) (player.Player, error) { return o.Player, nil }

func (o *onePlayer) GetByName(context.Context, string) (player.Player, error) { return o.Player, nil }

func (o *onePlayer) GetProfile(context.Context, string) (player.Profile, error) {
	return player.Profile{ID: o.ID, Name: o.Name, Roles: o.Roles, Registered: true}, nil
}

func (o *onePlayer) Change(_ context.Context, _ string, rule player.Rule) (player.Player, error) {
	change, err := rule(player.Locked{Player: o.Clone()})
	return change.Player, err
}

func (o *onePlayer) ChangePair(
	_ context.Context, _, _ string, rule player.Rule,
) (changed, other player.Player, err error) {
	other = o.Clone()
	change, err := rule(player.Locked{Player: o.Clone(), Other: &other})
	return change.Player, other, err
}

func (o *onePlayer) Search(context.Context, player.Page) (player.ProfileList, error) {
	return player.ProfileList{}, nil
}

func (o *onePlayer) ListIDs(context.Context, int, int) (player.IDPage, error) {
	return player.IDPage{}, nil
}

// The caller is an admin, so that roles are read too.
func FuzzUpdatePlayer(f *testing.F) {
	var drawn bytes.Buffer
	require.NoError(f, png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 16, 16))))
	uploadtest.Endpoint{
		Method: http.MethodPut, MaxBody: httpapi.MaxBody,
		Files:  map[string][]byte{"skinImage": drawn.Bytes()},
		Fields: map[string]string{"roles": `["admin"]`},
		Setup: func(t *testing.T, engine *gin.Engine) uploadtest.Target {
			t.Helper()
			admin := player.Player{ID: "0198c2f4-0000-7000-8000-000000000000", Version: 1, Name: "Ann", Registered: true,
				Roles: []string{access.Admin}}
			store, files := &onePlayer{admin}, &storedFiles{}
			httpapi.Register(engine, &httpapi.Server{
				Reader: &player.Reader{Players: store}, Updater: &player.Updater{Players: store, Avatars: files},
			})
			return uploadtest.Target{
				Path:   "/api/v1/players/" + admin.ID,
				Caller: token.Claims{PlayerID: admin.ID, Name: admin.Name, Roles: admin.Roles},
				Stored: func() int { return files.stored },
			}
		},
	}.Fuzz(f)
}
