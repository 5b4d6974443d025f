// Package fill submits an invented world to a running site through the public API. What the site has already is
// recognised, so that filling a site again adds nothing.
package fill

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// Result counts what was new to the site, and the maps and records that it had already.
type Result struct {
	Players, Maps, Records, Avatars int
	KnownMaps, KnownRecords         int
}

type filling struct {
	stack   stack.Stack
	site    *site.Site
	world   world.World
	players []*player
	mapIDs  []string

	mu     sync.Mutex
	result Result
}

// player is logged in and does one thing at a time.
type player struct {
	mu sync.Mutex
	*site.Visitor
}

// Fill submits a world to the site of a stack. It calls log at the beginning of each stage.
func Fill(ctx context.Context, s stack.Stack, w world.World, log func(stage string)) (Result, error) {
	community, err := NewCommunity(ctx, s, w, log)
	return community.Result, err
}

// Community is what there is on a filled site.
type Community struct {
	Result
	filling *filling
}

func newFilling(s stack.Stack, w world.World) *filling {
	return &filling{
		stack: s, site: site.New(s.Site), world: w,
		players: make([]*player, len(w.Players)), mapIDs: make([]string, len(w.Maps)),
	}
}

// FindCommunity returns the community of a site that was filled before, and reports whether it was: the last player
// with an avatar, which is added last, has it. No other player is logged in then.
func FindCommunity(ctx context.Context, s stack.Stack, w world.World) (_ Community, found bool, err error) {
	f, last := newFilling(s, w), -1
	for i, p := range w.Players {
		if p.Avatar != nil {
			last = i
		}
	}
	if last < 0 {
		return Community{}, false, nil
	}
	if err := f.logIn(ctx, last); err != nil {
		return Community{}, false, err
	}
	return Community{f.result, f}, f.players[last].Player.SkinImageURL != nil, nil
}

// NewCommunity is Fill for a caller that has the players go on.
func NewCommunity(ctx context.Context, s stack.Stack, w world.World, log func(stage string)) (Community, error) {
	f := newFilling(s, w)
	for _, stage := range []struct {
		name  string
		count int
		each  func(ctx context.Context, i int) error
	}{
		{"players", len(f.players), f.logIn}, {"roles", 1, f.giveRoles}, {"maps", len(f.mapIDs), f.submitMap},
		{"versions", len(w.Versions), f.submitVersion},
		{"records", len(w.Records), f.submitRecord}, {"avatars", len(f.players), f.uploadAvatar},
	} {
		log("adding " + stage.name)
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(8)
		for i := range stage.count {
			group.Go(func() error { return stage.each(ctx, i) })
		}
		if err := group.Wait(); err != nil {
			return Community{f.result, f}, fmt.Errorf("%s: %w", stage.name, err)
		}
	}
	return Community{f.result, f}, nil
}

// SubmitRecord has one of the players submit a new record, and returns what it became.
func (c Community) SubmitRecord(ctx context.Context, r *rand.Rand) (api.Submitted, error) {
	f := c.filling
	record := f.world.NewRecord(r, time.Now().UTC())
	if err := f.prepare(ctx, record); err != nil {
		return api.Submitted{}, err
	}
	submission := site.RecordSubmission{Replay: f.world.Replay(record), Map: f.mapIDs[record.Map]}
	var submitted api.Submitted
	err := f.players[record.Player].do(ctx, func(v *site.Visitor) (err error) {
		submitted, err = v.SubmitRecord(ctx, submission)
		return err
	})
	return submitted, err
}

// prepare logs the player of a record in, and looks its map up, where that was not done before.
func (f *filling) prepare(ctx context.Context, record world.Record) error {
	needed := []int{record.Player}
	if f.mapIDs[record.Map] == "" {
		needed = append(needed, f.world.Maps[record.Map].Submitter)
	}
	for _, i := range needed {
		if f.players[i] != nil {
			continue
		}
		if err := f.logIn(ctx, i); err != nil {
			return err
		}
	}
	if f.mapIDs[record.Map] != "" {
		return nil
	}
	return f.submitMap(ctx, record.Map)
}

func (f *filling) logIn(ctx context.Context, i int) error {
	err := again(ctx, func() error {
		// A browser whose login failed still has its room, which must not be entered twice.
		f.players[i] = &player{Visitor: f.site.Visitor()}
		_, err := f.players[i].Login(ctx, f.world.Players[i].Account)
		return err
	})
	return f.count(&f.result.Players, err)
}

