package moderation

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

func TestAllowed(t *testing.T) {
	t.Parallel()
	player, banned := &Player{ID: "p"}, &Player{ID: "p", Banned: true}
	deleted, withRole := &Player{ID: "p", Deleted: true}, &Player{ID: "p", Roles: []string{access.Moderator}}
	withBadge := &Player{ID: "p", Roles: []string{"artist"}}
	bannedModerator := &Player{ID: "p", Banned: true, Roles: []string{access.Moderator}}
	mod, admin := access.Player("m", "m", []string{access.Moderator}), access.Player("a", "a", []string{access.Admin})
	ofPlayer := func(p *Player) Thing { return Thing{Subject: Subject{Kind: OfPlayer}, Player: p} }
	record := func(removed bool) Thing {
		return Thing{Subject: Subject{Kind: OfRecord}, Record: &event.InspectedRecord{Removed: removed}, Player: player}
	}
	ofMap := func(m Map, p *Player) Thing { return Thing{Subject: Subject{Kind: OfMap}, Map: &m, Player: p} }
	for _, tt := range []struct {
		name    string
		by      access.Actor
		thing   Thing
		hasCase bool
		want    []DecisionKind
	}{
		{"a record", mod, record(false), true, []DecisionKind{Dismiss, RemoveRecord, Warn, Ban}},
		{"a removed record", admin, record(true), false, []DecisionKind{RestoreRecord, Warn, Ban}},
		{"a map", mod, ofMap(Map{}, player), true, []DecisionKind{Dismiss, RemoveMap, UnrankMap, Warn, Ban}},
		{"an unranked map", mod, ofMap(Map{Unranked: true}, nil), false, []DecisionKind{RemoveMap, RankMap}},
		{"a removed map", mod, ofMap(Map{Removed: true}, nil), true, []DecisionKind{Dismiss, RestoreMap}},
		{"a player", mod, ofPlayer(player), false, []DecisionKind{Warn, Ban}},
		{"a player with a badge", mod, ofPlayer(withBadge), false, []DecisionKind{Warn, Ban}},
		{"a player with a role", mod, ofPlayer(withRole), false, []DecisionKind{Warn}},
		{"a banned player with a role", mod, ofPlayer(bannedModerator), false, []DecisionKind{Warn}},
		{"a player with a role, by an admin", admin, ofPlayer(withRole), false, []DecisionKind{Warn, Ban, Merge}},
		{"a banned player, by an admin", admin, ofPlayer(banned), true, []DecisionKind{Dismiss, Warn, Unban, Merge}},
		{"a player whose account was deleted", admin, ofPlayer(deleted), true, []DecisionKind{Dismiss}},
		{"the map of one", admin, ofMap(Map{}, deleted), false, []DecisionKind{RemoveMap, UnrankMap}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, "decisions", tt.want, Allowed(tt.by, tt.thing, tt.hasCase))
		})
	}
}

func TestCheckKind(t *testing.T) {
	t.Parallel()
	thing := Thing{Subject: Subject{Kind: OfPlayer}, Player: &Player{ID: "p", Roles: []string{access.Validator}}}
	mod := access.Player("m", "m", []string{access.Moderator})
	for kind, want := range map[DecisionKind]error{
		Warn: nil, Ban: access.ErrNeedsAdmin, Unban: access.ErrNeedsAdmin, RankMap: ErrNotApplicable,
	} {
		if err := checkKind(mod, thing, false, kind); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", kind, err, want)
		}
	}
}

func TestChoice_check(t *testing.T) {
	t.Parallel()
	const other = "0198c2f4-0000-7000-8000-000000000001"
	c := func(change func(c *Choice)) Choice {
		choice := Choice{Kind: Warn, PublicReason: access.Name, Text: " an indecent name "}
		change(&choice)
		return choice
	}
	for _, tt := range []struct {
		name   string
		choice Choice
		err    error
	}{
		{"a warning", c(func(*Choice) {}), nil},
		{"no reason", c(func(c *Choice) { c.PublicReason = "" }), ErrPublicReason},
		{"an unknown reason", c(func(c *Choice) { c.PublicReason = "mood" }), ErrPublicReason},
		{"no text", c(func(c *Choice) { c.Text = "too short" }), ErrDecisionText},
		{"a text that is too long", c(func(c *Choice) { c.Text = strings.Repeat("a", 501) }), ErrDecisionText},
		{"a ban without an end", c(func(c *Choice) { c.Kind = Ban }), nil},
		{"a ban with an end", c(func(c *Choice) { c.Kind, c.Until = Ban, now.Add(time.Hour) }), nil},
		{"a ban that has ended", c(func(c *Choice) { c.Kind, c.Until = Ban, now }), ErrBanUntil},
		{"a ban of eleven years", c(func(c *Choice) { c.Kind, c.Until = Ban, now.AddDate(11, 0, 0) }), ErrBanUntil},
		{"a merge", c(func(c *Choice) { c.Kind, c.IntoID = Merge, other }), nil},
		{"a merge into nobody", c(func(c *Choice) { c.Kind = Merge }), ErrMergeInto},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.choice.check(now)
			if !errors.Is(err, tt.err) || err == nil && got.Text != "an indecent name" {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	warn, err := c(func(c *Choice) { c.Until, c.KeepRecords, c.IntoID = now, true, other }).check(now)
	if diff := cmp.Diff(c(func(c *Choice) { c.Text = "an indecent name" }), warn); diff != "" || err != nil {
		t.Errorf("a warning keeps what is of other kinds: %v\n%s", err, diff)
	}
}
