package notification_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/notification"
)

// A record that is no personal best, and the first version of a map, are told to nobody, so that nobody is asked.
func TestNotifier_tells_nobody(t *testing.T) {
	t.Parallel()
	notifier := &notification.Notifier{}
	best, err := notifier.RecordSubmitted(t.Context(), event.RecordSubmitted{
		RecordID: "r", MapID: mapID, PlayerID: ann, PreviousWorldRecord: &event.WorldRecord{PlayerID: bob},
	})
	require.NoError(t, err)
	require.Equal(t, "of no personal best", notification.Effect{}, best)
	first, err := notifier.MapCreated(t.Context(), event.MapCreated{MapID: mapID, SubmittedByID: bob})
	require.NoError(t, err)
	require.Equal(t, "of a first version", notification.Effect{}, first)
}

// Nobody is told who was deleted, has the kind switched off, or made the record. Banned players are told of decisions
// alone, and each receiver is told once of a cause.
func TestReceivers_Select(t *testing.T) {
	t.Parallel()
	lost := func(receiver, cause string) notification.Notification {
		return notification.Notification{
			ReceiverID: receiver, Kind: notification.RecordLost, CauseID: cause, GroupID: mapID, PlayerID: ann,
		}
	}
	followed := func(receiver, of string) notification.Notification {
		n := lost(receiver, "r")
		n.Kind, n.GroupID, n.PlayerID = notification.FollowedRecord, of, of
		return n
	}
	moderated := notification.Notification{ReceiverID: bob, Kind: notification.Moderated, CauseID: "d", GroupID: "d"}
	answered := moderated
	answered.Kind = notification.AppealAnswered
	reported := moderated
	reported.Kind = notification.ReportDecided
	type list = []notification.Notification
	for _, tt := range []struct {
		name          string
		notifications list
		receivers     notification.Receivers
		want          list
	}{
		{"nobody", nil, nil, nil},
		{"a player", list{lost(bob, "r")}, notification.Receivers{{ID: bob, PlayerID: ann}}, list{lost(bob, "r")}},
		{"by choice", list{lost(bob, "r")},
			notification.Receivers{{ID: bob, PlayerID: ann, Delivery: notification.InBrowser}}, list{lost(bob, "r")}},
		{"not by choice", list{lost(bob, "r")},
			notification.Receivers{{ID: bob, PlayerID: ann, Delivery: notification.Off}}, nil},
		{"a deleted player", list{moderated}, notification.Receivers{{ID: bob, IsDeleted: true}}, nil},
		{"a banned player", list{lost(bob, "r"), moderated, answered, reported}, notification.Receivers{
			{ID: bob, PlayerID: ann, IsBanned: true}, {ID: bob, IsBanned: true}, {ID: cleo, IsBanned: true},
			{ID: bob, IsBanned: true},
		}, list{moderated, func() notification.Notification { n := answered; n.ReceiverID = cleo; return n }()}},
		{"whom the receiver was merged into", list{lost(bob, "r")},
			notification.Receivers{{ID: cleo, PlayerID: ann}}, list{lost(cleo, "r")}},
		{"who was merged into the record's player", list{lost(bob, "r")},
			notification.Receivers{{ID: ann, PlayerID: ann}}, nil},
		{"of whom the record's player was merged into", list{followed(bob, ann)},
			notification.Receivers{{ID: bob, PlayerID: dora}}, list{followed(bob, dora)}},
		{"once of a cause, in the order of receivers",
			list{lost(dora, "r"), lost(bob, "r"), followed(cleo, ann), lost(bob, "s")}, notification.Receivers{
				{ID: dora, PlayerID: ann}, {ID: bob, PlayerID: ann}, {ID: bob, PlayerID: ann}, {ID: bob, PlayerID: ann},
			}, list{lost(bob, "r"), lost(bob, "s"), lost(dora, "r")}},
		{"by the first kind that is on", list{lost(bob, "r"), followed(bob, ann)}, notification.Receivers{
			{ID: bob, PlayerID: ann, Delivery: notification.Off}, {ID: bob, PlayerID: ann},
		}, list{followed(bob, ann)}},
	} {
		assert.Equal(t, tt.name, tt.want, tt.receivers.Select(tt.notifications))
	}
}

func TestAdded(t *testing.T) {
	t.Parallel()
	to := func(receiver string, kind notification.Kind) notification.Notification {
		return notification.Notification{ReceiverID: receiver, Kind: kind}
	}
	want := []event.NotificationsAdded{
		{PlayerIDs: []string{cleo}, Kind: "record_lost", At: noon},
		{PlayerIDs: []string{ann, bob}, Kind: "passed", At: noon},
	}
	require.Equal(t, "facts", want, notification.Added([]notification.Notification{
		to(bob, notification.Passed), to(cleo, notification.RecordLost), to(ann, notification.Passed),
		to(bob, notification.Passed),
	}, noon.Add(123456).In(time.FixedZone("CET", 3600))))
}
