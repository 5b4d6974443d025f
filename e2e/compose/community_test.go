package compose

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
)

const (
	players = 3
	maps    = 4
	// prepared is the number of records to submit, more than the tests need.
	prepared = 60_000
)

// community is the players of the site, with the records that it has accepted from them.
type community struct {
	world   world.World
	players []*player
	maps    []api.ParkourMap

	mu       sync.Mutex
	accepted []record
}

// player is one of the community, with the cookies of a session and records to submit. It is for one goroutine at a
// time.
type player struct {
	api.LoggedInPlayer
	account site.Account
	cookies http.CookieJar
	records []world.Record
}

// record is an accepted record.
type record struct {
	id, playerID, mapID string
	finishTime          int
	hash                [sha256.Size]byte
}

// settle logs the players in at an empty site and submits their maps.
func settle(ctx context.Context, s *site.Site) (*community, error) {
	c := &community{world: world.New(31, world.Size{Players: players, Maps: maps, Records: prepared})}
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
		c.players = append(c.players, &player{
			LoggedInPlayer: known, account: p.Account, cookies: cookies, records: filter(c.world.Records, isOfPlayer),
		})
	}
	for i := range c.world.Maps {
		m := &c.world.Maps[i]
		entry, err := visitors[m.Submitter].SubmitMap(ctx, c.world.Submission(m))
		if err != nil {
			return nil, err
		}
		c.maps = append(c.maps, entry)
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
func (c *community) nextRecord(p *player) (record, []byte) {
	run := p.records[0]
	p.records = p.records[1:]
	file := c.world.Replay(run)
	return record{playerID: p.ID, mapID: c.maps[run.Map].ID, finishTime: run.Time, hash: sha256.Sum256(file)}, file
}

// add notes that the site has accepted a record.
func (c *community) add(r record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accepted = append(c.accepted, r)
}

// count is the number of accepted records.
func (c *community) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.accepted)
}

// verify reads every accepted record and its file from a site, and compares them with what was submitted.
func (c *community) verify(t *testing.T, s *site.Site) {
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
				return fmt.Errorf("the record %+v is %+v", want, got)
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
