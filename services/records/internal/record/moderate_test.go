package record_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

// decided keeps the decisions that it was given.
type decided struct{ all []string }

func (d *decided) decide(action access.Action, id string) error {
	d.all = append(d.all, string(action)+" "+id)
	return nil
}

func (d *decided) ModerateRecord(
	_ context.Context, _ access.Attribution, action access.Action, id string,
) (record.Record, error) {
	return record.Record{}, d.decide(action, id)
}

func (d *decided) ModeratePlayer(_ context.Context, _ access.Attribution, action access.Action, id string) error {
	return d.decide(action, id)
}

// What a player may do is decided by the roles that the player has now, not by those of a token or a command.
func TestModerator_authorize(t *testing.T) {
	t.Parallel()
	const reason = access.Reason("a test")
	ofRecord := []string{"remove record " + noID, "restore record " + noID}
	ofPlayer := []string{"hide player " + annID, "show player " + annID}
	for _, tt := range []struct {
		name     string
		actor    access.Actor
		reason   access.Reason
		want     error // of removals, and also of hiding where nothing is decided
		decision []string
	}{
		{"an operator", access.Operator("root"), reason, nil, append(ofRecord, ofPlayer...)},
		{"a player who is a moderator now", bob, reason, nil, append(ofRecord, ofPlayer...)},
		{"a player who was a moderator", access.Player(annID, "Ann", []string{access.Moderator}), reason,
			access.ErrForbidden, nil},
		{"a banned admin", access.Player(eveID, "Eve", []string{access.Admin}), reason, access.ErrForbidden, nil},
		{"a player who is not known", access.Player(noID, "Nobody", []string{access.Admin}), reason,
			record.ErrPlayerUnknown, nil},
		// Services hide records after a ban has begun, and show them after its end.
		{"a service", access.System("maps"), reason, access.ErrForbidden, ofPlayer},
		{"nobody", access.Actor{}, reason, access.ErrForbidden, nil},
		{"no reason", access.Operator("root"), " ", access.ErrReasonMissing, nil},
		{"a reason with a NUL", access.Operator("root"), "a\x00b", access.ErrReasonInvalid, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, decisions := setup(), &decided{}
			b.copies.players[bobID] = record.Player{ID: bobID, Version: 2, Name: "Bob", Roles: []string{access.Moderator}}
			b.copies.players[eveID] = record.Player{ID: eveID, Version: 2, Roles: []string{access.Admin}, Banned: true}
			moderator := record.Moderator{Records: decisions, Players: b.Players}
			by := access.Attribution{Actor: tt.actor, Reason: tt.reason}
			_, removed := moderator.ModerateRecord(t.Context(), by, access.RemoveRecord, noID)
			_, restored := moderator.ModerateRecord(t.Context(), by, access.RestoreRecord, noID)
			_, hidden := moderator.ModeratePlayer(t.Context(), by, access.HidePlayer, annID)
			_, shown := moderator.ModeratePlayer(t.Context(), by, access.ShowPlayer, annID)
			ofPlayers := tt.want
			if len(tt.decision) > 0 {
				ofPlayers = nil
			}
			if !errors.Is(removed, tt.want) || !errors.Is(restored, tt.want) || !errors.Is(hidden, ofPlayers) ||
				!errors.Is(shown, ofPlayers) {
				t.Errorf("Remove %v, Restore %v, Hide %v, Show %v; want %v", removed, restored, hidden, shown, tt.want)
			}
			assert.Equal(t, "decided", tt.decision, decisions.all, cmpopts.EquateEmpty())
		})
	}
}

// Moderators cannot hide each other.
func TestModerator_Hide_of_a_moderator(t *testing.T) {
	t.Parallel()
	b, decisions := setup(), &decided{}
	b.copies.players[bobID] = record.Player{ID: bobID, Version: 2, Name: "Bob", Roles: []string{access.Moderator}}
	b.copies.players[eveID] = record.Player{ID: eveID, Version: 2, Roles: []string{access.Admin}}
	moderator := record.Moderator{Records: decisions, Players: b.Players}
	for by, want := range map[string]error{bobID: access.ErrNeedsAdmin, eveID: nil} {
		by := access.Attribution{Actor: access.Player(by, "", nil), Reason: "a test"}
		_, hidden := moderator.ModeratePlayer(t.Context(), by, access.HidePlayer, bobID)
		_, shown := moderator.ModeratePlayer(t.Context(), by, access.ShowPlayer, bobID)
		if !errors.Is(hidden, want) || !errors.Is(shown, want) {
			t.Errorf("%s: hidden %v, shown %v, want %v", by.Actor.ID, hidden, shown, want)
		}
	}
}

// A decision about a player who was merged is one about the other player.
func TestModerator_Hide_merged(t *testing.T) {
	t.Parallel()
	b, decisions := setup(), &decided{}
	moderator := record.Moderator{Records: decisions, Players: b.Players}
	by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
	player, err := moderator.ModeratePlayer(t.Context(), by, access.HidePlayer, ankaID)
	require.NoError(t, err)
	if player.ID != annID {
		t.Errorf("hid %s", player.Name)
	}
	assert.Equal(t, "decided", []string{"hide player " + annID}, decisions.all)
	for _, id := range []string{noID, "x"} {
		_, err := moderator.ModeratePlayer(t.Context(), by, access.HidePlayer, id)
		if !errors.Is(err, record.ErrPlayerUnknown) {
			t.Errorf("hid %q: %v", id, err)
		}
	}
	_, err = moderator.ModerateRecord(t.Context(), by, access.RemoveRecord, "submit")
	if !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("removed what is no id: %v", err)
	}
}

func TestRemoval(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		action   access.Action
		of, want record.Removal
		err      error
	}{
		{"remove", access.RemoveRecord, record.Removal{}, record.Removal{Removed: true}, nil},
		{"remove again", access.RemoveRecord, record.Removal{Removed: true}, record.Removal{Removed: true},
			record.ErrAlreadyRemoved},
		{"restore", access.RestoreRecord, record.Removal{Removed: true}, record.Removal{}, nil},
		{"restore what is not removed", access.RestoreRecord, record.Removal{}, record.Removal{}, record.ErrNotRemoved},
		{"restore without a replay", access.RestoreRecord, record.Removal{Removed: true, ReplayPurged: true},
			record.Removal{Removed: true, ReplayPurged: true}, record.ErrReplayPurged},
	} {
		if got, err := tt.of.Moderate(tt.action); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestHiding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		action   access.Action
		of, want record.Hiding
		err      error
	}{
		{"hide", access.HidePlayer, record.Hiding{}, record.Hiding{Hidden: true}, nil},
		{"hide again", access.HidePlayer, record.Hiding{Hidden: true}, record.Hiding{Hidden: true}, record.ErrAlreadyHidden},
		{"show", access.ShowPlayer, record.Hiding{Hidden: true}, record.Hiding{}, nil},
		{"show who is not hidden", access.ShowPlayer, record.Hiding{}, record.Hiding{}, record.ErrNotHidden},
	} {
		if got, err := tt.of.Moderate(tt.action); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}
