package moderation

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

var now = time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)

func TestNewReport(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		kind   SubjectKind
		reason access.PublicReason
		text   string
		want   string
		err    error
	}{
		{"a reason of records", OfRecord, access.Edited, "", "", nil},
		{"a reason of maps", OfMap, access.Stolen, " by me \n", "by me", nil},
		{"a reason of players", OfPlayer, access.AltAccount, "", "", nil},
		{"a reason of another kind", OfRecord, access.Stolen, "", "", ErrReportReason},
		{"a reason of decisions", OfRecord, access.Mistake, "", "", ErrReportReason},
		{"another reason", OfMap, access.Other, "it is not a map", "it is not a map", nil},
		{"another reason without a text", OfMap, access.Other, "          ", "", ErrReportText},
		{"nine characters", OfMap, access.Other, "123456789", "", ErrReportText},
		{"the longest text", OfMap, access.Broken, strings.Repeat("é", 1000), strings.Repeat("é", 1000), nil},
		{"a text that is too long", OfMap, access.Broken, strings.Repeat("é", 1001), "", ErrReportText},
		{"NUL", OfMap, access.Broken, "a\x00b", "", ErrReportText},
		{"not UTF-8", OfMap, access.Broken, "a\xffb", "", ErrReportText},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := NewReport(tt.kind, tt.reason, tt.text)
			if !errors.Is(err, tt.err) || err == nil && (got.Text != tt.want || got.Reason != tt.reason) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestAccuracy_Weight(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ confirmed, closed, want int }{
		{0, 0, 20}, {0, 3, 20}, {3, 3, 20}, // unknown
		{0, 4, 4}, {2, 4, 20}, {4, 4, 36}, {20, 20, 39}, {0, 20, 1}, {10, 20, 20},
	} {
		if got := (Accuracy{tt.confirmed, tt.closed}).Weight(); got != tt.want {
			t.Errorf("%d of %d: %d, want %d", tt.confirmed, tt.closed, got, tt.want)
		}
	}
}

