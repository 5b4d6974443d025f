package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/internal/community"
	"capzone.dev/e2e/stack"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/token"
)

// Who hands runs in: players who have no other runs, always the same ones, and
// newcomers who have none at all.
const (
	firstWriter   = community.Runners
	firstNewcomer = firstWriter + 1000
)

// newcomer is a player whom no earlier measurement is likely to have seen.
func newcomer() int {
	return firstNewcomer + int(time.Now().Unix())%(community.Players-firstNewcomer-writerCount)
}

// writers hand runs in, each with replays of its own on all courses.
type writers struct {
	site    string
	client  *http.Client
	courses []community.Course
	all     []*writer
	stamps  *stamps
}

// writer is one player.
type writer struct {
	player  int
	token   string
	turn    int
	replays []template // by course
}

// stamps are moments that no other run has, because runs of one moment count as one.
type stamps struct {
	from time.Time
	next atomic.Int64
}

func (s *stamps) new() time.Time { return s.from.Add(time.Duration(s.next.Add(1)) * time.Millisecond) }

// newStamps begins in the past, so long ago as the runs of a year of benchmarks need.
func newStamps() *stamps { return &stamps{from: time.Now().UTC().AddDate(-1, 0, 0)} }

// newWriters logs so many players in, from the first, by tokens of the stack's own key.
func newWriters(s stack.Stack, site string, first, count int) (*writers, error) {
	signer, err := signerOf(s)
	if err != nil {
		return nil, err
	}
	courses, err := community.NewCourses()
	if err != nil {
		return nil, err
	}
	w := &writers{
		site: site, courses: courses, stamps: newStamps(),
		client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: count, DisableCompression: true}},
	}
	for i := range count {
		player := first + i
		raw, err := signer.Sign(token.Claims{PlayerID: community.PlayerID(player), Name: community.PlayerName(player)})
		if err != nil {
			return nil, err
		}
		one := &writer{player: player, token: raw, turn: i}
		for _, c := range courses {
			t, err := newTemplate(c, player)
			if err != nil {
				return nil, err
			}
			one.replays = append(one.replays, t)
		}
		w.all = append(w.all, one)
	}
	return w, nil
}

// signerOf signs as the stack's auth service does.
func signerOf(s stack.Stack) (*token.Signer, error) {
	for _, p := range s.Processes {
		if file := p.Settings["TOKEN_KEYS_FILE"]; file != "" {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			keys, err := token.ParseKeys(text)
			if err != nil {
				return nil, err
			}
			return token.NewSigner(keys, time.Now)
		}
	}
	return nil, errors.New("the stack says nothing of the key that tokens are signed with")
}

// template is a replay whose time and moment are filled in, which is cheaper than
// writing the file anew while others are measured.
type template struct{ head, middle, tail []byte }

// timeOf and stampOf are found in a template once each.
var (
	sampleTime  = racetime.Snap(59*60_000 + 58_000)
	sampleStamp = time.Date(2001, 2, 3, 4, 5, 6, 789_000_000, time.UTC)
)

const stampLayout = "2006-01-02T15:04:05.000Z"

func newTemplate(c community.Course, player int) (template, error) {
	file, err := c.Replay(player, sampleTime, sampleStamp)
	if err != nil {
		return template{}, err
	}
	head, rest, foundTime := bytes.Cut(file, []byte(racetime.Format(sampleTime)))
	middle, tail, foundStamp := bytes.Cut(rest, []byte(sampleStamp.Format(stampLayout)))
	if !foundTime || !foundStamp {
		return template{}, errors.New("a replay has no time or no moment where they were expected")
	}
	return template{head, middle, tail}, nil
}

func (t template) fill(ms int, stamp time.Time) []byte {
	return bytes.Join([][]byte{t.head, []byte(racetime.Format(ms)), t.middle, []byte(stamp.Format(stampLayout)), t.tail}, nil)
}

// submitted is what came of a run.
type submitted struct {
	Record struct {
		ID  string `json:"_id"`
		Map string `json:"map"`
	} `json:"record"`
	Rank         int  `json:"rank"`
	PersonalBest bool `json:"personalBest"`
}

// usual is how much longer than a good run a writer's next one takes: everybody
// gets better slowly, with a worse day now and then.
func (w *writers) usual(i int) float64 {
	turn := w.all[i].turn
	return 1 + 1/(1+float64(turn)/500) + float64(turn%7)/10
}

// submit hands in the next run of the i-th writer, on the next course, which
// takes a factor of the time of a good run.
func (w *writers) submit(ctx context.Context, i int, factor float64) (submitted, error) {
	one := w.all[i]
	one.turn++
	course := one.turn % len(w.courses)
	form, contentType, err := formOf(one.replays[course].fill(w.courses[course].Time(factor), w.stamps.new()))
	if err != nil {
		return submitted{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.site+api+"/records/submit", form)
	if err != nil {
		return submitted{}, err
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Authorization", "Bearer "+one.token)
	resp, err := w.client.Do(req)
	if err != nil {
		return submitted{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return submitted{}, err
	}
	if resp.StatusCode != http.StatusCreated {
		return submitted{}, fmt.Errorf("a run of %s was answered with %s: %s", community.PlayerName(one.player), resp.Status, body)
	}
	var answer struct{ Data submitted }
	err = json.Unmarshal(body, &answer)
	return answer.Data, err
}

func formOf(replay []byte) (form *bytes.Buffer, contentType string, err error) {
	form = &bytes.Buffer{}
	writer := multipart.NewWriter(form)
	part, err := writer.CreateFormFile("replayFile", "run.lbReplay")
	if err == nil {
		_, err = part.Write(replay)
	}
	return form, writer.FormDataContentType(), errors.Join(err, writer.Close())
}

// load lets all writers hand runs in for as long, and returns how long each
// submission took.
func (w *writers) load(ctx context.Context, length time.Duration) (took []time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	end := time.Now().Add(length)
	g, ctx := errgroup.WithContext(ctx)
	for i := range w.all {
		g.Go(func() error {
			var own []time.Duration
			for time.Now().Before(end) {
				began := time.Now()
				if _, err := w.submit(ctx, i, w.usual(i)); err != nil {
					return err
				}
				own = append(own, time.Since(began))
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
			return nil
		})
	}
	return took, g.Wait()
}
