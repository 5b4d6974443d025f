package httpapi_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/devstack/uploadtest"
	"capzone.dev/platform/token"
	"capzone.dev/services/records/internal/httpapi"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

const (
	runnerID = "01970000-0000-7000-8000-000000000001"
	mapID    = "01970000-0000-7000-8000-00000000000a"
)

// nobody knows nothing that is not in the copies.
type nobody struct{}

func (nobody) Map(context.Context, string) (record.Map, error) {
	return record.Map{}, record.ErrMapUnknown
}
func (nobody) MapByGameID(context.Context, int64) (record.Map, error) {
	return record.Map{}, record.ErrMapUnknown
}

func (nobody) Player(context.Context, string) (record.Player, error) {
	return record.Player{}, record.ErrPlayerUnknown
}

func FuzzSubmitRecord(f *testing.F) {
	course := recordtest.Course(1_001, "Skyline Run", 600)
	runAt := time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)
	uploadtest.Endpoint{
		Method: http.MethodPost, MaxBody: httpapi.MaxBody,
		Files:  map[string][]byte{"replayFile": recordtest.File(f, recordtest.Replay(course, "Ann", 41_267, runAt))},
		Fields: map[string]string{"map": mapID},
		Setup: func(t *testing.T, engine *gin.Engine) uploadtest.Target {
			t.Helper()
			store := recordtest.NewMemory()
			if err := store.TakeMap(t.Context(), recordtest.Copy(mapID, course)); err != nil {
				t.Fatal(err)
			}
			if err := store.TakePlayer(t.Context(), record.Player{ID: runnerID, Version: 1, Name: "Ann", Registered: true}); err != nil {
				t.Fatal(err)
			}
			httpapi.Register(engine, httpapi.UseCases{
				Submitter: &record.Submitter{
					Maps:    &record.Maps{Copies: store, Owner: nobody{}},
					Players: &record.Players{Copies: store, Owner: nobody{}},
					Runs:    store, Replays: store, Now: time.Now, NewID: uuid.NewString,
				},
				Outcomes: httpapi.NewOutcomes(prometheus.NewRegistry()),
			})
			return uploadtest.Target{Path: "/api/v1/records/submit", Caller: token.Claims{PlayerID: runnerID, Name: "Ann"}, Stored: store.Kept}
		},
	}.Fuzz(f)
}
