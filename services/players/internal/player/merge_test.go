package player_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

// life is what happens to players, one step after the other.
type life struct {
	*testing.T

	store *playertest.Store
}

// do takes a step: "VERB NAME REST". "map" is a map by an author who need not have logged in.
func (l life) do(step string) error {
	l.Helper()
	words := strings.Fields(step)
	verb, name, rest := words[0], words[1], strings.Join(words[2:], " ")
	o := operatorOf(l.store)
	acts := map[string]func(context.Context) (player.Player, error){
		"login": func(ctx context.Context) (player.Player, error) {
			registrar := player.Registrar{Players: l.store, Now: time.Now, NewID: event.NewID}
			return registrar.Register(ctx, player.Login{Name: name})
		},
		"map": func(ctx context.Context) (player.Player, error) {
			return (&player.Registrar{Players: l.store, Now: time.Now, NewID: event.NewID}).Ensure(ctx, name)
		},
		"grant":   func(ctx context.Context) (player.Player, error) { return o.Grant(ctx, name, rest) },
		"revoke":  func(ctx context.Context) (player.Player, error) { return o.Revoke(ctx, name, rest) },
		"ban":     func(ctx context.Context) (player.Player, error) { return o.Ban(ctx, name, rest) },
		"unban":   func(ctx context.Context) (player.Player, error) { return o.Unban(ctx, name, rest) },
		"release": func(ctx context.Context) (player.Player, error) { return o.Release(ctx, name, rest) },
		"merge": func(ctx context.Context) (player.Player, error) {
			into, reason, _ := strings.Cut(rest, " ")
			return o.Merge(ctx, name, into, reason)
		},
	}
	act, ok := acts[verb]
	if !ok {
		l.Fatalf("what is %q?", step)
	}
	_, err := act(l.Context())
	return err
}

// who returns the player of a name in short: "name (former names): roles; banned for …".
func (l life) who(name string) string {
	l.Helper()
	p, err := l.store.GetByName(l.Context(), name)
	if errors.Is(err, player.ErrUnknown) {
		return "nobody"
	}
	require.NoError(l, err)
	line := p.Name
	if len(p.FormerNames) > 0 {
		line += " (" + strings.Join(p.FormerNames, ", ") + ")"
	}
	if len(p.Roles) > 0 {
		line += ": " + strings.Join(p.Roles, ", ")
	}
	if !p.Registered {
		line += "; never logged in"
	}
	if p.Banned {
		line += "; banned for " + p.Ban.Reason
	}
	return line
}

