package lookup_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
)

type player struct {
	lookup.Header
	Name string
}

var (
	errUnknown     = errors.New("unknown")
	errRemoved     = errors.New("removed")
	errUnavailable = errors.New("unavailable")
)

// fixture is a store of copies and an owner, both by id.
type fixture struct {
	copies, owner map[string]player
	ownerErr      error
	asked         []string
}

func (f *fixture) load(_ context.Context, id string) (player, error) {
	p, ok := f.copies[id]
	if !ok {
		return player{}, errUnknown
	}
	return p, nil
}

func (f *fixture) apply(_ context.Context, p player) error {
	if f.copies[p.ID].Version < p.Version {
		f.copies[p.ID] = p
	}
	return nil
}

func (f *fixture) ask(_ context.Context, id string) (player, error) {
	f.asked = append(f.asked, id)
	p, ok := f.owner[id]
	switch {
	case f.ownerErr != nil:
		return player{}, f.ownerErr
	case !ok:
		return player{}, errUnknown
	}
	return p, nil
}

func (f *fixture) lookup() *lookup.Lookup[player] {
	return &lookup.Lookup[player]{
		Load: f.load, Apply: f.apply, Ask: f.ask, Header: func(p player) lookup.Header { return p.Header },
		ErrUnknown: errUnknown, ErrRemoved: errRemoved,
	}
}

const (
	anna  = "0198c0de-0000-7000-8000-00000000000a"
	berta = "0198c0de-0000-7000-8000-00000000000b"
	carla = "0198c0de-0000-7000-8000-00000000000c"
)

func is(id string, version int64) player {
	return player{lookup.Header{ID: id, Version: version}, "player " + id[35:]}
}

func merged(id, into string) player {
	return player{Header: lookup.Header{ID: id, Version: 2, Removed: true, MergedInto: into}}
}

func byID(players ...player) map[string]player {
	m := map[string]player{}
	for _, p := range players {
		m[p.ID] = p
	}
	return m
}

func TestLookup_Get(t *testing.T) {
	t.Parallel()
	removed := player{Header: lookup.Header{ID: anna, Version: 2, Removed: true}}
	for _, tt := range []struct {
		name     string
		id       string
		copies   map[string]player
		owner    map[string]player
		ownerErr error
		want     player
		err      error
		asked    []string
		stored   []string // ids of the copies afterwards
		message  string   // part of the error's text where err is nil and want is zero
	}{
		{name: "copy", id: anna, copies: byID(is(anna, 1)), ownerErr: errUnavailable,
			want: is(anna, 1), stored: []string{anna}},
		{name: "copy missing", id: anna, owner: byID(is(anna, 3)), want: is(anna, 3), asked: []string{anna},
			stored: []string{anna}},
		{name: "unknown to the owner", id: anna, err: errUnknown, asked: []string{anna}},
		{name: "owner unavailable", id: anna, ownerErr: errUnavailable, err: errUnavailable, asked: []string{anna}},
		{name: "not an id", id: "me", err: errUnknown},
		{name: "tombstone", id: anna, copies: byID(removed), err: errRemoved, stored: []string{anna}},
		{name: "owner answers with a tombstone", id: anna, owner: byID(removed), err: errRemoved, asked: []string{anna},
			stored: []string{anna}},
		{
			name: "merged twice", id: anna, copies: byID(merged(anna, berta)), owner: byID(merged(berta, carla), is(carla, 1)),
			want: is(carla, 1), asked: []string{berta, carla}, stored: []string{anna, berta, carla},
		},
		{
			name: "merged in a cycle", id: anna, copies: byID(merged(anna, berta), merged(berta, anna)),
			stored: []string{anna, berta}, message: "merged more than",
		},
		{name: "answer without a version", id: anna, owner: byID(is(anna, 0)), asked: []string{anna}, message: "version 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{copies: maps.Clone(tt.copies), owner: tt.owner, ownerErr: tt.ownerErr}
			if f.copies == nil {
				f.copies = map[string]player{}
			}
			got, err := f.lookup().Get(t.Context(), tt.id)
			switch {
			case tt.message != "":
				if err == nil || !strings.Contains(err.Error(), tt.message) {
					t.Errorf("error %v, want one with %q", err, tt.message)
				}
			case !errors.Is(err, tt.err):
				t.Errorf("error %v, want %v", err, tt.err)
			}
			assert.Equal(t, "entity", tt.want, got)
			assert.Equal(t, "asked the owner for", tt.asked, f.asked)
			assert.Equal(t, "copies", tt.stored, slices.Sorted(maps.Keys(f.copies)))
		})
	}
}

