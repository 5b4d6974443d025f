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
	ban, err := c(func(c *Choice) { c.Kind, c.Until = Ban, now.Add(time.Hour+time.Microsecond) }).check(now)
	if want := now.Add(time.Hour); ban.Until != want || err != nil {
		t.Errorf("a ban until %s, %v; want %s", ban.Until, err, want)
	}
}

func TestUndecided_Decide(t *testing.T) {
	t.Parallel()
	inCase := func(d *Decision) { d.CaseID = "c" }
	ownCase := Case{State: CaseOpen, Claim: &Claim{PlayerID: "mod", Until: now}}
	into := func(id string) func(d *Decision) { return func(d *Decision) { d.IntoID = id } }
	admin := access.Attribution{Actor: access.Player("mod", "mod", []string{access.Admin})}
	ofPlayer := Thing{Subject: Subject{Kind: OfPlayer, ID: "p", PlayerID: "p"}, Player: &Player{ID: "p"}}
	for _, tt := range []struct {
		name     string
		u        Undecided
		decision Decision
		by       access.Attribution
		thing    Thing
		want     error
	}{
		{"without a case", Undecided{}, decided(Warn), mod, aRecord(false, Player{}), nil},
		{"a thing with an open case", Undecided{Involved: Involved{OpenCaseID: "o"}}, decided(Warn), mod,
			aRecord(false, Player{}), ErrCaseOpen},
		{"the own case", Undecided{Case: &ownCase}, decided(Dismiss, inCase), mod, aRecord(false, Player{}), nil},
		{"a free case", Undecided{Case: &freeCase}, decided(Warn, inCase), mod, aRecord(false, Player{}),
			ErrCaseNotClaimed},
		{"a dismissal without a case", Undecided{}, decided(Dismiss), mod, aRecord(false, Player{}), ErrNotApplicable},
		{"a removal", Undecided{}, decided(RemoveRecord), mod, aRecord(false, Player{}), nil},
		{"a removal of what is removed", Undecided{}, decided(RemoveRecord), mod, aRecord(true, Player{}),
			ErrNotApplicable},
		{"a ban of who is banned", Undecided{}, decided(Ban), mod, aRecord(false, banned("", now)), ErrNotApplicable},
		{"a ban of who has a role", Undecided{}, decided(Ban), mod,
			aRecord(false, Player{Roles: []string{access.Validator}}), access.ErrNeedsAdmin},
		{"a warning of who was deleted meanwhile", Undecided{Player: Player{Deleted: true}}, decided(Warn), mod,
			aRecord(false, Player{}), ErrNotApplicable},
		{"a ban of who was deleted meanwhile", Undecided{Player: Player{Deleted: true}}, decided(Ban), mod,
			aRecord(false, Player{}), ErrNotApplicable},
		{"a removal of whose it was", Undecided{Player: Player{Deleted: true}}, decided(RemoveRecord), mod,
			aRecord(false, Player{}), nil},
		{"a merge", Undecided{}, decided(Merge, into("o")), admin, ofPlayer, nil},
		{"a merge with who was merged into the same", Undecided{}, decided(Merge, into("p")), admin, ofPlayer,
			ErrMergeInto},
	} {
		n := NewDecision{Decision: tt.decision, By: tt.by, Thing: tt.thing}
		if _, err := tt.u.Decide(n); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// A decision that is sent again is the first one, unless that is carried out and applies again.
func TestUndecided_Decide_repeated(t *testing.T) {
	t.Parallel()
	pending := func(d *Decision) { d.State = Pending }
	for _, tt := range []struct {
		name    string
		first   Decision
		removed bool
		want    bool
	}{
		{"a warning", decided(Warn), false, true},
		{"a removal that waits", decided(RemoveRecord, pending), false, true},
		{"a removal that was carried out", decided(RemoveRecord), true, true},
		{"a removal of what was restored otherwise", decided(RemoveRecord), false, false},
	} {
		n := NewDecision{Decision: decided(tt.first.Kind), By: mod, Thing: aRecord(tt.removed, Player{})}
		if c, err := (Undecided{Repeated: &tt.first}).Decide(n); c.IsRepeated != tt.want || err != nil {
			t.Errorf("%s: repeated %t, %v", tt.name, c.IsRepeated, err)
		}
	}
	closed := Undecided{Case: &closedCase, Repeated: new(decided(Warn))}
	n := NewDecision{Decision: decided(Warn), By: mod, Thing: aRecord(false, Player{})}
	if c, err := closed.Decide(n); !c.IsRepeated || err != nil {
		t.Errorf("a case that the first request has closed: %+v, %v", c, err)
	}
}

// What is decided is stored with all that follows: the first command or who is told, and the row of the audit log.
func TestUndecided_Decide_change(t *testing.T) {
	t.Parallel()
	until := now.Add(time.Hour)
	pending := func(d *Decision) { d.State = Pending }
	subject := event.DecidedSubject{Kind: "record", ID: "s", PlayerID: "p"}
	commands := func(subjects ...string) (list []Command) {
		for _, s := range subjects {
			list = append(list, Command{s, CommandWaiting})
		}
		list[0].State = CommandSent
		return list
	}
	inCase := func(d *Decision) { d.CaseID = "c" }
	ownCase := Case{State: CaseOpen, Claim: &Claim{PlayerID: "mod", Until: now}}
	untilThen := func(d *Decision) { d.Until = until }
	keep := func(d *Decision) { d.KeepRecords = true }
	entry := func(d Decision, after map[string]any) []access.Entry {
		after["decision"], after["conflictOverruled"], after["playerId"] = d.Kind, OwnReport, "p"
		return []access.Entry{{By: d.attribution(mod), Action: access.Decide, Target: "s", After: after}}
	}
	warning, removal, ban := decided(Warn, inCase), decided(RemoveRecord, pending), decided(Ban, pending, untilThen)
	unban, showing := decided(Unban, pending, untilThen, keep), decided(Unban, pending)
	for _, tt := range []struct {
		name     string
		u        Undecided
		decision Decision
		player   Player
		want     Change
	}{
		{
			"a warning in a case", Undecided{Case: &ownCase, Involved: Involved{Reporters: []string{"r"}}},
			decided(Warn, inCase), Player{}, Change{
				Decision: warning, ClosesCase: true, Reports: ReportsConfirmed,
				Entries: entry(warning, map[string]any{"caseId": "c"}),
				Facts: []event.Fact{
					event.ReportClosed{
						DecisionID: "d", ReporterIDs: []string{"r"}, Decided: subject, Kind: "warn", PublicReason: "edited",
						Confirmed: true, At: warning.At,
					},
					event.ModerationDecided{
						DecisionID: "d", PlayerID: "p", Decided: subject, Kind: "warn", PublicReason: "edited", At: warning.At,
					},
				},
			},
		},
		{
			"a removal", Undecided{}, decided(RemoveRecord), Player{}, Change{
				Decision: removal, Commands: commands(event.RemoveRecordSubject), Send: removal.Commands(mod)[0],
				Entries: entry(removal, map[string]any{}),
			},
		},
		{
			"a ban", Undecided{}, decided(Ban, untilThen), Player{}, Change{
				Decision: ban, Commands: commands(event.BanPlayerSubject, event.HidePlayerSubject), Send: ban.Commands(mod)[0],
				Entries: entry(ban, map[string]any{"keepRecords": false, "until": until}),
			},
		},
		{
			"an unban, which has the end of the ban", Undecided{}, decided(Unban), banned("b", until), Change{
				Decision: unban, Commands: commands(event.UnbanPlayerSubject), Send: unban.Commands(mod)[0],
				Entries: entry(unban, map[string]any{"until": until}),
			},
		},
		{
			"an unban after a ban that hides records", Undecided{Hidings: Hidings{{DecisionID: "b", State: CommandSent}}},
			decided(Unban), banned("b", time.Time{}), Change{
				Decision: showing, Commands: commands(event.UnbanPlayerSubject, event.ShowPlayerSubject),
				Send: showing.Commands(mod)[0], Entries: entry(showing, map[string]any{}),
			},
		},
	} {
		tt.u.Player = tt.player
		got, err := tt.u.Decide(NewDecision{
			Decision: tt.decision, By: mod, Thing: aRecord(false, tt.player), Overruled: OwnReport,
		})
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}