func TestModerator(t *testing.T) {
	t.Parallel()
	tenRoles := []string{"login old", "login new"}
	for _, role := range "abcdefghij" {
		tenRoles = append(tenRoles, fmt.Sprintf("grant old %c", role))
	}
	for _, tt := range []struct {
		name  string
		steps []string
		// err is of the last step; those before succeed.
		err error
		// want are players by name.
		want map[string]string
	}{
		{"a role has one form, and a name any case", []string{"login ann", "grant ANN Admin", "grant ann artist"}, nil,
			map[string]string{"ann": "ann: admin, artist"}},
		{"a role is granted once", []string{"login ann", "grant ann admin", "grant ann Admin"}, player.ErrHasRole,
			map[string]string{"ann": "ann: admin"}},
		{"ten roles are granted", append(slices.Clone(tenRoles), "grant old k"), player.ErrTooManyRoles,
			map[string]string{"old": "old: a, b, c, d, e, f, g, h, i, j"}},
		{"a role has letters", []string{"login ann", "grant ann <b>"}, player.ErrRoleInvalid, nil},
		{"a role is revoked", []string{"login ann", "grant ann a", "grant ann b", "revoke ann A"}, nil,
			map[string]string{"ann": "ann: b"}},
		{"the last admin's role is revoked", []string{"login ann", "grant ann admin", "revoke ann admin"}, nil,
			map[string]string{"ann": "ann"}},
		{"no role is revoked that is not there", []string{"login ann", "revoke ann admin"}, player.ErrLacksRole, nil},
		{"a ban has a reason", []string{"login ann", "ban ann"}, access.ErrReasonMissing, map[string]string{"ann": "ann"}},
		{"a player is banned once", []string{"login ann", "ban ann one", "ban ann two"}, player.ErrAlreadyBanned,
			map[string]string{"ann": "ann; banned for one"}},
		{"nobody is banned who is unknown", []string{"ban ann why"}, player.ErrUnknown, nil},
		{"a ban is lifted", []string{"login ann", "ban ann one", "unban ann appeal"}, nil,
			map[string]string{"ann": "ann"}},
		{"no ban is lifted that is not there", []string{"login ann", "unban ann appeal"}, player.ErrNotBanned, nil},
		{"a ban is not lifted without a reason", []string{"login ann", "ban ann one", "unban ann"},
			access.ErrReasonMissing, map[string]string{"ann": "ann; banned for one"}},

		{"a renamed player is one again, by both names", []string{"login old", "login new", "merge OLD New"}, nil,
			map[string]string{"old": "new (old)", "new": "new (old)"}},
		{"roles are united", []string{"login old", "login new", "grant old admin", "grant old a", "grant new a",
			"grant new b", "merge old new"}, nil, map[string]string{"new": "new (old): a, b, admin"}},
		{"more than ten roles are too many", append(slices.Clone(tenRoles), "grant new k", "merge old new"),
			player.ErrTooManyRoles, map[string]string{"old": "old: a, b, c, d, e, f, g, h, i, j", "new": "new: k"}},
		{"a ban of the old name stays a ban", []string{"login old", "login new", "ban old tools", "merge old new"}, nil,
			map[string]string{"new": "new (old); banned for tools"}},
		{"a ban of the new name keeps its reason", []string{"login old", "login new", "ban old tools", "ban new edits",
			"merge old new"}, nil, map[string]string{"new": "new (old); banned for edits"}},
		{"an author who never logged in is merged", []string{"map old", "login new", "merge old new"}, nil,
			map[string]string{"old": "new (old)"}},
		{"two names of an author who never logged in are merged", []string{"map old", "map new", "merge old new"}, nil,
			map[string]string{"old": "new (old); never logged in"}},
		{"a merge into a player who never logged in", []string{"login old", "map new", "merge old new"},
			player.ErrMergeUnproved,
			map[string]string{"old": "old", "new": "new; never logged in"}},

		{"names go along a chain", []string{"login a", "login b", "merge a b", "login c", "merge b c"}, nil,
			map[string]string{"a": "c (b, a)", "b": "c (b, a)"}},
		{"a chain is merged from its other end", []string{"login a", "login b", "login c", "merge b c", "merge a c"}, nil,
			map[string]string{"a": "c (b, a)", "b": "c (b, a)"}},
		{"who goes back to the first name is merged back", []string{"login a", "login b", "merge a b", "login a",
			"merge b a"}, nil, map[string]string{"a": "a (b)", "b": "a (b)"}},

		{"merged again, nothing changes", []string{"login old", "login new", "merge old new", "merge old new"},
			player.ErrMerged,
			map[string]string{"old": "new (old)"}},
		{"not into who was merged: no circle", []string{"login old", "login new", "merge old new", "merge new old"},
			player.ErrMerged,
			map[string]string{"old": "new (old)"}},
		{"not into themselves", []string{"login old", "merge old OLD"}, player.ErrMergeSelf, map[string]string{"old": "old"}},
		{"an unknown player", []string{"login new", "merge old new"}, player.ErrUnknown, map[string]string{"old": "nobody"}},
		{"not into who is unknown", []string{"login old", "merge old new"}, player.ErrUnknown,
			map[string]string{"new": "nobody"}},
		{"not into what is no name", []string{"login old", "merge old \x01"}, playername.ErrInvalid, nil},
		{"not for an endless reason", []string{"login old", "login new", "merge old new " + strings.Repeat("x", 501)},
			access.ErrReasonInvalid, nil},

		{"another person's login under the old name gets nothing", []string{"login old", "login new", "grant old admin",
			"merge old new", "login Old"}, nil, map[string]string{"old": "Old", "new": "new: admin"}},
		{"a map under the old name is the player's", []string{"login old", "login new", "merge old new", "map old"}, nil,
			map[string]string{"old": "new (old)"}},
		{"a ban covers the old name too", []string{"login old", "login new", "merge old new", "ban new tools", "login old"},
			player.ErrBanned,
			map[string]string{"old": "new (old); banned for tools"}},
		{"until the name is released", []string{"login old", "login new", "merge old new", "ban new tools",
			"release old another", "login old"}, nil, map[string]string{"old": "old", "new": "new; banned for tools"}},
		{"or the ban is lifted", []string{"login old", "login new", "ban old tools", "merge old new",
			"unban old appeal", "login old"}, nil, map[string]string{"old": "old", "new": "new"}},
		{"a released name is free", []string{"login old", "login new", "merge old new", "release OLD another"}, nil,
			map[string]string{"old": "nobody", "new": "new"}},
		{"a present name is not released", []string{"login old", "release old another"}, player.ErrNotFormer,
			map[string]string{"old": "old"}},
		{"a name is not released without a reason", []string{"login old", "release old"}, access.ErrReasonMissing, nil},
		{"who acts on the old name acts on the player", []string{"login old", "login new", "merge old new",
			"grant old artist"}, nil, map[string]string{"new": "new (old): artist"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := life{t, playertest.Open(t)}
			for i, step := range tt.steps {
				want := tt.err
				if i < len(tt.steps)-1 {
					want = nil
				}
				if err := l.do(step); !errors.Is(err, want) {
					t.Fatalf("%s returned %v, want %v", step, err, want)
				}
			}
			for name, want := range tt.want {
				if got := l.who(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
		})
	}
}

func TestModerator_Merge_stores_everything(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	old := register(t, store, player.Login{Name: "old", Level: 90, Skin: []byte(`{"bc":255}`)})
	if _, err := (&player.Updater{Players: store, Avatars: &avatars{t, store.Pool}, Now: time.Now}).
		Update(t.Context(), by(access.Player(old.ID, "old", nil)), old.ID,
			player.Update{SkinImage: []byte("an image")}); err != nil {
		t.Fatal(err)
	}
	kept := register(t, store, player.Login{Name: "new", Level: 91})
	o := operatorOf(store)
	_, err := o.Ban(t.Context(), "old", "tools")
	require.NoError(t, err)
	before := store.Left()
	merged, err := o.Merge(t.Context(), "old", "new", " renamed in May ")
	require.NoError(t, err)
	want := player.Player{
		ID: kept.ID, Version: kept.Version + 1, Name: "new", FormerNames: []string{"old"}, Level: 91,
		Skin: []byte(`{"bc":255}`), SkinColor: "#0000ff", Avatar: "skins/image.webp", Roles: []string{},
		Registered: true, Banned: true, Ban: player.Ban{Reason: "tools"},
		CreatedAt: old.CreatedAt, UpdatedAt: merged.UpdatedAt,
	}
	assert.Equal(t, "merged", want, merged)

	left := store.Left()
	wantStates := []event.PlayerState{{ID: old.ID, Version: 4, Removed: true, MergedInto: kept.ID}, merged.State()}
	assert.Equal(t, "states", wantStates, left.States[len(before.States):])
	wantFacts := []event.Fact{
		event.PlayerMerged{PlayerID: old.ID, IntoID: kept.ID, Reason: "renamed in May"},
		event.PlayerBanned{PlayerID: kept.ID, Reason: "tools"},
	}
	assert.Equal(t, "facts", wantFacts, left.Facts[len(before.Facts):])
	values := func(p player.Player) any {
		return map[string]any{
			"name": p.Name, "formerNames": append([]string{}, p.FormerNames...), "mergedInto": p.MergedInto,
			"registered": p.Registered, "level": p.Level, "roles": append([]string{}, p.Roles...), "banned": p.Banned,
			"banReason": p.Ban.Reason, "bannedUntil": nil, "avatar": p.Avatar,
		}
	}
	gone, err := store.Get(t.Context(), old.ID)
	require.NoError(t, err)
	banned := old
	banned.Avatar, banned.Banned, banned.Ban = "skins/image.webp", true, player.Ban{Reason: "tools"}
	by := byOperator("renamed in May")
	wantAudit := []event.AuditWritten{
		written(t, by, access.MergePlayer, old.ID, values(banned), values(gone)),
		written(t, by, access.MergePlayer, kept.ID, values(kept), values(merged)),
	}
	assert.Equal(t, "audit log", wantAudit, left.Audit[len(before.Audit):])

	if profile, err := store.GetProfile(t.Context(), old.ID); err != nil || profile.ID != kept.ID {
		t.Errorf("the old id is answered with %+v, %v", profile, err)
	}
	for term, want := range map[string]int64{"": 1, "ol": 0} {
		_, total, err := store.Search(t.Context(), player.Search{Name: term, Sort: player.Sort{By: player.ByName}, Limit: 9})
		if err != nil || total != want {
			t.Errorf("a search for %q finds %d, %v, want %d", term, total, err, want)
		}
	}
}

// A token counts for a quarter of an hour, also that of a player who was merged.
func TestUpdater_Update_of_a_merged_player(t *testing.T) {
	t.Parallel()
	updater, store, ids := setupUpdate(t)
	register(t, store, player.Login{Name: "renamed"})
	_, err := operatorOf(store).Merge(t.Context(), "runner", "renamed", "")
	require.NoError(t, err)
	update := player.Update{SkinImage: []byte("an image")}
	p, err := updater.Update(t.Context(), by(access.Player(ids["runner"], "runner", nil)), ids["runner"], update)
	if err != nil || p.Name != "renamed" {
		t.Errorf("updated %+v, %v", p, err)
	}
	stranger := access.Player(ids["stranger"], "stranger", nil)
	if _, err := updater.Update(t.Context(), by(stranger), ids["runner"], update); !errors.Is(err, player.ErrNotAllowed) {
		t.Errorf("a stranger: %v", err)
	}
}
