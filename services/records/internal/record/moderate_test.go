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

func (d *decided) ModerateRecord(_ context.Context, change record.Moderation) (record.Record, error) {
	d.all = append(d.all, string(change.Action)+" "+change.RecordID)
	return record.Record{}, nil
}

func (d *decided) ModeratePlayer(_ context.Context, change record.Moderation) error {
	d.all = append(d.all, string(change.Action)+" "+change.PlayerID)
	return nil
}

// moderation returns a change of the record or the player with the id.
func moderation(by access.Attribution, action access.Action, id string) record.Moderation {
	return record.Moderation{Action: action, RecordID: id, PlayerID: id, By: by}
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
			moderator := record.Moderator{Records: decisions, Players: b.Players, Now: b.Now}
			by := access.Attribution{Actor: tt.actor, Reason: tt.reason}
			_, removed := moderator.ModerateRecord(t.Context(), moderation(by, access.RemoveRecord, noID))
			_, restored := moderator.ModerateRecord(t.Context(), moderation(by, access.RestoreRecord, noID))
			_, hidden := moderator.ModeratePlayer(t.Context(), moderation(by, access.HidePlayer, annID))
			_, shown := moderator.ModeratePlayer(t.Context(), moderation(by, access.ShowPlayer, annID))
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
	moderator := record.Moderator{Records: decisions, Players: b.Players, Now: b.Now}
	for by, want := range map[string]error{bobID: access.ErrNeedsAdmin, eveID: nil} {
		by := access.Attribution{Actor: access.Player(by, "", nil), Reason: "a test"}
		_, hidden := moderator.ModeratePlayer(t.Context(), moderation(by, access.HidePlayer, bobID))
		_, shown := moderator.ModeratePlayer(t.Context(), moderation(by, access.ShowPlayer, bobID))
		if !errors.Is(hidden, want) || !errors.Is(shown, want) {
			t.Errorf("%s: hidden %v, shown %v, want %v", by.Actor.ID, hidden, shown, want)
		}
	}
}

// A decision about a player who was merged is one about the other player.
func TestModerator_Hide_merged(t *testing.T) {
	t.Parallel()
	b, decisions := setup(), &decided{}
	moderator := record.Moderator{Records: decisions, Players: b.Players, Now: b.Now}
	by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
	player, err := moderator.ModeratePlayer(t.Context(), moderation(by, access.HidePlayer, ankaID))
	require.NoError(t, err)
	if player.ID != annID {
		t.Errorf("hid %s", player.Name)
	}
	assert.Equal(t, "decided", []string{"hide player " + annID}, decisions.all)
	for _, id := range []string{noID, "x"} {
		_, err := moderator.ModeratePlayer(t.Context(), moderation(by, access.HidePlayer, id))
		if !errors.Is(err, record.ErrPlayerUnknown) {
			t.Errorf("hid %q: %v", id, err)
		}
	}
	_, err = moderator.ModerateRecord(t.Context(), moderation(by, access.RemoveRecord, "submit"))
	if !errors.Is(err, record.ErrRecordUnknown) {
		t.Errorf("removed what is no id: %v", err)
	}
}

func TestModerator_Authorize(t *testing.T) {
	t.Parallel()
	b := setup()
	moderator := record.Moderator{Players: b.Players, Now: b.Now}
	change := record.Moderation{
		Action: access.HidePlayer, PlayerID: ankaID,
		By: access.Attribution{Actor: access.Operator("root"), Reason: " a test ", DecisionID: noID},
	}
	got, err := moderator.Authorize(t.Context(), change)
	require.NoError(t, err)
	want := change
	want.PlayerID, want.By.Reason, want.At = annID, "a test", now
	assert.Equal(t, "change", want, got)
}

// byMod attributes the changes of the rules' tests.
var byMod = access.Attribution{Actor: access.Player(bobID, "Bob", nil), Reason: "edited", DecisionID: eveID}

func TestRemoval_Moderate(t *testing.T) {
	t.Parallel()
	r := record.Record{ID: noID, MapID: skylineID, PlayerID: annID, FinishTime: 900}
	active, removed := record.Removal{Record: r}, record.Removal{Record: r, Removed: true}
	purged := record.Removal{Record: r, Removed: true, ReplayPurged: true}
	for _, tt := range []struct {
		name     string
		action   access.Action
		of, want record.Removal
		err      error
	}{
		{"remove", access.RemoveRecord, active, removed, nil},
		{"remove again", access.RemoveRecord, removed, removed, record.ErrAlreadyRemoved},
		{"restore", access.RestoreRecord, removed, active, nil},
		{"restore what is not removed", access.RestoreRecord, active, active, record.ErrNotRemoved},
		{"restore without a replay", access.RestoreRecord, purged, purged, record.ErrReplayPurged},
	} {
		got, entry, err := tt.of.Moderate(record.Moderation{Action: tt.action, RecordID: noID, By: byMod, At: now})
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
		var want access.Entry
		if tt.err == nil {
			values := func(removed bool) map[string]any {
				return map[string]any{"map": skylineID, "player": annID, "finishTime": 900, "removed": removed}
			}
			want = access.Entry{
				By: byMod, Action: tt.action, Target: noID, Before: values(tt.of.Removed), After: values(tt.want.Removed),
			}
		}
		assert.Equal(t, tt.name+": entry", want, entry)
	}
}

func TestHiding_Moderate(t *testing.T) {
	t.Parallel()
	shown, hidden := record.Hiding{PlayerID: annID}, record.Hiding{PlayerID: annID, Hidden: true}
	for _, tt := range []struct {
		name     string
		action   access.Action
		of, want record.Hiding
		err      error
	}{
		{"hide", access.HidePlayer, shown, hidden, nil},
		{"hide again", access.HidePlayer, hidden, hidden, record.ErrAlreadyHidden},
		{"show", access.ShowPlayer, hidden, shown, nil},
		{"show who is not hidden", access.ShowPlayer, shown, shown, record.ErrNotHidden},
	} {
		// The player was merged into Ann after the change was authorized.
		got, entry, err := tt.of.Moderate(record.Moderation{Action: tt.action, PlayerID: ankaID, By: byMod, At: now})
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
		var want access.Entry
		if tt.err == nil {
			want = access.Entry{
				By: byMod, Action: tt.action, Target: annID,
				Before: map[string]any{"hidden": tt.of.Hidden}, After: map[string]any{"hidden": tt.want.Hidden},
			}
		}
		assert.Equal(t, tt.name+": entry", want, entry)
	}
}
