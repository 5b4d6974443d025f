package httpapi_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/uploadtest"
	"capzone.dev/platform/lookup"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/platform/token"
	"capzone.dev/services/records/internal/httpapi"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
	"capzone.dev/services/records/migrations"
)

const (
	playerID = "01970000-0000-7000-8000-000000000001"
	mapID    = "01970000-0000-7000-8000-00000000000a"
)

// storedReplays counts the replays that are stored, and has a pending upload for each.
type storedReplays struct {
	t     *testing.T
	pool  *platform.Pool
	count int
}

func (s *storedReplays) Put(context.Context, string, []byte) (storedfile.Upload, error) {
	s.count++
	return pgtest.PendingUpload(s.t, s.pool, "replays/any.lbReplay"), nil
}

// noOwner owns nothing that is not in the copies.
type noOwner struct{}

func (noOwner) Map(context.Context, string) (record.Map, error) {
	return record.Map{}, record.ErrMapUnknown
}
func (noOwner) MapVersion(context.Context, int64, string) (record.Map, error) {
	return record.Map{}, record.ErrMapUnknown
}

func (noOwner) Player(context.Context, string) (record.Player, error) {
	return record.Player{}, record.ErrPlayerUnknown
}

func FuzzSubmitRecord(f *testing.F) {
	parkourMap := recordtest.Map(1_001, "Skyline Run", 600)
	finishedAt := time.Date(2026, 5, 11, 18, 2, 33, 120_000_000, time.UTC)
	// One database for all inputs: making one takes longer than everything else.
	pool := pgtest.Open(f, "records", migrations.FS)
	store := postgres.NewStore(pool)
	if err := store.ApplyMap(f.Context(), recordtest.Copy(mapID, parkourMap)); err != nil {
		f.Fatal(err)
	}
	if err := store.ApplyPlayer(f.Context(),
		record.Player{ID: playerID, Version: 1, Name: "Ann", Registered: true}); err != nil {
		f.Fatal(err)
	}
	uploadtest.Endpoint{
		Method: http.MethodPost, MaxBody: httpapi.MaxBody,
		Files:  map[string][]byte{"replayFile": recordtest.File(f, recordtest.Replay(parkourMap, "Ann", 41_267, finishedAt))},
		Fields: map[string]string{"map": mapID},
		Setup: func(t *testing.T, engine *gin.Engine) uploadtest.Target {
			t.Helper()
			const forgetRecords = `
				delete from personal_bests;
				delete from world_records;
				delete from records;
				delete from map_totals;
				delete from player_totals;
				delete from outbox;
				delete from pending_uploads`
			if _, err := pool.Exec(t.Context(), forgetRecords); err != nil {
				t.Fatal(err)
			}
			stored := &storedReplays{t: t, pool: pool}
			httpapi.Register(engine, &httpapi.Server{
				Submitter: &record.Submitter{
					Maps: record.NewMaps(store, noOwner{}), Players: lookup.NewPlayers(store, noOwner{}.Player),
					Records: store, Replays: stored, Parser: record.NewParser(), Now: time.Now, NewID: uuid.NewString,
				},
				Metrics: httpapi.NewMetrics(prometheus.NewRegistry()),
			})
			return uploadtest.Target{Path: "/api/v1/records/submit", Caller: token.Claims{PlayerID: playerID, Name: "Ann"},
				Stored: func() int { return stored.count }}
		},
	}.Fuzz(f)
}
