package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/natstest"
	"capzone.dev/platform/pgtest"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/s3test"
	"capzone.dev/platform/service"
	"capzone.dev/platform/token"
	"capzone.dev/services/records/internal/app"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
	"capzone.dev/services/records/migrations"
)

// bundle is the service with everything around it.
type bundle struct {
	t   *testing.T
	cfg app.Config
	// URL is where the first replica's API listens, OpsURL its operations port.
	URL, OpsURL string
	Pool        *pgxpool.Pool
	NATSServer  *natstest.Server
	NATS        *nats.Conn
	JetStream   jetstream.JetStream
	signer      *token.Signer
	neighbours  *neighbours
}

// setup starts the service as its binary runs, with servers of the test's own
// and neighbours who answer.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, NATSServer: natstest.Start(t)}
	url := pgtest.Database(t, "records", func(ctx context.Context, url string) error {
		return postgres.Migrate(ctx, url, migrations.FS)
	})
	var err error
	b.Pool, err = postgres.Open(t.Context(), url)
	must(t, err)
	t.Cleanup(b.Pool.Close)

	b.NATS, err = eventbus.Connect(b.NATSServer.URL(), "records-test", slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(b.NATS.Close)
	b.JetStream, err = eventbus.JetStream(b.NATS)
	must(t, err)
	must(t, eventbus.ProvisionWhenUp(t.Context(), b.JetStream, 1))
	b.neighbours = startNeighbours(t, b.NATS)

	key, err := token.NewKey()
	must(t, err)
	b.signer, err = token.NewSigner([]token.Key{key}, time.Now)
	must(t, err)
	keys := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(b.signer.JWKS())
	}))
	t.Cleanup(keys.Close)

	storage := s3test.Start(t)
	b.cfg = app.Config{
		Config: service.Config{
			HTTPAddr: "127.0.0.1:0", OpsAddr: "127.0.0.1:0", DatabaseURL: url, NATSURL: b.NATSServer.URL(),
			LogConfig: service.LogConfig{LogLevel: slog.LevelError + 1},
		},
		KeysConfig: service.KeysConfig{JWKSURL: keys.URL},
		StorageConfig: service.StorageConfig{
			Endpoint: storage.Endpoint, AccessKey: storage.AccessKey, SecretKey: storage.SecretKey, Bucket: s3test.Bucket(t),
		},
	}
	b.URL, b.OpsURL = b.startReplica()
	return b
}

// startReplica runs the service until the test ends and returns where it listens.
func (b *bundle) startReplica() (apiURL, opsURL string) {
	b.t.Helper()
	cfg := b.cfg
	listening := make(chan [2]string, 1)
	cfg.OnListen = func(api, ops net.Addr) {
		listening <- [2]string{"http://" + api.String(), "http://" + ops.String()}
	}
	ctx, stop := context.WithCancel(b.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- app.Run(ctx, cfg) }()
	b.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			b.t.Errorf("the service ended with: %v", err)
		}
	})
	select {
	case urls := <-listening:
		return urls[0], urls[1]
	case err := <-ended:
		ended <- nil
		b.t.Fatalf("the service did not start: %v", err)
		return "", ""
	}
}

// neighbours are the maps and the players service, as far as they are asked.
type neighbours struct {
	mu      sync.Mutex
	maps    []event.MapState
	players []event.PlayerState
}

func startNeighbours(t *testing.T, nc *nats.Conn) *neighbours {
	t.Helper()
	n := &neighbours{}
	log := slog.New(slog.DiscardHandler)
	stop, err := eventbus.ServeRPC(nc, event.GetMapSubject, "maps", log, func(_ context.Context, req event.GetMap) (event.MapState, error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, m := range n.maps {
			if m.ID == req.ID || req.ID == "" && m.BonkDBID == req.BonkDBID {
				return m, nil
			}
		}
		return event.MapState{}, record.ErrMapUnknown
	})
	must(t, err)
	t.Cleanup(stop)
	stop, err = eventbus.ServeRPC(nc, event.GetPlayerSubject, "players", log, func(_ context.Context, req event.GetPlayer) (event.PlayerState, error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, p := range n.players {
			if p.ID == req.ID {
				return p, nil
			}
		}
		return event.PlayerState{}, record.ErrPlayerUnknown
	})
	must(t, err)
	t.Cleanup(stop)
	return n
}

// newPlayer makes a player whom their owner knows.
func (b *bundle) newPlayer(name string) event.PlayerState {
	b.t.Helper()
	p := event.PlayerState{ID: newID(), Version: 1, Name: name, Level: 1, SkinColor: "#8e24aa", Registered: true, Roles: []string{}}
	b.neighbours.mu.Lock()
	defer b.neighbours.mu.Unlock()
	b.neighbours.players = append(b.neighbours.players, p)
	return p
}

// course is a map as a test draws it, with what its owner tells of it.
type course struct {
	event.MapState
	drawing *bonkmap.Map
}

// newMap makes a map that its owner knows.
func (b *bundle) newMap(name string) course {
	b.t.Helper()
	b.neighbours.mu.Lock()
	defer b.neighbours.mu.Unlock()
	drawing := recordtest.Course(1000+len(b.neighbours.maps), name, 600)
	m := event.MapState{
		ID: newID(), Version: 1, Name: name, BonkDBID: int64(drawing.ID), GameMode: "Classic",
		Fingerprint: drawing.PhysicsFingerprint().String(),
		Medals:      &event.Medals{Author: 40_000, Gold: 42_400, Silver: 48_000, Bronze: 60_000},
	}
	b.neighbours.maps = append(b.neighbours.maps, m)
	return course{m, drawing}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// runs counts the replays of a test binary, so that each has a moment of its own.
var moments = struct {
	sync.Mutex
	last time.Time
}{last: time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)}

