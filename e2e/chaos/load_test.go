package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/e2e/site"
)

// How often each visitor does something. Together they keep two cores busy without overloading the system.
const (
	readPause   = 30 * time.Millisecond
	submitPause = 100 * time.Millisecond
	renewPause  = 200 * time.Millisecond
	loginPause  = 300 * time.Millisecond
	mapPause    = 700 * time.Millisecond

	readers = 3
	// requestTimeout is how long a visitor waits for one answer.
	requestTimeout = 10 * time.Second
	// retryPause is the pause before another try.
	retryPause = 100 * time.Millisecond
	// retryTimeout ends the tries of what was begun when the load stops.
	retryTimeout = 40 * time.Second
)

// workload is the visitors' work, all at the same time.
type workload struct {
	tally   *tally
	ctx     context.Context // ends with the load
	finish  context.Context // ends with what was begun
	stop    func()
	workers sync.WaitGroup
}

// begin starts the work of all visitors, until end.
func begin(t *testing.T) *workload {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l := &workload{tally: newTally(), ctx: ctx, finish: t.Context(), stop: stop}
	for i := range readers {
		l.repeat(readPause, l.reader(uint64(i)))
	}
	for _, r := range users.players {
		l.repeat(submitPause, func() { l.submitRecord(r) })
	}
	l.repeat(mapPause, l.submitMap)
	l.repeat(submitPause, l.inboxReader())
	l.repeat(loginPause, l.login)
	l.repeat(renewPause, func() {
		l.once(refreshes, func(ctx context.Context) error { return users.member.Refresh(ctx) })
	})
	t.Cleanup(l.end)
	return l
}

// end waits until everything that was begun is settled.
func (l *workload) end() {
	l.stop()
	l.workers.Wait()
}

func (l *workload) repeat(pause time.Duration, do func()) {
	l.workers.Go(func() {
		for l.ctx.Err() == nil {
			do()
			select {
			case <-l.ctx.Done():
			case <-time.After(pause):
			}
		}
	})
}

// once does something and counts it.
func (l *workload) once(c class, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(l.finish, requestTimeout)
	defer cancel()
	began := time.Now()
	err := do(ctx)
	l.tally.note(c, began, err)
	return err
}

// reader reads pages and files, a different one each time.
func (l *workload) reader(seed uint64) func() {
	r := rand.New(rand.NewPCG(seed, 0))
	v := capzone.Visitor()
	turn := int(seed)
	return func() {
		m := users.maps[r.IntN(len(users.maps))]
		who := users.players[r.IntN(len(users.players))].Player
		pages := []struct {
			class class
			path  string
			root  bool
		}{
			{recordPages, "/records?map=" + m.ID + "&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc&limit=10", false},
			{mapPages, "/maps/" + m.ID, false},
			{playerPages, "/players/" + who.ID, false},
			{recordPages, "/records?player=" + who.ID + "&limit=10", false},
			{mapPages, "/maps/search?name=" + url.QueryEscape(m.Name[:2]), false},
			{files, m.ThumbnailURL, true},
			{playerPages, "/players/search?name=" + url.QueryEscape(who.Name[:2]), false},
			{recordPages, "/stats", false},
			{files, l.someReplay(r), false},
		}
		page := pages[turn%len(pages)]
		turn++
		if page.path == "" {
			return
		}
		_ = l.once(page.class, func(ctx context.Context) error {
			answer, err := v.Send(ctx, site.Request{Path: page.path, AtRoot: page.root})
			if err != nil {
				return err
			}
			if err := answer.Problem(); err != nil {
				return err
			}
			if len(answer.Body) == 0 {
				return fmt.Errorf("%s: an empty answer", page.path)
			}
			return nil
		})
	}
}

// inboxReader reads inboxes and their counts in turns.
func (l *workload) inboxReader() func() {
	v := capzone.Visitor()
	turn := 0
	return func() {
		v.Token = users.players[turn%len(users.players)].Token
		path := []string{"/inbox", "/inbox/count"}[turn%2]
		turn++
		_ = l.once(inboxes, func(ctx context.Context) error {
			answer, err := v.Send(ctx, site.Request{Path: path})
			if err != nil {
				return err
			}
			return answer.Problem()
		})
	}
}

// someReplay is where a replay can be downloaded; empty before there is one.
func (l *workload) someReplay(r *rand.Rand) string {
	users.accepted.mu.Lock()
	defer users.accepted.mu.Unlock()
	if len(users.accepted.records) == 0 {
		return ""
	}
	return "/download/replays/" + users.accepted.records[r.IntN(len(users.accepted.records))].id
}

// submitRecord submits a record again and again until it is accepted.
func (l *workload) submitRecord(r *player) {
	file, want := users.nextRecord(r)
	id := l.submit(submissions, "replay_exists", func(ctx context.Context) (string, error) {
		outcome, err := r.SubmitRecord(ctx, site.RecordSubmission{Replay: file, Map: want.mapID})
		if err == nil && (outcome.Record.Player != want.player || outcome.Record.Map != want.mapID ||
			outcome.Record.FinishTime != want.ms) {
			users.accepted.fail("record %+v is returned as %+v", want, outcome.Record)
		}
		return outcome.Record.ID, err
	})
	if want.id = id; id != "" {
		users.accepted.addRecord(want)
	}
}

// submitMap submits a map again and again until it is accepted.
func (l *workload) submitMap() {
	submission := users.nextSubmission()
	id := l.submit(newMaps, "map_exists", func(ctx context.Context) (string, error) {
		entry, err := users.author.SubmitMap(ctx, submission)
		return entry.ID, err
	})
	if id != "" {
		users.accepted.addMap(id, submission.Replay)
	}
}

// submit tries until something is accepted. From the second try on it may exist already, if the answer to the first one
// was lost.
func (l *workload) submit(c class, there string, try func(ctx context.Context) (id string, err error)) string {
	var givenUp <-chan time.Time
	for tries := 0; ; tries++ {
		var id string
		err := l.once(c, func(ctx context.Context) (err error) {
			id, err = try(ctx)
			var known *site.Problem
			if tries > 0 && errors.As(err, &known) && known.Code == there {
				id, err = known.ID(), nil
			}
			return err
		})
		if err == nil {
			if id == "" {
				users.accepted.fail("%s: accepted without an id", c)
			}
			return id
		}
		var refused *site.Problem
		if errors.As(err, &refused) && refused.Status != http.StatusServiceUnavailable {
			users.accepted.fail("%s: %v", c, err)
			return ""
		}
		if l.ctx.Err() != nil && givenUp == nil {
			givenUp = time.After(retryTimeout)
		}
		select {
		case <-givenUp:
			users.accepted.fail("%s: not accepted: %v", c, err)
			return ""
		case <-l.finish.Done():
			return ""
		case <-time.After(retryPause):
		}
	}
}

// login logs a new player in.
func (l *workload) login() {
	v, who := capzone.Visitor(), users.newAccount()
	_ = l.once(logins, func(ctx context.Context) error {
		player, err := v.Login(ctx, who)
		if err == nil {
			users.accepted.addPlayer(player.ID, who.Name)
		}
		return err
	})
}

// isRefusal reports whether an error is 503 with the usual envelope and Retry-After.
func isRefusal(err error) bool {
	var p *site.Problem
	return errors.As(err, &p) && p.Status == http.StatusServiceUnavailable && p.RetryAfter > 0 &&
		p.Code != "" && strings.HasSuffix(p.Message, ".")
}