func TestCheckConflict(t *testing.T) {
	t.Parallel()
	record := Judged{
		Thing: Thing{
			Subject: Subject{Kind: OfRecord, PlayerID: "ann"},
			Record:  &event.InspectedRecord{Neighbours: []event.RankedFinish{{PlayerID: "cid"}, {PlayerID: "dan"}}},
		},
		Reporters: []string{"eve", "bob"},
	}
	unknown := Judged{Thing: Thing{Subject: Subject{Kind: OfMap}}, Reporters: []string{"bob"}}
	undone := record
	undone.Others, undone.IsDecided = []string{"fay"}, true
	appeal := undone
	appeal.DecidedBy = "mod"
	for _, tt := range []struct {
		name, playerID string
		judged         Judged
		want           Conflict
		// may and mayAdmin are what a moderator and an admin may who overrule it.
		may, mayAdmin bool
	}{
		{"nobody", "mod", record, "", true, true},
		{"the player", "ann", record, OwnCase, false, true},
		{"a reporter", "bob", record, OwnReport, false, true},
		{"the row above", "cid", record, Neighbour, false, true},
		{"the row below", "dan", record, Neighbour, false, true},
		{"a map without an author", "mod", unknown, "", true, true},
		{"a reporter of a map", "bob", unknown, OwnReport, false, true},
		{"the player of what was decided", "ann", undone, OwnCase, false, false},
		{"whom the decision has concerned", "fay", undone, OwnCase, false, false},
		{"a reporter of what was decided", "bob", undone, OwnReport, false, true},
		{"an appeal, by who has decided", "mod", appeal, "", false, false},
		{"an appeal, by another", "other", appeal, "", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			moderator := access.Player(tt.playerID, "m", []string{access.Moderator})
			admin := access.Player(tt.playerID, "a", []string{access.Admin})
			for _, by := range []struct {
				actor         access.Actor
				override, may bool
			}{
				{moderator, false, tt.may}, {moderator, true, tt.may},
				{admin, false, tt.may}, {admin, true, tt.mayAdmin},
			} {
				got, err := checkConflict(by.actor, tt.judged, by.override)
				if got != tt.want || (err == nil) != by.may || err != nil && !errors.Is(err, ErrConflict) {
					t.Errorf("%v, override %v: %q, %v", by.actor.Roles, by.override, got, err)
				}
			}
		})
	}
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	player, banned := &Player{ID: "p"}, &Player{ID: "p", Banned: true}
	deleted, withRole := &Player{ID: "p", Deleted: true}, &Player{ID: "p", Roles: []string{access.Moderator}}
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
		{"a player with a role", mod, ofPlayer(withRole), false, []DecisionKind{Warn}},
		{"a player with a role, by an admin", admin, ofPlayer(withRole), false, []DecisionKind{Warn, Ban, Merge}},
		{"a banned player, by an admin", admin, ofPlayer(banned), true, []DecisionKind{Dismiss, Warn, Unban, Merge}},
		{"a player whose account was deleted", admin, ofPlayer(deleted), true, []DecisionKind{Dismiss}},
		{"the map of one", admin, ofMap(Map{}, deleted), false, []DecisionKind{RemoveMap, UnrankMap}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Allowed(tt.by, tt.thing, tt.hasCase)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckKind(t *testing.T) {
	t.Parallel()
	thing := Thing{Subject: Subject{Kind: OfPlayer}, Player: &Player{ID: "p", Roles: []string{"artist"}}}
	mod := access.Player("m", "m", []string{access.Moderator})
	for kind, want := range map[DecisionKind]error{Warn: nil, Ban: ErrBanAdminsOnly, Unban: ErrNotApplicable} {
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

// Whatever can be undone has an inverse, whose command undoes that of the other.
func TestDecision_IsUndoable(t *testing.T) {
	t.Parallel()
	for _, kind := range DecisionKinds {
		d := Decision{Kind: kind, State: CarriedOut, At: now}
		want := kind != Merge && kind != Reopen && kind != WithdrawWarning
		if d.IsUndoable(now, false) != want {
			t.Errorf("%s can be undone: %v", kind, !want)
		}
		if want && (inverses[inverses[kind]] != kind && inverses[inverses[kind]] != "") {
			t.Errorf("%s is undone by %s, that by %s", kind, inverses[kind], inverses[inverses[kind]])
		}
	}
	base := Decision{Kind: Ban, State: CarriedOut, At: now}
	for name, change := range map[string]func(d *Decision){
		"pending":      func(d *Decision) { d.State = Pending },
		"refused":      func(d *Decision) { d.State = Refused },
		"undone":       func(d *Decision) { d.UndoneBy = "other" },
		"needless":     func(d *Decision) { d.Needless = true },
		"after a year": func(d *Decision) { d.At = now.Add(-undoPeriod) },
	} {
		d := base
		if change(&d); d.IsUndoable(now, false) {
			t.Errorf("a decision can be undone: %s", name)
		}
		if forAppeal := d.IsUndoable(now, true); forAppeal != (name == "after a year") {
			t.Errorf("for an appeal a decision can be undone %s: %t", name, forAppeal)
		}
	}
}

func TestDecision_Commands(t *testing.T) {
	t.Parallel()
	by := access.Attribution{Reason: "why", PublicReason: access.Edited, DecisionID: "d"}
	of := func(kind DecisionKind, change ...func(d *Decision)) Decision {
		d := Decision{
			ID: "d", Kind: kind, Subject: Subject{ID: "s", PlayerID: "p"}, Text: "why", PublicReason: access.Edited,
		}
		for _, c := range change {
			c(&d)
		}
		return d
	}
	until := func(d *Decision) { d.Until = now }
	keep := func(d *Decision) { d.KeepRecords = true }
	into := func(d *Decision) { d.IntoID = "i" }
	unban := event.UnbanPlayer{Attribution: by, PlayerID: "p"}
	// The second command is the service's own.
	hide := event.HidePlayer{Attribution: by, PlayerID: "p"}
	hide.Actor = access.System("moderation")
	for _, tt := range []struct {
		decision Decision
		want     []event.Command
	}{
		{of(Dismiss), nil},
		{of(Warn), nil},
		{of(Reopen), nil},
		{of(WithdrawWarning), nil},
		{of(RemoveRecord), []event.Command{event.RemoveRecord{Attribution: by, RecordID: "s"}}},
		{of(RestoreRecord), []event.Command{event.RestoreRecord{Attribution: by, RecordID: "s"}}},
		{of(RemoveMap), []event.Command{event.RemoveMap{Attribution: by, MapID: "s"}}},
		{of(RestoreMap), []event.Command{event.RestoreMap{Attribution: by, MapID: "s"}}},
		{of(UnrankMap), []event.Command{event.UnrankMap{Attribution: by, MapID: "s"}}},
		{of(RankMap), []event.Command{event.RankMap{Attribution: by, MapID: "s"}}},
		{of(Ban), []event.Command{event.BanPlayer{Attribution: by, PlayerID: "p"}, hide}},
		{of(Ban, until, keep), []event.Command{event.BanPlayer{Attribution: by, PlayerID: "p", Until: now}}},
		{of(Unban, keep), []event.Command{unban}},
		{of(Unban), []event.Command{unban, event.ShowPlayer(hide)}},
		{of(Merge, into), []event.Command{event.MergePlayer{Attribution: by, PlayerID: "p", IntoID: "i"}}},
	} {
		if diff := cmp.Diff(tt.want, tt.decision.Commands(access.Attribution{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.decision.Kind, diff)
		}
	}
}

func TestDecision_Confirms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   DecisionKind
		undoes string
		want   bool
	}{
		{Dismiss, "", false}, {Warn, "", true}, {RemoveRecord, "", true}, {RestoreRecord, "", true}, {Merge, "", true},
		{RestoreRecord, "d", false}, {Unban, "d", false}, {WithdrawWarning, "d", false}, {RemoveRecord, "d", true},
	} {
		if got := (Decision{Kind: tt.kind, Undoes: tt.undoes}).Confirms(); got != tt.want {
			t.Errorf("%s that undoes %q: %v", tt.kind, tt.undoes, got)
		}
	}
}

func TestCheckAppeal(t *testing.T) {
	t.Parallel()
	d := Decision{Kind: Ban, State: CarriedOut}
	undone, refused, restored := d, d, d
	undone.UndoneBy, refused.State, restored.Kind = "other", Refused, RestoreRecord
	answered := func(ago time.Duration) *Appeal { return &Appeal{State: AppealKept, AnsweredAt: now.Add(-ago)} }
	for _, tt := range []struct {
		name string
		d    Decision
		last *Appeal
		want error
	}{
		{"the first", d, nil, nil},
		{"a decision that was undone", undone, nil, ErrAppealNotApplicable},
		{"a decision that was refused", refused, nil, ErrAppealNotApplicable},
		{"a decision that gives", restored, nil, ErrAppealNotApplicable},
		{"an open one", d, &Appeal{State: AppealOpen}, ErrAppealExists},
		{"29 days after an answer", d, answered(29 * day), ErrAppealTooSoon},
		{"30 days after an answer", d, answered(30 * day), nil},
	} {
		err := checkAppeal(tt.d, tt.last, now)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if errors.Is(err, ErrAppealTooSoon) && problem.From(err).RetryAfter != day {
			t.Errorf("%s: try again after %s", tt.name, problem.From(err).RetryAfter)
		}
	}
}

// A moderator asks back while a message of the player waits, five times at most, and each question lets the player send
// three messages again.
func TestAppeal_CheckMessage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		// messages are those of the player (p) and of moderators (m).
		messages       string
		state          AppealState
		message, asked error
	}{
		{"a new appeal", "p", AppealOpen, nil, nil},
		{"two messages", "pp", AppealOpen, nil, nil},
		{"three messages", "ppp", AppealOpen, ErrAppealMessagesFull, nil},
		{"a question", "pppm", AppealOpen, nil, ErrAppealAsked},
		{"an answer to a question", "pppmp", AppealOpen, nil, nil},
		{"three of them", "pmppp", AppealOpen, ErrAppealMessagesFull, nil},
		{"five questions", "pmpmpmpmpmp", AppealOpen, nil, ErrAppealQuestionsFull},
		{"an answered appeal", "pm", AppealKept, ErrAppealAnswered, ErrAppealAnswered},
	} {
		appeal := Appeal{State: tt.state}
		for _, from := range tt.messages {
			appeal.Messages = append(appeal.Messages, AppealMessage{FromModerator: from == 'm'})
		}
		if err := appeal.CheckMessage(false); !errors.Is(err, tt.message) {
			t.Errorf("%s: a message of the player: %v, want %v", tt.name, err, tt.message)
		}
		if err := appeal.CheckMessage(true); !errors.Is(err, tt.asked) {
			t.Errorf("%s: a question: %v, want %v", tt.name, err, tt.asked)
		}
	}
}

