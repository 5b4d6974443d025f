package natsapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/services/moderation/internal/moderation"
	"capzone.dev/services/moderation/internal/natsapi"
	"capzone.dev/services/moderation/migrations"
)

const (
	ann        = "0198c2f4-0000-7000-8000-00000000000a"
	bob        = "0198c2f4-0000-7000-8000-00000000000b"
	mapID      = "0198c2f4-0000-7000-9000-000000000001"
	recordID   = "0198c2f4-0000-7000-a000-000000000001"
	decisionID = "0198c2f4-0000-7000-b000-000000000001"
)

// told is when the facts of the tests were published.
var told = time.Date(2026, 5, 11, 18, 2, 33, 0, time.UTC)

func message(id, data string) event.Envelope {
	return event.Envelope{ID: id, At: told, Data: json.RawMessage(data)}
}

// Each fact of an owner settles its command, and is applied once.
func TestApplyFacts_settles(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "moderation", migrations.FS)
	ofRecord := `"recordId":"` + recordID + `","mapId":"` + mapID + `","playerId":"` + ann + `"`
	ofPlayer, ofMap := `"playerId":"`+ann+`"`, `"mapId":"`+mapID+`"`
	for _, tt := range []struct {
		subject, about, command string
	}{
		{event.RecordRemovedSubject, ofRecord, event.RemoveRecordSubject},
		{event.RecordRestoredSubject, ofRecord, event.RestoreRecordSubject},
		{event.RecordsHiddenSubject, ofPlayer, event.HidePlayerSubject},
		{event.RecordsShownSubject, ofPlayer, event.ShowPlayerSubject},
		{event.MapRemovedSubject, ofMap, event.RemoveMapSubject},
		{event.MapRestoredSubject, ofMap, event.RestoreMapSubject},
		{event.MapUnrankedSubject, ofMap, event.UnrankMapSubject},
		{event.MapRankedSubject, ofMap, event.RankMapSubject},
		{event.PlayerBannedSubject, ofPlayer, event.BanPlayerSubject},
		{event.PlayerUnbannedSubject, ofPlayer, event.UnbanPlayerSubject},
		{event.PlayerMergedSubject, ofPlayer + `,"intoId":"` + bob + `"`, event.MergePlayerSubject},
	} {
		t.Run(tt.subject, func(t *testing.T) {
			t.Parallel()
			got := facts{settles: true}
			handle := natsapi.ApplyFacts(pool, nil, &got)
			for range 2 {
				fact := message(tt.subject, `{`+tt.about+`,"decisionId":"`+decisionID+`"}`)
				require.NoError(t, handle(t.Context(), tt.subject, fact))
			}
			want := []moderation.Settlement{{DecisionID: decisionID, Command: tt.command, At: told}}
			require.Equal(t, "settled", want, got.settled)
		})
	}
}

func TestApplyFacts(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "moderation", migrations.FS)
	ended := moderation.Settlement{DecisionID: decisionID, Command: event.UnbanPlayerSubject, At: told}
	const unbanned = `{"playerId":"` + ann + `","decisionId":"` + decisionID + `"}`
	for _, tt := range []struct {
		name, subject, data string
		settles             bool
		settled             []moderation.Settlement
		shown               []string
		err                 error
	}{
		{
			"a refused command", event.CommandRefusedSubject, `{"decisionId":"` + decisionID + `","command":"` +
				event.RemoveMapSubject + `","targetId":"` + mapID + `","code":"map_gone","message":"It is gone."}`, true,
			[]moderation.Settlement{{
				DecisionID: decisionID, Command: event.RemoveMapSubject, Code: "map_gone", Message: "It is gone.",
				At: told,
			}}, nil, nil,
		},
		{"a ban that a decision ends", event.PlayerUnbannedSubject, unbanned, true, []moderation.Settlement{ended}, nil, nil},
		{"a ban whose time is over", event.PlayerUnbannedSubject, unbanned, false, []moderation.Settlement{ended},
			[]string{ann}, nil},
		{"a ban of nobody", event.PlayerUnbannedSubject, `{"playerId":"x"}`, false, nil, nil, eventbus.ErrUndecodable},
		{"not a fact", event.RecordRemovedSubject, `[]`, false, nil, nil, eventbus.ErrUndecodable},
		{"an unknown subject", event.MapCreatedSubject, `{}`, false, nil, nil, eventbus.ErrUndecodable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := facts{settles: tt.settles}
			handle := natsapi.ApplyFacts(pool, nil, &got)
			if err := handle(t.Context(), tt.subject, message(tt.name, tt.data)); !errors.Is(err, tt.err) {
				t.Errorf("returned %v, want %v", err, tt.err)
			}
			require.Equal(t, "settled", tt.settled, got.settled)
			require.Equal(t, "shown", tt.shown, got.shown)
		})
	}
}

// The records service is asked while no connection to the database is in use. Without an answer there are no flags.
func TestApplyFacts_asks_before_the_transaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "moderation", migrations.FS)
	away := problem.Unavailable("service_unavailable", "Away.")
	records := &inspector{t: t, pool: pool, err: away}
	var got facts
	handle := natsapi.ApplyFacts(pool, &moderation.Flagger{
		Records: records, NewID: func() string { return decisionID },
	}, &got)
	submitted := message("1", `{"recordId":"`+recordID+`","mapId":"`+mapID+`","playerId":"`+ann+
		`","finishTime":40000,"at":"2026-05-11T18:02:33Z"}`)
	deliver := func() error { return handle(t.Context(), event.RecordSubmittedSubject, submitted) }
	if err := deliver(); !errors.Is(err, away) || len(got.flagged) != 0 {
		t.Errorf("without an answer: %v, %+v", err, got.flagged)
	}
	records.err = nil
	for range 2 {
		require.NoError(t, deliver())
	}
	if len(got.flagged) != 1 || len(got.flagged[0].Flags) != 1 {
		t.Fatalf("flagged %+v", got.flagged)
	}
	if f := got.flagged[0]; f.Flags[0].Kind != moderation.CopiedFinish || f.Subject.ID != recordID {
		t.Errorf("flagged %+v", f)
	}
}

// facts records what it was given, and settles what it is told to.
type facts struct {
	settles bool
	settled []moderation.Settlement
	shown   []string
	flagged []moderation.Flagging
}

func (f *facts) In(pgx.Tx) *facts { return f }

func (f *facts) Settle(_ context.Context, s moderation.Settlement) (bool, error) {
	f.settled = append(f.settled, s)
	return f.settles, nil
}

func (f *facts) ShowAfterBan(_ context.Context, _ access.Attribution, playerID string) error {
	f.shown = append(f.shown, playerID)
	return nil
}

func (f *facts) AddFlags(_ context.Context, flagging moderation.Flagging) error {
	f.flagged = append(f.flagged, flagging)
	return nil
}

// inspector is a moderation.Records that fails the test when it is asked during a transaction.
type inspector struct {
	t    *testing.T
	pool *platform.Pool
	err  error
}

func (i *inspector) Inspect(context.Context, event.InspectRecord) (event.InspectedRecord, error) {
	if n := i.pool.Stat().AcquiredConns(); n != 0 {
		i.t.Errorf("asked while %d connections to the database are in use", n)
	}
	return event.InspectedRecord{
		RecordID: recordID, MapID: mapID, PlayerID: ann, FinishTime: 40_000,
		Copied: &event.Finish{RecordID: decisionID, MapID: mapID, PlayerID: bob, FinishTime: 40_000},
	}, i.err
}