// replay makes a file of a run of its own moment.
func (b *bundle) replay(m course, player string, finishTime int) []byte {
	b.t.Helper()
	moments.Lock()
	defer moments.Unlock()
	moments.last = moments.last.Add(time.Second)
	return recordtest.File(b.t, recordtest.Replay(m.drawing, player, finishTime, moments.last))
}

// answer is what the API answers.
type answer struct {
	Status     int
	Header     http.Header
	Raw        []byte
	Success    bool
	Code       string
	Message    string
	Errors     []map[string]string
	Data       json.RawMessage
	Pagination map[string]int64
}

// wireRecord is a run as the API tells it.
type wireRecord struct {
	ID     string `json:"_id"`
	Player struct {
		ID           string  `json:"_id"`
		Name         string  `json:"name"`
		SkinImageURL *string `json:"skinImageUrl"`
		SkinColor    *string `json:"skinColor"`
	} `json:"player"`
	Map struct {
		ID   string `json:"_id"`
		Name string `json:"name"`
	} `json:"map"`
	FinishTime      int64     `json:"finishTime"`
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
	CreatedAt       time.Time `json:"createdAt"`
	UpdatedAt       time.Time `json:"updatedAt"`
	Medal           *string   `json:"medal"`
	Rank            int64     `json:"rank"`
	PersonalBest    bool      `json:"personalBest"`
}

// wireSubmitted is what the API tells of a submission.
type wireSubmitted struct {
	Record struct {
		ID     string  `json:"_id"`
		Player string  `json:"player"`
		Map    string  `json:"map"`
		Medal  *string `json:"medal"`
	} `json:"record"`
	Rank         int64  `json:"rank"`
	PersonalBest bool   `json:"personalBest"`
	PreviousBest *int64 `json:"previousBest"`
	WorldRecord  bool   `json:"worldRecord"`
}

// data reads the answer's data.
func data[T any](t *testing.T, a answer) (v T) {
	t.Helper()
	if err := json.Unmarshal(a.Data, &v); err != nil {
		t.Fatalf("%d %s: %v", a.Status, a.Raw, err)
	}
	return v
}

func (b *bundle) get(path string, header ...string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, b.URL+path, nil, header...)
}

// submit sends a replay in the name of a player, with further fields of the form.
func (b *bundle) submit(by event.PlayerState, replay []byte, fields ...string) answer {
	b.t.Helper()
	body, contentType := form(b.t, replay, fields...)
	return b.do(http.MethodPost, b.URL+"/api/v1/records/submit", body, "Content-Type", contentType, "Authorization", "Bearer "+b.token(by))
}

// submitted is submit of a run that is accepted.
func (b *bundle) submitted(by event.PlayerState, m course, finishTime int) wireSubmitted {
	b.t.Helper()
	a := b.submit(by, b.replay(m, by.Name, finishTime))
	if a.Status != http.StatusCreated {
		b.t.Fatalf("%d %s", a.Status, a.Raw)
	}
	return data[wireSubmitted](b.t, a)
}

func (b *bundle) leaderboard(m course) []wireRecord {
	b.t.Helper()
	return data[[]wireRecord](b.t, b.get("/api/v1/records?map="+m.ID))
}

func (b *bundle) token(of event.PlayerState) string {
	b.t.Helper()
	signed, err := b.signer.Sign(token.Claims{PlayerID: of.ID, Name: of.Name, Roles: of.Roles})
	must(b.t, err)
	return signed
}

func (b *bundle) do(method, url string, body io.Reader, header ...string) answer {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, url, body)
	must(b.t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	must(b.t, err)
	defer resp.Body.Close()
	a := answer{Status: resp.StatusCode, Header: resp.Header}
	a.Raw, err = io.ReadAll(resp.Body)
	must(b.t, err)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(a.Raw, &a); err != nil {
			b.t.Fatalf("%s: %v", a.Raw, err)
		}
	}
	return a
}

// form makes a form of a replay, where there is one, and of names and values.
func form(t *testing.T, replay []byte, fields ...string) (body io.Reader, contentType string) {
	t.Helper()
	var buffer bytes.Buffer
	writer := multipart.NewWriter(&buffer)
	if replay != nil {
		part, err := writer.CreateFormFile("replayFile", "run.lbReplay")
		must(t, err)
		_, err = part.Write(replay)
		must(t, err)
	}
	for i := 0; i < len(fields); i += 2 {
		must(t, writer.WriteField(fields[i], fields[i+1]))
	}
	must(t, writer.Close())
	return &buffer, writer.FormDataContentType()
}

// command runs an operator's command and returns what it said.
func (b *bundle) command(name string, args ...string) (string, error) {
	b.t.Helper()
	b.t.Setenv("DATABASE_URL", b.cfg.DatabaseURL)
	b.t.Setenv("NATS_URL", b.cfg.NATSURL)
	return b.commandAsIs(name, args...)
}

// commandAsIs is command in the environment as it is.
func (b *bundle) commandAsIs(name string, args ...string) (string, error) {
	b.t.Helper()
	var out bytes.Buffer
	for _, c := range app.Commands(&out) {
		if c.Name == name {
			err := c.Run(b.t.Context(), args)
			return out.String(), err
		}
	}
	b.t.Fatalf("there is no command %s", name)
	return "", nil
}

// count counts rows.
func (b *bundle) count(sql string, args ...any) (n int) {
	b.t.Helper()
	must(b.t, b.Pool.QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
