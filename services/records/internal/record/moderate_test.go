package record_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// decided keeps the decisions that it was given.
type decided struct {
	all []string
	// refusals are the errors of decisions, in turn.
	refusals []error
}

func (d *decided) decide(what, id string) error {
	if len(d.refusals) > 0 {
		err := d.refusals[0]
		d.refusals = d.refusals[1:]
		return err
	}
	d.all = append(d.all, what+" "+id)
	return nil
}

func (d *decided) Remove(_ context.Context, id string, _ access.Attribution) (record.Record, error) {
	return record.Record{}, d.decide("remove", id)
}

func (d *decided) Restore(_ context.Context, id string, _ access.Attribution) (record.Record, error) {
	return record.Record{}, d.decide("restore", id)
}

func (d *decided) Hide(_ context.Context, id string, _ access.Attribution) error {
	return d.decide("hide", id)
}
func (d *decided) Show(_ context.Context, id string, _ access.Attribution) error {
	return d.decide("show", id)
}

// What a player may do is decided by the roles that the player has now, not by those of a token or a command.
func TestModerator_authorize(t *testing.T) {
	t.Parallel()
	const reason = access.Reason("a test")
	ofRecord, ofPlayer := []string{"remove " + noID, "restore " + noID}, []string{"hide " + annID, "show " + annID}
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
			_, removed := moderator.Remove(t.Context(), noID, by)
			_, restored := moderator.Restore(t.Context(), noID, by)
			_, hidden := moderator.Hide(t.Context(), annID, by)
			_, shown := moderator.Show(t.Context(), annID, by)
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
		_, hidden := moderator.Hide(t.Context(), bobID, by)
		_, shown := moderator.Show(t.Context(), bobID, by)
		if !errors.Is(hidden, want) || !errors.Is(shown, want) {
			t.Errorf("%s: hidden %v, shown %v, want %v", by.Actor.ID, hidden, shown, want)
		}
	}
}

// A decision about a player who was merged is one about the other player. Where the merge comes meanwhile, it is
// refused.
func TestModerator_Hide_merged(t *testing.T) {
	t.Parallel()
	b, decisions := setup(), &decided{}
	moderator := record.Moderator{Records: decisions, Players: b.Players}
	by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
	player, err := moderator.Hide(t.Context(), ankaID, by)
	require.NoError(t, err)
	if player.ID != annID {
		t.Errorf("hid %s", player.Name)
	}
	decisions.refusals = []error{event.ErrPlayerMerged}
	if _, err = moderator.Show(t.Context(), annID, by); !errors.Is(err, event.ErrPlayerMerged) {
		t.Errorf("showed a player who was merged meanwhile: %v", err)
	}
	assert.Equal(t, "decided", []string{"hide " + annID}, decisions.all)
	for _, id := range []string{noID, "x"} {
		if _, err := moderator.Hide(t.Context(), id, by); !errors.Is(err, record.ErrPlayerUnknown) {
			t.Errorf("hid %q: %v", id, err)
		}
	}
	if _, err := moderator.Remove(t.Context(), "submit", by); !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("removed what is no id: %v", err)
	}
}

func TestRemoval(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		change   func(record.Removal) (record.Removal, error)
		of, want record.Removal
		err      error
	}{
		{"remove", record.Removal.Remove, record.Removal{}, record.Removal{Removed: true}, nil},
		{"remove again", record.Removal.Remove, record.Removal{Removed: true}, record.Removal{Removed: true},
			record.ErrAlreadyRemoved},
		{"restore", record.Removal.Restore, record.Removal{Removed: true}, record.Removal{}, nil},
		{"restore what is not removed", record.Removal.Restore, record.Removal{}, record.Removal{}, record.ErrNotRemoved},
		{"restore without a replay", record.Removal.Restore, record.Removal{Removed: true, ReplayPurged: true},
			record.Removal{Removed: true, ReplayPurged: true}, record.ErrReplayPurged},
	} {
		if got, err := tt.change(tt.of); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestHiding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		change   func(record.Hiding) (record.Hiding, error)
		of, want record.Hiding
		err      error
	}{
		{"hide", record.Hiding.Hide, record.Hiding{}, record.Hiding{Hidden: true}, nil},
		{"hide again", record.Hiding.Hide, record.Hiding{Hidden: true}, record.Hiding{Hidden: true}, record.ErrAlreadyHidden},
		{"hide a merged player", record.Hiding.Hide, record.Hiding{PlayerMerged: true}, record.Hiding{PlayerMerged: true},
			event.ErrPlayerMerged},
		{"show", record.Hiding.Show, record.Hiding{Hidden: true}, record.Hiding{}, nil},
		{"show who is not hidden", record.Hiding.Show, record.Hiding{}, record.Hiding{}, record.ErrNotHidden},
		{"show a merged player", record.Hiding.Show, record.Hiding{Hidden: true, PlayerMerged: true},
			record.Hiding{Hidden: true, PlayerMerged: true}, event.ErrPlayerMerged},
	} {
		if got, err := tt.change(tt.of); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}
