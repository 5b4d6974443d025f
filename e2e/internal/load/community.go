// Package load puts a site under the load of visitors who read and of players whose records must not be lost.
package load

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
)

const (
	playerCount = 3
	mapCount    = 4
	// prepared is the number of records to submit, more than the tests need.
	prepared = 60_000
)

// Community is the players of the site, with the records that it has accepted from them.
type Community struct {
	world   world.World
	Players []*Player
	Maps    []api.ParkourMap

	mu       sync.Mutex
	accepted []record
}

// Player is one of the community, with the cookies of a session and records to submit. It is for one goroutine at a
// time.
type Player struct {
	api.LoggedInPlayer
	Account site.Account
	cookies http.CookieJar
	records []world.Record
}

// record is an accepted record.
type record struct {
	id, playerID, mapID string
	finishTime          int
	hash                [sha256.Size]byte
}

// Settle logs the players in at an empty site and submits their maps.
func Settle(ctx context.Context, s *site.Site) (*Community, error) {
	c := &Community{world: world.New(31, world.Size{Players: playerCount, Maps: mapCount, Records: prepared})}
	var visitors []*site.Visitor
	for i, p := range c.world.Players {
		cookies, err := cookiejar.New(nil)
		if err != nil {
			return nil, err
		}
		visitor := s.Visitor()
		visitor.SetJar(cookies)
		known, err := visitor.Login(ctx, p.Account)
		if err != nil {
			return nil, err
		}
		visitors = append(visitors, visitor)
		isOfPlayer := func(r world.Record) bool { return r.Player == i }
		c.Players = append(c.Players, &Player{
			LoggedInPlayer: known, Account: p.Account, cookies: cookies, records: filter(c.world.Records, isOfPlayer),
		})
	}
	for i := range c.world.Maps {
		m := &c.world.Maps[i]
		entry, err := visitors[m.Submitter].SubmitMap(ctx, c.world.Submission(m))
		if err != nil {
			return nil, err
		}
		c.Maps = append(c.Maps, entry)
	}
	return c, nil
}

func filter[T any](list []T, keep func(T) bool) (kept []T) {
	for _, one := range list {
		if keep(one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// nextRecord returns a record of the player that was never submitted, with its file.
func (c *Community) nextRecord(p *Player) (record, []byte) {
	run := p.records[0]
	p.records = p.records[1:]
	file := c.world.Replay(run)
	return record{playerID: p.ID, mapID: c.Maps[run.Map].ID, finishTime: run.Time, hash: sha256.Sum256(file)}, file
}

// add notes that the site has accepted a record.
func (c *Community) add(r record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accepted = append(c.accepted, r)
}

// count is the number of accepted records.
func (c *Community) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.accepted)
}

// Verify reads every accepted record and its file from a site, and compares them with what was submitted.
func (c *Community) Verify(t *testing.T, s *site.Site) {
	t.Helper()
	c.mu.Lock()
	accepted := c.accepted
	c.mu.Unlock()
	visitor := s.Visitor()
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(4)
	for _, want := range accepted {
		group.Go(func() error {
			got, err := visitor.RecordByID(ctx, want.id)
			if err != nil {
				return fmt.Errorf("record %s was accepted: %w", want.id, err)
			}
			if got.Player.ID != want.playerID || got.Map.ID != want.mapID || got.FinishTime != want.finishTime {
				return fmt.Errorf("the record is %+[2]v, not %+[1]v", want, got)
			}
			file, err := visitor.DownloadReplay(ctx, want.id)
			if err != nil {
				return fmt.Errorf("the replay of record %s: %w", want.id, err)
			}
			if sha256.Sum256(file.Body) != want.hash {
				return fmt.Errorf("the replay of record %s has %d other bytes", want.id, len(file.Body))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("%d accepted records are on the site, with their replays", len(accepted))
}

// VerifyCount expects that the site has the accepted records and those of the maps' authors, and no other ones: a
// submission that was made again counts once.
func (c *Community) VerifyCount(t *testing.T, s *site.Site) {
	t.Helper()
	for i, m := range c.Maps {
		want := 1
		for _, r := range c.accepted {
			if r.mapID == m.ID {
				want++
			}
		}
		got := 0
		if !Holds(t.Context(), func() bool {
			counted, err := s.Visitor().MapByID(t.Context(), m.ID)
			got = counted.RecordCount
			return err == nil && got == want
		}) {
			t.Errorf("map %d has %d records, want %d", i, got, want)
		}
	}
}

// settlePause is longer than an event takes to arrive.
const settlePause = 500 * time.Millisecond

// Pages returns a site's pages of the community, as they are once every event has arrived.
func (c *Community) Pages(t *testing.T, s *site.Site) string {
	t.Helper()
	paths := []string{"/records?limit=100", "/maps/search?limit=100", "/players/search?limit=100", "/stats"}
	for _, m := range c.Maps {
		paths = append(
			paths,
			"/maps/"+m.ID,
			"/records?sortBy=finishTime,finishTimeStamp&sortDir=asc,asc&limit=100&map="+m.ID,
		)
	}
	for _, p := range c.Players {
		paths = append(paths, "/players/"+p.ID)
	}
	visitor := s.Visitor()
	read := func() string {
		var text strings.Builder
		for _, path := range paths {
			answer, err := visitor.Send(t.Context(), site.Request{Path: path})
			if err == nil {
				err = answer.Problem()
			}
			if err != nil {
				return err.Error()
			}
			text.WriteString(path + " " + string(answer.Body) + "\n")
		}
		return text.String()
	}
	settled := read()
	Await(t, "the pages to be the same twice", func() bool {
		Sleep(t.Context(), settlePause)
		last := settled
		settled = read()
		return settled == last
	})
	return settled
}
