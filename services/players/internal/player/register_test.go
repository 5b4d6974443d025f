package player_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestRegistrar_Register(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		login player.Login
		want  player.Player // what counts of it
		err   error
	}{
		{"takes name, level and skin from the game", player.Login{Name: "CloudStep", Level: 42,
			Skin: []byte(`{"layers":[],"bc":9315498}`)},
			player.Player{Name: "CloudStep", Level: 42, SkinColor: "#8e24aa"}, nil},
		{"trims the name", player.Login{Name: " CloudStep "}, player.Player{Name: "CloudStep"}, nil},
		{"takes a name of a legacy account", player.Login{Name: "-Cloud.step!-"}, player.Player{Name: "-Cloud.step!-"}, nil},
		{"does without a skin", player.Login{Name: "a"}, player.Player{Name: "a"}, nil},
		{"takes null for no skin", player.Login{Name: "a", Skin: []byte(" null ")}, player.Player{Name: "a"}, nil},
		{"takes a level below 0 for 0", player.Login{Name: "a", Level: -5}, player.Player{Name: "a"}, nil},
		{"takes a level that cannot be for the highest", player.Login{Name: "a", Level: 1 << 40},
			player.Player{Name: "a", Level: 9999}, nil},
		{"knows black", player.Login{Name: "a", Skin: []byte(`{"bc":0}`)}, player.Player{Name: "a", SkinColor: "#000000"},
			nil},
		{"does without a base colour", player.Login{Name: "a", Skin: []byte(`{"layers":[]}`)}, player.Player{Name: "a"}, nil},
		{"does without a base colour that is none", player.Login{Name: "a", Skin: []byte(`{"bc":16777216}`)},
			player.Player{Name: "a"}, nil},
		{"does without a base colour that is text", player.Login{Name: "a", Skin: []byte(`{"bc":"red"}`)},
			player.Player{Name: "a"}, nil},
		{"refuses a skin that is no object", player.Login{Name: "a", Skin: []byte(`[]`)}, player.Player{},
			player.ErrSkinInvalid},
		{"refuses a skin that is no JSON", player.Login{Name: "a", Skin: []byte(`{"bc":`)}, player.Player{},
			player.ErrSkinInvalid},
		{"takes a skin of 16 KiB", player.Login{Name: "a", Skin: skinOf(16 << 10)}, player.Player{Name: "a"}, nil},
		{"refuses a larger skin", player.Login{Name: "a", Skin: skinOf(16<<10 + 1)}, player.Player{}, player.ErrSkinInvalid},
		{"refuses what is no name", player.Login{Name: " "}, player.Player{}, playername.ErrInvalid},
		{"refuses a name like that of a deleted player", player.Login{Name: "deleted:3f2a"}, player.Player{},
			playername.ErrInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store := playertest.Open(t)
			registrar := player.Registrar{Players: store, Now: time.Now, NewID: event.NewID}
			p, err := registrar.Register(t.Context(), tt.login)
			if !errors.Is(err, tt.err) {
				t.Fatalf("Register returned the error %v, want %v", err, tt.err)
			}
			got := player.Player{Name: p.Name, Level: p.Level, SkinColor: p.SkinColor}
			assert.Equal(t, "registered", tt.want, got)
			if p.Registered != (tt.err == nil) {
				t.Errorf("registered is %v", p.Registered)
			}
		})
	}
}

func TestNamed_Register(t *testing.T) {
	t.Parallel()
	login := player.Registration{Name: "ann", Login: &player.Login{Name: "ann", Level: 7}}
	holder := &player.Player{ID: "holder", FormerNames: []string{"Ann", "bob"}}
	bannedHolder := *holder
	bannedHolder.Banned = true
	for _, tt := range []struct {
		name  string
		named player.Named
		login bool
		err   error
		facts []event.Fact
		other []string // the names that the holder keeps
	}{
		{"a new name", player.Named{}, true, nil, []event.Fact{event.PlayerRegistered{}}, nil},
		{"a placeholder", player.Named{Player: player.Player{Version: 1}}, true, nil,
			[]event.Fact{event.PlayerRegistered{ClaimedPlaceholder: true}}, nil},
		{"a known player", player.Named{Player: player.Player{Version: 1, Registered: true}}, true, nil, nil, nil},
		{"a former name", player.Named{Holder: holder}, true, nil, []event.Fact{event.PlayerRegistered{}}, []string{"bob"}},
		{"a former name of a banned player", player.Named{Holder: &bannedHolder}, true, player.ErrBanned, nil, nil},
		{"a name of a deleted player who is banned", player.Named{IsBanned: true}, true, player.ErrBanned, nil, nil},
		{"a placeholder of a banned name", player.Named{IsBanned: true, Holder: &bannedHolder}, false, nil, nil,
			[]string{"bob"}},
	} {
		registration := login
		if !tt.login {
			registration.Login = nil
		}
		change, err := tt.named.Register(registration)
		if !errors.Is(err, tt.err) || change.Player.Registered != (tt.login && tt.err == nil) {
			t.Errorf("%s: %+v, %v, want %v", tt.name, change.Player, err, tt.err)
		}
		assert.Equal(t, tt.name+": facts", tt.facts, change.Facts)
		var other []string
		if change.Other != nil {
			other = change.Other.Player.FormerNames
		}
		assert.Equal(t, tt.name+": former names of the holder", tt.other, other)
	}
}

