package record_test

import (
	"errors"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

// What a player may do is decided by the roles that the player has now, not by those of a token or a command.
func TestModerator_authorize(t *testing.T) {
	t.Parallel()
	const reason = access.Reason("a test")
	moderatorNow := access.Player(bobID, "Bob", nil)
	notAnyMore := access.Player(annID, "Ann", []string{access.Moderator})
	banned := access.Player(eveID, "Eve", []string{access.Admin})
	for _, tt := range []struct {
		name   string
		actor  access.Actor
		reason access.Reason
		want   error // of each method, where nothing else is wrong
	}{
		{"an operator", access.Operator("root"), reason, nil},
		{"a player who is a moderator now", moderatorNow, reason, nil},
		{"a player who was a moderator", notAnyMore, reason, access.ErrForbidden},
		{"a banned admin", banned, reason, access.ErrForbidden},
		{"a player who is not known", access.Player(gardenID, "Nobody", []string{access.Admin}), reason,
			record.ErrPlayerUnknown},
		{"a service", access.System("maps"), reason, access.ErrForbidden},
		{"nobody", access.Actor{}, reason, access.ErrForbidden},
		{"no reason", access.Operator("root"), " ", access.ErrReasonMissing},
		{"a reason with a NUL", access.Operator("root"), "a\x00b", access.ErrReasonInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			require.NoError(t, b.store.ApplyPlayer(t.Context(), record.Player{
				ID: bobID, Version: 2, Name: "Bob", Roles: []string{access.Moderator}, Registered: true,
			}))
			require.NoError(t, b.store.ApplyPlayer(t.Context(), record.Player{
				ID: eveID, Version: 2, Name: "Eve", Roles: []string{access.Admin}, Banned: true,
			}))
			submitted, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
			require.NoError(t, err)
			moderator := record.Moderator{Records: b.store, Players: b.Players}
			by := access.Attribution{Actor: tt.actor, Reason: tt.reason}
			id := submitted.Record.ID
			if _, err := moderator.Remove(t.Context(), id, by); !errors.Is(err, tt.want) {
				t.Errorf("Remove: %v, want %v", err, tt.want)
			}
			if _, err := moderator.Restore(t.Context(), id, by); !errors.Is(err, tt.want) {
				t.Errorf("Restore: %v, want %v", err, tt.want)
			}
			want, changes := tt.want, 0
			switch {
			case tt.want == nil:
				changes = 4
			case tt.actor.Kind == access.KindSystem: // services hide records after a ban has begun, and show them after its end
				want, changes = nil, 2
			}
			if _, err := moderator.Hide(t.Context(), annID, by); !errors.Is(err, want) {
				t.Errorf("Hide: %v, want %v", err, want)
			}
			if _, err := moderator.Show(t.Context(), annID, by); !errors.Is(err, want) {
				t.Errorf("Show: %v, want %v", err, want)
			}
			if n := pgtest.Value[int](t, b.pool, "select count(*) from audit"); n != changes {
				t.Errorf("%d audit rows, want %d", n, changes)
			}
		})
	}
}

func TestModerator_Hide_merged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Submit(t.Context(), record.Submission{By: ann, Replay: annsReplay(t)})
	require.NoError(t, err)
	merged := record.Player{ID: annID, Version: 2, Removed: true, MergedInto: bobID}
	require.NoError(t, b.store.ApplyPlayer(t.Context(), merged))
	moderator := record.Moderator{Records: b.store, Players: b.Players}
	by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
	player, err := moderator.Hide(t.Context(), annID, by)
	require.NoError(t, err)
	if player.ID != bobID {
		t.Errorf("hid %s", player.Name)
	}
	if _, err := moderator.Hide(t.Context(), bobID, by); !errors.Is(err, record.ErrAlreadyHidden) {
		t.Errorf("hid again: %v", err)
	}
	if _, err := moderator.Show(t.Context(), annID, by); err != nil {
		t.Error(err)
	}
	if _, err := moderator.Show(t.Context(), annID, by); !errors.Is(err, record.ErrNotHidden) {
		t.Errorf("showed again: %v", err)
	}
	if _, err := moderator.Hide(t.Context(), gardenID, by); !errors.Is(err, record.ErrPlayerUnknown) {
		t.Errorf("hid an unknown player: %v", err)
	}
}
