// Package fill brings an invented world into a running site, through the
// public API alone. What the site has already is recognised, so that filling a
// site again adds nothing.
package fill

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
)

// workers is how much is done at once.
const workers = 8

// Operator can make the first admin.
type Operator interface {
	// Operate runs an operator's command of a service.
	Operate(ctx context.Context, kind string, arguments ...string) (output string, err error)
}

// Options say what goes where.
type Options struct {
	Site  *site.Site
	World world.World
	// Operator is nil where there is none: then nobody gets a role, and maps
	// that only a validator may submit are left out.
	Operator Operator
	// Step is called for each thing that is done, in no particular order.
	Step func(what string)
}

// Result counts what was new to the site, and what it had already.
type Result struct {
	Players                         int
	Maps, MapsThere                 int
	Runs, RunsThere, RunsWithoutMap int
	Avatars                         int
}

// Steps is how often Step is called.
func Steps(w world.World) int {
	steps := len(w.Players) + len(w.Maps) + len(w.Runs)
	for _, p := range w.Players {
		if p.Avatar != nil {
			steps++
		}
	}
	return steps
}

// filling is a world on its way.
type filling struct {
	Options
	players []*player
	mapIDs  []string // of the site, empty for a map that is left out

	mu     sync.Mutex
	result Result
}

// player is a logged-in player. The lock is held for as long as the player does something.
type player struct {
	sync.Mutex
	*site.Visitor
}

// Fill brings the world in.
func Fill(ctx context.Context, o Options) (Result, error) {
	f := &filling{Options: o, players: make([]*player, len(o.World.Players)), mapIDs: make([]string, len(o.World.Maps))}
	for _, stage := range []func(context.Context) error{f.logIn, f.giveRoles, f.submitMaps, f.submitRuns, f.uploadAvatars} {
		if err := stage(ctx); err != nil {
			return f.result, err
		}
	}
	return f.result, nil
}

func (f *filling) logIn(ctx context.Context) error {
	return f.each(ctx, len(f.players), func(ctx context.Context, i int) error {
		visitor := f.Site.Visitor()
		if _, err := visitor.Login(ctx, f.World.Players[i].Account); err != nil {
			return err
		}
		f.players[i] = &player{Visitor: visitor}
		f.done("players", func(r *Result) { r.Players++ })
		return nil
	})
}

func (f *filling) submitMaps(ctx context.Context) error {
	return f.each(ctx, len(f.World.Maps), func(ctx context.Context, i int) error {
		m := &f.World.Maps[i]
		if m.Foreign && f.Operator == nil {
			f.done("maps", nil)
			return nil
		}
		var submitted api.ParkourMap
		err := f.players[m.Submitter].try(ctx, func(v *site.Visitor) (err error) {
			submitted, err = v.SubmitMap(ctx, f.World.Submission(m))
			return err
		})
		there, known := exists(err, "map_exists")
		switch {
		case known:
			f.mapIDs[i] = there
			f.done("maps", func(r *Result) { r.MapsThere++ })
		case err != nil:
			return fmt.Errorf("map %s: %w", m.Course.Map.Name, err)
		default:
			f.mapIDs[i] = submitted.ID
			f.done("maps", func(r *Result) { r.Maps++ })
		}
		return nil
	})
}

func (f *filling) submitRuns(ctx context.Context) error {
	return f.each(ctx, len(f.World.Runs), func(ctx context.Context, i int) error {
		run := f.World.Runs[i]
		if f.mapIDs[run.Map] == "" {
			f.done("runs", func(r *Result) { r.RunsWithoutMap++ })
			return nil
		}
		submission := site.RecordSubmission{Replay: f.World.Replay(run), Map: f.mapIDs[run.Map]}
		err := f.players[run.Player].try(ctx, func(v *site.Visitor) error {
			_, err := v.SubmitRecord(ctx, submission)
			return err
		})
		_, known := exists(err, "replay_exists")
		switch {
		case known:
			f.done("runs", func(r *Result) { r.RunsThere++ })
		case err != nil:
			return fmt.Errorf("run %d: %w", i, err)
		default:
			f.done("runs", func(r *Result) { r.Runs++ })
		}
		return nil
	})
}

func (f *filling) uploadAvatars(ctx context.Context) error {
	return f.each(ctx, len(f.players), func(ctx context.Context, i int) error {
		avatar := f.World.Players[i].Avatar
		if avatar == nil {
			return nil
		}
		p := f.players[i]
		if p.Player.SkinImageURL != nil {
			f.done("avatars", nil)
			return nil
		}
		err := p.try(ctx, func(v *site.Visitor) error {
			_, err := v.UpdatePlayer(ctx, v.Player.ID, site.PlayerUpdate{SkinImage: avatar})
			return err
		})
		if err != nil {
			return fmt.Errorf("avatar of %s: %w", p.Player.Name, err)
		}
		f.done("avatars", func(r *Result) { r.Avatars++ })
		return nil
	})
}

// each does one thing for each index, several at once and roughly in their order.
func (f *filling) each(ctx context.Context, count int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i := range count {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

func (f *filling) done(what string, count func(*Result)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if count != nil {
		count(&f.result)
	}
	f.Step(what)
}

// try does something as the player, once more with a new token where the old
// one has expired.
func (p *player) try(ctx context.Context, do func(*site.Visitor) error) error {
	p.Lock()
	defer p.Unlock()
	err := do(p.Visitor)
	var problem *site.Problem
	if errors.As(err, &problem) && problem.Code == "token_expired" {
		if err := p.Refresh(ctx); err != nil {
			return err
		}
		return do(p.Visitor)
	}
	return err
}

// exists tells whether the site refused something because it is there already, and its _id.
func exists(err error, code string) (id string, ok bool) {
	var problem *site.Problem
	if !errors.As(err, &problem) || problem.Code != code {
		return "", false
	}
	return problem.ID(), true
}