// copies are copies of players.
type copies map[string]event.PlayerState

func (c copies) Player(_ context.Context, id string) (event.PlayerState, error) {
	if p, ok := c[id]; ok {
		return p, nil
	}
	return event.PlayerState{}, event.ErrPlayerUnknown
}

func (copies) ApplyPlayer(context.Context, event.PlayerState) error { return nil }

func TestCurrentID(t *testing.T) {
	t.Parallel()
	const ann, former, deleted = "0198c0de-0000-7000-8000-000000000001", "0198c0de-0000-7000-8000-000000000002",
		"0198c0de-0000-7000-8000-000000000003"
	known := copies{
		ann:     {ID: ann, Version: 1, Name: "ann"},
		former:  {ID: former, Version: 2, Removed: true, MergedInto: ann},
		deleted: {ID: deleted, Version: 2, Name: "deleted player 0003", Deleted: true},
	}
	current := lookup.CurrentID(lookup.NewPlayers(known, known.Player))
	for _, tt := range []struct {
		id, want string
		err      error
	}{
		{ann, ann, nil}, {former, ann, nil}, {deleted, "", access.ErrDeleted},
		{"0198c0de-0000-7000-8000-000000000009", "", event.ErrPlayerUnknown},
	} {
		if got, err := current(t.Context(), tt.id); !errors.Is(err, tt.err) || err == nil && got != tt.want {
			t.Errorf("%s: %q, %v, want %q, %v", tt.id, got, err, tt.want, tt.err)
		}
	}
}

func TestLookup_Find(t *testing.T) {
	t.Parallel()
	named := func(p player, err error) func(context.Context) (player, error) {
		return func(context.Context) (player, error) { return p, err }
	}
	f := &fixture{copies: map[string]player{}}
	got, err := f.lookup().Find(t.Context(), named(player{}, errUnknown), named(is(anna, 1), nil))
	if err != nil || got != is(anna, 1) || f.copies[anna] != is(anna, 1) {
		t.Errorf("missing copy: got %v (%v), stored %v", got, err, f.copies)
	}
	got, err = f.lookup().Find(t.Context(), named(is(berta, 1), nil), named(player{}, errUnavailable))
	if err != nil || got != is(berta, 1) {
		t.Errorf("copy: got %v (%v)", got, err)
	}
	_, err = f.lookup().Find(t.Context(), named(merged(berta, anna), nil), named(player{}, errUnavailable))
	if err != nil {
		t.Errorf("merged copy: %v", err)
	}
}

// An answer of the owner never replaces a newer copy that arrived meanwhile.
func TestLookup_Get_answer_older_than_copy(t *testing.T) {
	t.Parallel()
	f := &fixture{copies: map[string]player{}, owner: byID(is(anna, 1))}
	r := f.lookup()
	r.Ask = func(ctx context.Context, id string) (player, error) {
		f.copies[anna] = is(anna, 5)
		return f.ask(ctx, id)
	}
	if _, err := r.Get(t.Context(), anna); err != nil || f.copies[anna].Version != 5 {
		t.Errorf("stored version %d (%v)", f.copies[anna].Version, err)
	}
}
