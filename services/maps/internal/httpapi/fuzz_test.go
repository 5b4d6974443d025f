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
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/uploadtest"
	"capzone.dev/platform/storedfile"
	"capzone.dev/platform/token"
	"capzone.dev/services/maps/internal/files"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

const authorID = "0198c2f4-0000-7000-8000-000000000001"

// storedFiles counts what is stored, without a database: a fuzzer sends thousands of forms.
type storedFiles struct{ stored int }

func file(key string) storedfile.Upload { return storedfile.Upload{Key: key} }

func (s *storedFiles) PutReplay(context.Context, []byte) (storedfile.Upload, error) {
	s.stored++
	return file("replay"), nil
}

func (s *storedFiles) PutImages(context.Context, []byte, []byte) (full, thumbnail storedfile.Upload, err error) {
	s.stored += 2
	return file("full"), file("thumbnail"), nil
}

func (*storedFiles) Bucket() string { return "capzone-maps" }

func (*storedFiles) KnownVersions(context.Context, parkourmap.Candidate) (parkourmap.KnownVersions, error) {
	return parkourmap.KnownVersions{}, nil
}

func (s *storedFiles) Submit(_ context.Context, c parkourmap.Candidate) (parkourmap.Decision, error) {
	s.stored++
	return c.Decide(parkourmap.KnownVersions{})
}

func (*storedFiles) Entry(_ context.Context, id string) (parkourmap.Entry, error) {
	return parkourmap.Entry{Map: parkourmap.Map{ID: id}}, nil
}

// oneAuthor knows one player.
type oneAuthor struct{}

func (oneAuthor) Player(_ context.Context, id string) (parkourmap.Player, error) {
	if id != authorID {
		return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
	}
	return parkourmap.Player{ID: authorID, Version: 1, Name: "cloudstep"}, nil
}

func (oneAuthor) PlayerNamed(context.Context, string) (parkourmap.Player, error) {
	return parkourmap.Player{}, parkourmap.ErrPlayerUnknown
}

func (oneAuthor) ApplyPlayer(context.Context, parkourmap.Player) error { return nil }

func (oneAuthor) Ensure(_ context.Context, name string) (parkourmap.Player, error) {
	return parkourmap.Player{ID: uuid.NewSHA1(uuid.Nil, []byte(name)).String(), Version: 1, Name: name}, nil
}

// PutDrawing implements parkourmap.Files.
func (s *storedFiles) PutDrawing(
	context.Context, parkourmap.Drawing,
) (svg, picture, thumbnail storedfile.Upload, err error) {
	s.stored += 3
	return file("svg"), file("picture"), file("drawn thumbnail"), nil
}

func FuzzSubmitMap(f *testing.F) {
	var picture bytes.Buffer
	require.NoError(f, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 16, 9))))
	uploadtest.Endpoint{
		Method:  http.MethodPost,
		MaxBody: httpapi.MaxBody,
		Files: map[string][]byte{
			"replayFile": parkourmaptest.File(f, parkourmaptest.Replay(parkourmaptest.Drawing(1000, "Skyline Run", "cloudstep"),
				"cloudstep")),
			"mapImage": picture.Bytes(),
		},
		Fields: map[string]string{
			"metadata": `{"description": "Mind the gap.", "tags": ["speed"], "medalTimes": {"gold": 45000}}`,
		},
		Setup: func(t *testing.T, engine *gin.Engine) uploadtest.Target {
			t.Helper()
			stored := &storedFiles{}
			httpapi.Register(engine, &httpapi.Server{
				Submitter: &parkourmap.Submitter{
					Maps: stored, Players: parkourmap.NewPlayers(oneAuthor{}, oneAuthor{}),
					Images: files.NewImages(), Files: stored, Now: time.Now, NewID: uuid.NewString,
				},
				Metrics: httpapi.NewMetrics(prometheus.NewRegistry()),
			})
			return uploadtest.Target{
				Path: "/api/v1/maps/submit", Caller: token.Claims{PlayerID: authorID, Name: "cloudstep"},
				Stored: func() int { return stored.stored },
			}
		},
	}.Fuzz(f)
}
