package httpapi_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/devstack/uploadtest"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/token"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/images"
	"capzone.dev/services/maps/internal/maptest"
	"capzone.dev/services/maps/internal/parkourmap"
)

const authorID = "0198c2f4-0000-7000-8000-000000000001"

// keptFiles counts the files that are kept.
type keptFiles struct{ kept int }

type file string

func (f file) Key() string { return string(f) }

func (file) Claim(context.Context, pgx.Tx) error { return nil }

func (s *keptFiles) KeepReplay(context.Context, []byte) (objectstore.Upload, error) {
	s.kept++
	return file("replay"), nil
}

func (s *keptFiles) KeepPictures(_ context.Context, _, _ []byte) (full, thumbnail objectstore.Upload, err error) {
	s.kept += 2
	return file("full"), file("thumbnail"), nil
}

func (*keptFiles) Bucket() string { return "capzone-maps" }

// nobody knows no player besides the author.
type nobody struct{}

func (nobody) Player(context.Context, string) (parkourmap.Player, error) {
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

func (nobody) Ensure(_ context.Context, name string) (parkourmap.Player, error) {
	return parkourmap.Player{ID: uuid.NewSHA1(uuid.Nil, []byte(name)).String(), Version: 1, Name: name}, nil
}

func FuzzSubmitMap(f *testing.F) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 16, 9))); err != nil {
		f.Fatal(err)
	}
	uploadtest.Endpoint{
		Method: http.MethodPost, MaxBody: httpapi.MaxBody,
		Files: map[string][]byte{
			"replayFile": maptest.File(f, maptest.Run(maptest.Drawing(1000, "Skyline Run", "cloudstep"), "cloudstep")),
			"mapImage":   picture.Bytes(),
		},
		Fields: map[string]string{"metadata": `{"description": "Mind the gap.", "tags": ["speed"], "medalTimes": {"gold": 45000}}`},
		Setup: func(t *testing.T, engine *gin.Engine) uploadtest.Target {
			t.Helper()
			maps, files := maptest.NewMemory(), &keptFiles{}
			if err := maps.TakePlayer(t.Context(), parkourmap.Player{ID: authorID, Version: 1, Name: "cloudstep"}); err != nil {
				t.Fatal(err)
			}
			httpapi.Register(engine, httpapi.UseCases{
				Submitter: &parkourmap.Submitter{
					Maps: maps, Players: &parkourmap.Players{Copies: maps, Owner: nobody{}},
					Pictures: images.New(nil, nil), // drawn as in production, and kept by keptFiles
					Files:    files, Now: time.Now, NewID: uuid.NewString,
				},
				Outcomes: httpapi.NewOutcomes(prometheus.NewRegistry()),
			})
			return uploadtest.Target{Path: "/api/v1/maps/submit", Caller: token.Claims{PlayerID: authorID, Name: "cloudstep"}, Stored: func() int { return files.kept + len(maps.Left().States) }}
		},
	}.Fuzz(f)
}
