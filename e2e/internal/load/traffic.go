package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/e2e/site"
)

const (
	submission = "submission"

	requestPause = 50 * time.Millisecond
	retryPause   = 200 * time.Millisecond
	// requestTimeout is how long a visitor waits for an answer.
	requestTimeout = 10 * time.Second
	// renewEvery is well below the life of an access token.
	renewEvery = 20 * time.Second
	// settleTimeout bounds the attempts to submit a record after the traffic has ended.
	settleTimeout = time.Minute
)

// Traffic is visitors who read pages and players who submit records, until it is stopped.
type Traffic struct {
	t       *testing.T
	site    *site.Site
	users   *Community
	ctx     context.Context // ends with the traffic
	cancel  func()
	workers sync.WaitGroup

	mu     sync.Mutex
	counts Counts
	wrong  []string // what must not happen in any case
	// lostSessions is the number of players who had to log in again.
	lostSessions int
}

// Counts are numbers of requests. A submission is made again until it is accepted.
type Counts struct {
	Served   int
	Deferred []string // submissions that were answered 503 with a time to try again
	Failures []string // all others that were not served
	Slowest  time.Duration
}

// Start starts two readers and every player of the community.
func (c *Community) Start(t *testing.T, s *site.Site) *Traffic {
	t.Helper()
	tr := &Traffic{t: t, site: s, users: c}
	tr.ctx, tr.cancel = context.WithCancel(t.Context())
	for range 2 {
		tr.repeat(tr.reader())
	}
	for _, p := range c.Players {
		tr.repeat(tr.submitter(p))
	}
	t.Cleanup(tr.Stop)
	return tr
}

// Stop waits until every record that was begun is accepted, and reports what must not happen.
func (tr *Traffic) Stop() {
	tr.cancel()
	tr.workers.Wait()
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, wrong := range tr.wrong {
		tr.t.Error(wrong)
	}
	tr.wrong = nil
}

func (tr *Traffic) repeat(do func()) {
	tr.workers.Go(func() {
		for tr.ctx.Err() == nil {
			do()
			Sleep(tr.ctx, requestPause)
		}
	})
}

// once makes a request and counts it.
func (tr *Traffic) once(what string, request func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tr.ctx), requestTimeout)
	defer cancel()
	began := time.Now()
	err := request(ctx)
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.counts.Slowest = max(tr.counts.Slowest, time.Since(began))
	line := fmt.Sprintf("%s %s: %v", time.Now().Format("15:04:05.0"), what, err)
	var problem *site.Problem
	switch {
	case err == nil:
		tr.counts.Served++
	case what == submission && errors.As(err, &problem) && problem.Status == http.StatusServiceUnavailable &&
		problem.RetryAfter > 0:
		tr.counts.Deferred = append(tr.counts.Deferred, line)
	default:
		tr.counts.Failures = append(tr.counts.Failures, line)
	}
	return err
}

// reader returns a function that reads a page, another one each time.
func (tr *Traffic) reader() func() {
	visitor, turn := tr.site.Visitor(), 0
	return func() {
		turn++
		m, player := tr.users.Maps[turn%mapCount], tr.users.Players[turn%playerCount]
		paths := []string{
			"/stats", "/maps/" + m.ID, "/players/" + player.ID, "/maps/search?name=" + m.Name[:2],
			"/records?sortBy=finishTime,finishTimeStamp&sortDir=asc,asc&limit=10&map=" + m.ID,
		}
		path := paths[turn%len(paths)]
		_ = tr.once(path, func(ctx context.Context) error {
			answer, err := visitor.Send(ctx, site.Request{Path: strings.ReplaceAll(path, " ", "%20")})
			if err != nil {
				return err
			}
			return answer.Problem()
		})
	}
}