func skinOf(size int) []byte {
	const frame = `{"layers":""}`
	return []byte(`{"layers":"` + strings.Repeat("x", size-len(frame)) + `"}`)
}

func TestRegistrar_Register_takes_over_a_placeholder(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	placeholder := ensure(t, store, "cloudstep")
	if placeholder.Registered {
		t.Error("a placeholder counts as registered")
	}
	p := register(t, store, player.Login{Name: "CloudStep", Level: 7})
	if p.ID != placeholder.ID || p.Name != "CloudStep" || !p.Registered {
		t.Errorf("took over as %+v, want the id %s, the name CloudStep, and registered", p, placeholder.ID)
	}
	want := []event.Fact{event.PlayerRegistered{PlayerID: placeholder.ID, ClaimedPlaceholder: true}}
	assert.Equal(t, "facts", want, store.Left().Facts)
}

func TestRegistrar_Register_again(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	first := register(t, store, player.Login{Name: "cloudstep", Level: 7, Skin: []byte(`{"bc":255}`)})
	again := register(t, store, player.Login{Name: "CLOUDSTEP", Level: 8, Skin: []byte(`{"bc":65280}`)})
	want := first
	want.Version, want.Name, want.Level, want.UpdatedAt = 2, "CLOUDSTEP", 8, again.UpdatedAt
	want.Skin, want.SkinColor = []byte(`{"bc":65280}`), "#00ff00"
	assert.Equal(t, "second login", want, again)
	// A room that shows no skin changes nothing, and leaves no effects.
	assert.Equal(t, "third login", want, register(t, store, player.Login{Name: "CLOUDSTEP", Level: 8}))
	left := store.Left()
	if diff := cmp.Diff([]event.Fact{event.PlayerRegistered{PlayerID: first.ID}}, left.Facts); diff != "" ||
		len(left.States) != 2 {
		t.Errorf("%d states, facts (-want +got):\n%s", len(left.States), diff)
	}
	_, err := operatorOf(store).Ban(t.Context(), "cloudstep", "cheating")
	require.NoError(t, err)
	if p := register(t, store, player.Login{Name: "cloudstep", Level: 9}); !p.Banned || p.Level != 9 {
		t.Errorf("login of a banned player: %+v", p)
	}
}

func TestRegistrar_Ensure(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	first := ensure(t, store, " CloudStep ")
	if first.Name != "CloudStep" || first.Registered || first.Version != 1 {
		t.Errorf("made %+v", first)
	}
	assert.Equal(t, "second call", first, ensure(t, store, "cloudSTEP"))
	assert.Equal(t, "left behind", playertest.Left{States: []event.PlayerState{first.State()}}, store.Left())
	registered := register(t, store, player.Login{Name: "CloudStep", Level: 4})
	assert.Equal(t, "a registered player", registered, ensure(t, store, "cloudstep"))
	ensurer := player.Registrar{Players: store, Now: time.Now, NewID: event.NewID}
	if _, err := ensurer.Ensure(t.Context(), "a\x00"); !errors.Is(err, playername.ErrInvalid) {
		t.Errorf("what is no name returned %v", err)
	}
}

// A login under a former name waits for a ban of the player who had the name, and is refused.
func TestRegistrar_Register_during_a_ban(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	register(t, store, player.Login{Name: "old"})
	kept := register(t, store, player.Login{Name: "new"})
	_, err := operatorOf(store).Merge(t.Context(), "old", "new", "renamed")
	require.NoError(t, err)
	tx, err := store.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	banning := player.Moderator{Players: store.In(tx), Now: time.Now}
	banned, err := banning.Moderate(t.Context(), moderation(access.BanPlayer, kept.ID, byOperator("tools")))
	require.NoError(t, err)
	login := make(chan error, 1)
	go func() {
		registrar := player.Registrar{Players: store, Now: time.Now, NewID: event.NewID}
		_, err := registrar.Register(t.Context(), player.Login{Name: "old"})
		login <- err
	}()
	eventually.WaitFor(t, "the login to wait for the ban", func() bool {
		return pgtest.Waiting(t, store.Pool) > 0
	})
	require.NoError(t, tx.Commit(t.Context()))
	if err := <-login; !errors.Is(err, player.ErrBanned) {
		t.Errorf("the login returned %v, want %v", err, player.ErrBanned)
	}
	holder, err := store.GetByName(t.Context(), "old")
	require.NoError(t, err)
	assert.Equal(t, "who has the name", banned, holder)
}