// giveRoles makes the first admin by an operator's command. The admin gives the other players their roles.
func (f *filling) giveRoles(ctx context.Context, _ int) error {
	var admin *player
	for i, p := range f.world.Players {
		if len(p.Roles) == 0 {
			continue
		}
		var profile api.Player
		err := f.players[i].do(ctx, func(v *site.Visitor) (err error) {
			profile, err = v.PlayerByID(ctx, v.Player.ID)
			return err
		})
		if err != nil {
			return err
		}
		missing := !slices.Equal(slices.Sorted(slices.Values(profile.Roles)), slices.Sorted(slices.Values(p.Roles)))
		switch {
		case admin == nil:
			admin = f.players[i]
			if missing {
				_, err = f.stack.Operate(ctx, "players", "grant", profile.Name, p.Roles[0])
			}
		case missing:
			err = admin.do(ctx, func(v *site.Visitor) error {
				_, err := v.UpdatePlayer(ctx, profile.ID, site.PlayerUpdate{Roles: p.Roles})
				return err
			})
		}
		if err != nil {
			return err
		}
		if err := again(ctx, func() error { return f.players[i].AwaitRole(ctx, p.Roles[0]) }); err != nil {
			return err
		}
	}
	return nil
}

func (f *filling) submitMap(ctx context.Context, i int) (err error) {
	f.mapIDs[i], err = f.submit(ctx, &f.world.Maps[i])
	return err
}

func (f *filling) submitVersion(ctx context.Context, i int) error {
	_, err := f.submit(ctx, &f.world.Versions[i])
	return err
}

// submit submits a map, counts it and returns its id.
func (f *filling) submit(ctx context.Context, m *world.Map) (id string, err error) {
	err = f.players[m.Submitter].do(ctx, func(v *site.Visitor) error {
		entry, err := v.SubmitMap(ctx, f.world.Submission(m))
		id = entry.ID
		return err
	})
	if id, known := idOf(err, "map_exists"); known {
		return id, f.count(&f.result.KnownMaps, nil)
	}
	return id, f.count(&f.result.Maps, err)
}

func (f *filling) submitRecord(ctx context.Context, i int) error {
	record := f.world.Records[i]
	err := f.players[record.Player].do(ctx, func(v *site.Visitor) error {
		_, err := v.SubmitRecord(ctx, site.RecordSubmission{Replay: f.world.Replay(record), Map: f.mapIDs[record.Map]})
		return err
	})
	if _, known := idOf(err, "replay_exists"); known {
		return f.count(&f.result.KnownRecords, nil)
	}
	return f.count(&f.result.Records, err)
}

func (f *filling) uploadAvatar(ctx context.Context, i int) error {
	avatar := f.world.Players[i].Avatar
	if avatar == nil || f.players[i].Player.SkinImageURL != nil {
		return nil
	}
	err := f.players[i].do(ctx, func(v *site.Visitor) error {
		_, err := v.UpdatePlayer(ctx, v.Player.ID, site.PlayerUpdate{SkinImage: avatar})
		return err
	})
	return f.count(&f.result.Avatars, err)
}

// count raises a number of the result, unless there is an error, which it returns.
func (f *filling) count(number *int, err error) error {
	if err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		*number++
	}
	return err
}

// patience is how long a site may answer that it cannot do something now.
const patience = time.Minute

// again acts until the site's answer is not temporary any more, each time after the Retry-After of the answer, for
// patience at most.
func again(ctx context.Context, act func() error) error {
	for deadline := time.Now().Add(patience); ; {
		err := act()
		problem, ok := errors.AsType[*site.Problem](err)
		if !ok || !temporary(problem) {
			return err
		}
		wait := max(time.Second, problem.RetryAfter)
		if time.Now().Add(wait).After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// temporary reports whether the site may answer something else later. The maps service learns of a validator's role
// from an event, which may arrive after the token has the role.
func temporary(problem *site.Problem) bool {
	return problem.Status == http.StatusServiceUnavailable || problem.Status == http.StatusTooManyRequests ||
		problem.Code == "not_author_or_validator"
}

// do acts as the player, and again where the site cannot now, or with a new access token where the old one has expired.
func (p *player) do(ctx context.Context, act func(*site.Visitor) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := again(ctx, func() error { return act(p.Visitor) })
	if _, expired := idOf(err, "token_expired"); !expired {
		return err
	}
	if err := again(ctx, func() error { return p.Refresh(ctx) }); err != nil {
		return err
	}
	return again(ctx, func() error { return act(p.Visitor) })
}

// idOf reports whether the site refused something with a code, and returns the _id that it names.
func idOf(err error, code string) (id string, ok bool) {
	problem := (*site.Problem)(nil)
	if !errors.As(err, &problem) || problem.Code != code {
		return "", false
	}
	return problem.ID(), true
}