// submitter returns a function that submits a record of the player, and renews the session now and then.
func (tr *Traffic) submitter(p *Player) func() {
	visitor := tr.site.Visitor()
	visitor.SetJar(p.cookies)
	var renewed time.Time
	return func() {
		if visitor.Token == "" || time.Since(renewed) > renewEvery {
			if tr.once("refresh", func(ctx context.Context) error { return tr.renew(ctx, visitor, p) }) != nil {
				return
			}
			renewed = time.Now()
		}
		tr.submit(visitor, p)
	}
}

// renew gets a new access token. Where the session was lost, with the answer that had its new cookie, the player logs
// in again.
func (tr *Traffic) renew(ctx context.Context, visitor *site.Visitor, p *Player) error {
	err := visitor.Refresh(ctx)
	if errors.Is(err, site.ErrNoSession) {
		_, err = visitor.Login(ctx, p.Account)
		tr.mu.Lock()
		tr.lostSessions++
		tr.mu.Unlock()
	}
	return err
}

// submit submits a record until it is accepted. After a failed attempt the site may have it already.
func (tr *Traffic) submit(visitor *site.Visitor, p *Player) {
	r, file := tr.users.nextRecord(p)
	var givenUp <-chan time.Time
	for attempt := 0; ; attempt++ {
		err := tr.once(submission, func(ctx context.Context) error {
			outcome, err := visitor.SubmitRecord(ctx, site.RecordSubmission{Replay: file, Map: r.mapID})
			r.id = outcome.Record.ID
			var known *site.Problem
			if attempt > 0 && errors.As(err, &known) && known.Code == "replay_exists" {
				r.id, err = known.ID(), nil
			}
			return err
		})
		if err == nil {
			tr.users.add(r)
			return
		}
		var problem *site.Problem
		if errors.As(err, &problem) && problem.Status < http.StatusInternalServerError {
			tr.report("a record was refused: %v", err)
			return
		}
		if tr.ctx.Err() != nil && givenUp == nil {
			givenUp = time.After(settleTimeout)
		}
		select {
		case <-givenUp:
			tr.report("a record was never accepted: %v", err)
			return
		case <-time.After(retryPause):
		}
	}
}

func (tr *Traffic) report(format string, arguments ...any) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.wrong = append(tr.wrong, fmt.Sprintf(format, arguments...))
}

// TakeCounts returns the numbers of requests since the last call.
func (tr *Traffic) TakeCounts() Counts {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	c := tr.counts
	tr.counts = Counts{}
	return c
}

// CheckServed expects that no request failed and no submission was deferred since the last call of TakeCounts.
func (tr *Traffic) CheckServed(meanwhile string) {
	tr.t.Helper()
	counts := tr.TakeCounts()
	if len(counts.Failures) > 0 || len(counts.Deferred) > 0 {
		tr.t.Errorf("these requests failed while %s: %v\nand these submissions were deferred: %v", meanwhile,
			counts.Failures, counts.Deferred)
	}
	tr.t.Logf("%d requests were served while %s", counts.Served, meanwhile)
}

// AwaitServed waits until the site accepts records and serves pages again.
func (tr *Traffic) AwaitServed(what string) {
	tr.t.Helper()
	before := tr.users.count()
	tr.TakeCounts()
	Await(tr.t, what, func() bool {
		tr.mu.Lock()
		defer tr.mu.Unlock()
		return tr.users.count() >= before+playerCount && tr.counts.Served >= 20
	})
}

// awaitTimeout bounds the wait for containers on a busy machine.
const awaitTimeout = 90 * time.Second

// Await waits until a condition holds, and fails the test where it does not.
func Await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	if !Holds(t.Context(), condition) {
		t.Fatalf("timeout while waiting for %s", what)
	}
}

// Holds waits for a condition and reports whether it became true.
func Holds(ctx context.Context, condition func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, awaitTimeout)
	defer cancel()
	for !condition() {
		if Sleep(ctx, retryPause); ctx.Err() != nil {
			return false
		}
	}
	return true
}

// Sleep waits for a time, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
