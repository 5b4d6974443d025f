package notification_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/notification"
)

const (
	ann   = "0198c2f4-0000-7000-8000-00000000000a"
	bob   = "0198c2f4-0000-7000-8000-00000000000b"
	cleo  = "0198c2f4-0000-7000-8000-00000000000c"
	dora  = "0198c2f4-0000-7000-8000-00000000000d"
	mapID = "0198c2f4-0000-7000-9000-000000000001"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// row is what the tests compare of a notification of a record.
type row struct {
	Receiver string
	Kind     notification.Kind
	From, To int
	Own      int64 // time
}

func rowsOf(notifications []notification.Notification) []row {
	var all []row
	for _, n := range notifications {
		all = append(all, row{n.ReceiverID, n.Kind, n.From, n.To, n.OwnFinishTime})
	}
	return all
}

func TestOfRecord(t *testing.T) {
	t.Parallel()
	moved := func(player string, from int) event.MovedPlayer {
		return event.MovedPlayer{PlayerID: player, From: from, To: from + 1, FinishTime: 40_000}
	}
	lost := func(player string) *event.WorldRecord {
		return &event.WorldRecord{PlayerID: player, FinishTime: 41_000}
	}
	for _, tt := range []struct {
		name     string
		fact     event.RecordSubmitted
		audience notification.Audience
		want     []row
	}{
		{"no player is concerned", event.RecordSubmitted{}, notification.Audience{}, nil},
		{
			"a lost world record comes before a lost place",
			event.RecordSubmitted{
				PreviousWorldRecord: lost(bob), Overtook: []event.MovedPlayer{moved(bob, 1), moved(cleo, 2)},
			},
			notification.Audience{},
			[]row{
				{bob, notification.RecordLost, 1, 2, 41_000}, {bob, notification.Passed, 1, 2, 40_000},
				{cleo, notification.Passed, 2, 3, 40_000},
			},
		},
		{
			"a world record without a row that was passed",
			event.RecordSubmitted{PreviousWorldRecord: lost(bob)},
			notification.Audience{}, []row{{bob, notification.RecordLost, 0, 0, 41_000}},
		},
		{
			"the own world record", event.RecordSubmitted{PreviousWorldRecord: lost(ann)}, notification.Audience{}, nil,
		},
		{
			"a follower who was passed far below",
			event.RecordSubmitted{},
			notification.Audience{Passed: []event.MovedPlayer{moved(bob, 40)}, OfPlayer: []string{bob, cleo}},
			[]row{
				{bob, notification.Passed, 40, 41, 40_000}, {bob, notification.FollowedRecord, 0, 0, 0},
				{cleo, notification.FollowedRecord, 0, 0, 0},
			},
		},
		{
			"no player is told of the own record",
			event.RecordSubmitted{Overtook: []event.MovedPlayer{moved(ann, 3)}},
			notification.Audience{AuthorID: ann, OfPlayer: []string{ann}, OfMap: []string{ann}}, nil,
		},
		{
			"the most important kind first",
			event.RecordSubmitted{Overtook: []event.MovedPlayer{moved(bob, 3)}},
			notification.Audience{AuthorID: cleo, OfPlayer: []string{bob, cleo, dora}, OfMap: []string{ann, bob, cleo, dora}},
			[]row{
				{bob, notification.Passed, 3, 4, 40_000}, {cleo, notification.RecordOnMyMap, 0, 0, 0},
				{bob, notification.FollowedRecord, 0, 0, 0}, {cleo, notification.FollowedRecord, 0, 0, 0},
				{dora, notification.FollowedRecord, 0, 0, 0}, {bob, notification.FollowedMapRecord, 0, 0, 0},
				{cleo, notification.FollowedMapRecord, 0, 0, 0}, {dora, notification.FollowedMapRecord, 0, 0, 0},
			},
		},
		{
			"a follower of the map", event.RecordSubmitted{}, notification.Audience{AuthorID: ann, OfMap: []string{bob}},
			[]row{{bob, notification.FollowedMapRecord, 0, 0, 0}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.fact.PlayerID, tt.fact.PersonalBest = ann, true
			require.Equal(t, "notifications", tt.want, rowsOf(notification.OfRecord(tt.fact, tt.audience)))
		})
	}
}

func TestOfRecord_content(t *testing.T) {
	t.Parallel()
	fact := event.RecordSubmitted{
		RecordID: "r", MapID: mapID, PlayerID: ann, FinishTime: 41_267, PersonalBest: true, At: noon,
		Overtook: []event.MovedPlayer{{PlayerID: bob, RecordID: "b", FinishTime: 42_000, From: 1, To: 2}},
	}
	want := []notification.Notification{
		{
			ReceiverID: bob, Kind: notification.Passed, CauseID: "r", GroupID: mapID, PlayerID: ann, MapID: mapID,
			RecordID: "r", FinishTime: 41_267, OwnFinishTime: 42_000, From: 1, To: 2, At: noon,
		},
		{
			ReceiverID: cleo, Kind: notification.FollowedRecord, CauseID: "r", GroupID: ann, PlayerID: ann, MapID: mapID,
			RecordID: "r", FinishTime: 41_267, At: noon,
		},
	}
	got := notification.OfRecord(fact, notification.Audience{OfPlayer: []string{cleo}})
	require.Equal(t, "notifications", want, got)
}

func TestOfRemoval(t *testing.T) {
	t.Parallel()
	fact := event.RecordRemoved{RecordID: "removed", MapID: mapID, PlayerID: ann, FinishTime: 40_000, At: noon}
	if got := notification.OfRemoval(fact).Notifications; got != nil {
		t.Errorf("of a record that was no world record: %+v", got)
	}
	fact.WorldRecord = &event.WorldRecord{RecordID: "again", PlayerID: bob, FinishTime: 41_000}
	want := []notification.Notification{{
		ReceiverID: bob, Kind: notification.RecordRegained, CauseID: "removed", GroupID: mapID, PlayerID: ann,
		MapID: mapID, RecordID: "again", FinishTime: 41_000, At: noon,
	}}
	require.Equal(t, "notifications", want, notification.OfRemoval(fact).Notifications)
	// A restored record tells whom it takes the world record from.
	restored := notification.OfRestoration(event.RecordRestored(fact)).Notifications
	if len(restored) != 1 || restored[0].Kind != notification.RecordLost || restored[0].ReceiverID != bob ||
		restored[0].RecordID != "removed" || restored[0].PlayerID != ann {
		t.Errorf("of the restoration: %+v", restored)
	}
	fact.WorldRecord.PlayerID = ann
	if got := notification.OfRemoval(fact).Notifications; got != nil {
		t.Errorf("of the player's own former record: %+v", got)
	}
}

func TestOfHiding(t *testing.T) {
	t.Parallel()
	const otherMap = "0198c2f4-0000-7000-9000-000000000002"
	fact := event.RecordsHidden{PlayerID: ann, At: noon, WorldRecords: []event.MapWorldRecord{
		{MapID: mapID, WorldRecord: event.WorldRecord{RecordID: "b1", PlayerID: bob, FinishTime: 41_000}},
		{MapID: otherMap, WorldRecord: event.WorldRecord{RecordID: "b2", PlayerID: bob, FinishTime: 42_000}},
	}}
	got := notification.OfHiding(fact).Notifications
	if len(got) != 2 || got[0].ReceiverID != bob || got[1].MapID != otherMap || got[0].CauseID == got[1].CauseID {
		t.Errorf("notifications: %+v", got)
	}
	if diff := cmp.Diff(got, notification.OfHiding(fact).Notifications); diff != "" {
		t.Errorf("the same hiding has other causes:\n%s", diff)
	}
}

func TestOfVersion(t *testing.T) {
	t.Parallel()
	version := notification.Map{ID: mapID, AuthorID: ann}
	fact := event.MapCreated{MapID: mapID, SubmittedByID: bob}
	receivers := func() (all []string) {
		for _, n := range notification.OfVersion(fact, version, noon, []string{ann, cleo}, []string{bob, cleo, dora}) {
			if n.Kind != notification.MapNewVersion || n.CauseID != mapID || n.GroupID != mapID {
				t.Errorf("a notification of a version: %+v", n)
			}
			all = append(all, n.ReceiverID)
		}
		return all
	}
	require.Equal(t, "receivers", []string{cleo, dora}, receivers())
}

func TestOfDecisions(t *testing.T) {
	t.Parallel()
	const decision, appeal, record = "0198c2f4-0000-7000-9000-000000000003", "0198c2f4-0000-7000-9000-000000000004",
		"0198c2f4-0000-7000-9000-000000000005"
	ofRecord := event.DecidedSubject{Kind: "record", ID: record, MapID: mapID, PlayerID: ann}
	ofPlayer := event.DecidedSubject{Kind: "player", ID: ann}
	outcome := notification.Outcome{Decision: "remove_record", PublicReason: "edited"}
	reported := func(receiver string) notification.Notification {
		return notification.Notification{
			ReceiverID: receiver, Kind: notification.ReportDecided, CauseID: decision, GroupID: record, MapID: mapID,
			RecordID: record, PlayerID: ann, Outcome: outcome, At: noon,
		}
	}
	for _, tt := range []struct {
		name string
		got  notification.Effect
		want []notification.Notification
	}{
		{"a decision about a record",
			notification.OfDecision(event.ModerationDecided{
				DecisionID: decision, PlayerID: ann, Decided: ofRecord, Kind: "remove_record", PublicReason: "edited", At: noon,
			}),
			[]notification.Notification{{
				ReceiverID: ann, Kind: notification.Moderated, CauseID: decision, GroupID: record, MapID: mapID,
				RecordID: record, DecisionID: decision, Outcome: outcome, At: noon,
			}}},
		{"a decision about a player",
			notification.OfDecision(event.ModerationDecided{DecisionID: decision, PlayerID: ann, Decided: ofPlayer, At: noon}),
			[]notification.Notification{{
				ReceiverID: ann, Kind: notification.Moderated, CauseID: decision, GroupID: ann, DecisionID: decision, At: noon,
			}}},
		{"reports",
			notification.OfReports(event.ReportClosed{
				DecisionID: decision, ReporterIDs: []string{bob, cleo}, Decided: ofRecord, Kind: "remove_record",
				PublicReason: "edited", At: noon,
			}),
			[]notification.Notification{reported(bob), reported(cleo)}},
		{"a question in an appeal",
			notification.OfAppeal(event.AppealAnswered{
				AppealID: appeal, QuestionID: record, DecisionID: decision, PlayerID: ann, Decided: ofPlayer, At: noon,
			}),
			[]notification.Notification{{
				ReceiverID: ann, Kind: notification.AppealAnswered, CauseID: record, GroupID: ann, DecisionID: decision,
				Outcome: notification.Outcome{Appeal: notification.AppealAsked}, At: noon,
			}}},
		{"an appeal that is granted",
			notification.OfAppeal(event.AppealAnswered{
				AppealID: appeal, DecisionID: decision, PlayerID: ann, Decided: ofPlayer, Granted: true, At: noon,
			}),
			[]notification.Notification{{
				ReceiverID: ann, Kind: notification.AppealAnswered, CauseID: appeal, GroupID: ann, DecisionID: decision,
				Outcome: notification.Outcome{Appeal: notification.AppealGranted}, At: noon,
			}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, "notifications", tt.want, tt.got.Notifications)
		})
	}
}