// Who has decided does not answer an appeal where another moderator can.
func TestAnsweredBy(t *testing.T) {
	t.Parallel()
	d := Decision{ByID: "mod", Subject: Subject{PlayerID: "ann"}}
	for _, tt := range []struct {
		moderators []string
		want       string
	}{
		{[]string{"mod", "other"}, "mod"}, {[]string{"ann", "mod", "other"}, "mod"},
		{[]string{"mod"}, ""}, {[]string{"ann", "mod"}, ""}, {nil, ""},
	} {
		if got := answeredBy(d, tt.moderators); got != tt.want {
			t.Errorf("moderators %v: %q, want %q", tt.moderators, got, tt.want)
		}
	}
}

func TestFindFlags(t *testing.T) {
	t.Parallel()
	fact := event.RecordSubmitted{RecordID: "r", FinishTime: 40_000, At: now}
	record := event.InspectedRecord{
		RecordID: "r", MapID: "m", PlayerID: "p", FinishTime: 40_000, FinishTimeStamp: now, Finishers: 20,
	}
	old := now.AddDate(-1, 0, 0)
	// versions are those of the replay, and of the map's, which was finished so long before.
	versions := func(mod, game, mapMod, mapGame string, before time.Duration,
	) func(*event.RecordSubmitted, *event.InspectedRecord) {
		return func(_ *event.RecordSubmitted, r *event.InspectedRecord) {
			r.Replay = event.ReplayVersions{Mod: mod, Game: game}
			r.MapReplay = &event.MapReplay{
				ReplayVersions: event.ReplayVersions{Mod: mapMod, Game: mapGame}, FinishTimeStamp: now.Add(-before),
			}
		}
	}
	type change = func(*event.RecordSubmitted, *event.InspectedRecord)
	lead := func(previous int64, finishers int) change {
		return func(f *event.RecordSubmitted, r *event.InspectedRecord) {
			f.PreviousWorldRecord, r.Finishers = &event.WorldRecord{FinishTime: previous}, int64(finishers)
		}
	}
	ranked := func(rank int, isFirst bool, finishers int) change {
		return func(f *event.RecordSubmitted, r *event.InspectedRecord) {
			f.Rank, r.IsFirst, r.Finishers = int64(rank), isFirst, int64(finishers)
		}
	}
	adjacent := func(mapID string, before time.Duration, finishTime int64) change {
		return func(_ *event.RecordSubmitted, r *event.InspectedRecord) {
			r.Adjacent = []event.Finish{{
				RecordID: "o", MapID: mapID, PlayerID: "p", FinishTime: finishTime, FinishTimeStamp: now.Add(-before),
			}}
		}
	}
	copied := func(mapData bool) change {
		return func(_ *event.RecordSubmitted, r *event.InspectedRecord) {
			r.Copied = &event.Finish{RecordID: "c", PlayerID: "q", FinishTime: 40_033, FinishTimeStamp: now}
			r.CopiedMapData = mapData
		}
	}
	for _, tt := range []struct {
		name   string
		change func(f *event.RecordSubmitted, r *event.InspectedRecord)
		since  time.Time
		want   []FlagKind
	}{
		{"nothing remarkable", func(*event.RecordSubmitted, *event.InspectedRecord) {}, old, nil},
		{"15 % better", lead(47_000, 20), old, nil},
		{"more than 15 % better", lead(47_100, 20), old, []FlagKind{LargeLead}},
		{"better on a leaderboard of four", lead(90_000, 4), old, nil},
		{"a new account in the top 3", ranked(3, true, 20), now.Add(-23 * time.Hour), []FlagKind{NewAccount}},
		{"a new account in place 4", ranked(4, true, 20), now.Add(-time.Hour), nil},
		{"an account of a day", ranked(1, true, 20), now.Add(-24 * time.Hour), nil},
		{"the second record of a new account", ranked(1, false, 20), now.Add(-time.Hour), nil},
		{"one of nineteen", ranked(1, true, 19), now.Add(-time.Hour), nil},
		{"the same moment on another map", adjacent("m2", time.Second, 30_000), old, []FlagKind{SameMoment}},
		{"enough time since the finish before", adjacent("m2", 39*time.Second, 30_000), old, nil},
		{"too little time since the finish before", adjacent("m2", 38*time.Second, 30_000), old, []FlagKind{ImpossiblePace}},
		{"too little time until the finish after", adjacent("m", -38*time.Second, 60_000), old, []FlagKind{ImpossiblePace}},
		{"enough time until the finish after", adjacent("m", -38*time.Second, 30_000), old, nil},
		{"the time of another", copied(false), old, []FlagKind{CopiedFinish}},
		{"the time of another in a file with the same map data", copied(true), old, []FlagKind{RelabelledReplay}},
		{"older versions than the map's replay", versions("1.2.10", "48", "1.3.0", "49", time.Minute), old,
			[]FlagKind{OldVersion}},
		{"an older version of the mod", versions("1.2.10", "49", "1.3", "49", 0), old, []FlagKind{OldVersion}},
		{"an older version of the game", versions("1.3.0", "48", "1.3.0", "49", time.Minute), old, []FlagKind{OldVersion}},
		{"the same versions", versions("1.3", "49", "1.3.0", "49", time.Minute), old, nil},
		{"newer versions", versions("1.10.0", "100", "1.9.9", "49", time.Minute), old, nil},
		{"older versions and an older finish", versions("1.2.0", "48", "1.3.0", "49", -time.Second), old, nil},
		{"no versions", versions("", "", "1.3.0", "49", time.Minute), old, nil},
		{"no versions in the map's replay", versions("1.2.0", "48", "", "", time.Minute), old, nil},
		{"an unknown replay of the map", func(_ *event.RecordSubmitted, r *event.InspectedRecord) {
			r.Replay = event.ReplayVersions{Mod: "0.1", Game: "1"}
		}, old, nil},
		{"no time stamp of its own", func(f *event.RecordSubmitted, r *event.InspectedRecord) {
			versions("1.2.0", "48", "1.3.0", "49", time.Minute)(f, r)
			r.Undated = true
		}, old, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, r := fact, record
			tt.change(&f, &r)
			var got []FlagKind
			for _, flag := range FindFlags(f, r, tt.since) {
				got = append(got, flag.Kind)
				if len(flag.Numbers) == 0 || !flag.At.Equal(now) {
					t.Errorf("%+v has no numbers or no time", flag)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFlagPrecision_IsSilent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		judged, confirmed int
		want              bool
	}{{0, 0, false}, {9, 0, false}, {10, 0, true}, {10, 1, true}, {10, 2, false}, {50, 9, true}, {50, 10, false}} {
		if got := (FlagPrecision{Judged: tt.judged, Confirmed: tt.confirmed}).IsSilent(); got != tt.want {
			t.Errorf("%d of %d: %v", tt.confirmed, tt.judged, got)
		}
	}
}

func TestFlagging_Judge(t *testing.T) {
	t.Parallel()
	f := Flagging{Flags: []Flag{{ID: "1", Kind: LargeLead}, {ID: "2", Kind: SameMoment}}}
	flags, loud := f.Judge([]FlagPrecision{{Kind: LargeLead, Judged: 10}, {Kind: SameMoment, Judged: 10, Confirmed: 9}})
	want := []Flag{{ID: "1", Kind: LargeLead, Silent: true}, {ID: "2", Kind: SameMoment}}
	if diff := cmp.Diff(want, flags); diff != "" || loud != 1 {
		t.Errorf("%d are loud (-want +got):\n%s", loud, diff)
	}
}

func TestSettlement_state(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]CommandState{
		"": CommandDone, "already_hidden": CommandNeedless, "not_hidden": CommandNeedless, "not_banned": CommandNeedless,
		"player_merged": CommandRefused,
	} {
		if got := (Settlement{Code: code}).state(); got != want {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
	}
}

func TestReporter_May(t *testing.T) {
	t.Parallel()
	report := Report{Reason: access.Edited, Text: "It is.", At: now}
	about := Subject{Kind: OfRecord, PlayerID: "ann"}
	own := func(text string) *Report { return &Report{ID: "first", Reason: access.Edited, Text: text} }
	oldest := now.Add(-23 * time.Hour)
	for _, tt := range []struct {
		name     string
		reporter Reporter
		want     error
	}{
		{"the first", Reporter{ID: "bob"}, nil},
		{"the tenth of a day", Reporter{ID: "bob", Today: 9, Oldest: oldest}, nil},
		{"the eleventh of a day", Reporter{ID: "bob", Today: 10, Oldest: oldest}, ErrReportsFull},
		{"the own", Reporter{ID: "ann"}, ErrReportOwn},
		{"another one of the same", Reporter{ID: "bob", Own: own("It is not.")}, ErrReportExists},
		{"the same again", Reporter{ID: "bob", Own: own("It is."), Today: 10, Oldest: oldest}, nil},
		{"after the account was deleted", Reporter{ID: "bob", IsDeleted: true}, event.ErrPlayerDeleted},
	} {
		err := tt.reporter.May(report, about)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if errors.Is(err, ErrReportsFull) && problem.From(err).RetryAfter != time.Hour {
			t.Errorf("%s: try again after %s", tt.name, problem.From(err).RetryAfter)
		}
	}
}
