package natsapi_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/replica"
	"capzone.dev/services/records/internal/natsapi"
	"capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

const (
	mapID       = "01970000-0000-7000-8000-00000000000a"
	recordID    = "01970000-0000-7000-8000-00000000000b"
	moderatorID = "01970000-0000-7000-8000-00000000000c"
)

// Each command is delivered twice and has one effect, or is refused once. The roles are those that the moderator
// has now.
func TestCarryOut(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "records", migrations.FS)
	store := postgres.NewStore(pool)
	apply := func(p record.Player) {
		t.Helper()
		if err := store.ApplyPlayer(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	apply(record.Player{ID: id, Version: 1, Name: "Ann"})
	apply(record.Player{ID: moderatorID, Version: 1, Name: "Mod", Roles: []string{access.Moderator}})
	if err := store.ApplyMap(t.Context(), record.Map{ID: mapID, Version: 1, Name: "Skyline"}); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 5, 11, 18, 2, 33, 0, time.UTC)
	upload := pgtest.PendingUpload(t, pool, "replays/any.lbReplay")
	_, err := store.Submit(t.Context(), record.Accepted{Replay: upload, Record: record.Record{
		ID: recordID, MapID: mapID, PlayerID: id, FinishTime: 900, FinishTimeStamp: at, ReplayHash: "h", CreatedAt: at,
	}})
	if err != nil {
		t.Fatal(err)
	}
	handle := natsapi.CarryOut(pool, func(tx pgx.Tx) *record.Moderator {
		return &record.Moderator{Records: store.In(tx), Players: replica.NewPlayers(store, store.Player)}
	})
	decisions := 0
	by := func() access.Attribution {
		decisions++
		return access.Attribution{
			// The command was sent while the actor had the role.
			Actor: access.Player(moderatorID, "Mod", []string{access.Moderator}), Reason: "edited",
			DecisionID: fmt.Sprintf("01970000-0000-7000-8000-%012d", 100+decisions),
		}
	}
	for _, tt := range []struct {
		name    string
		command event.Command
		before  func()
		subject string // of the fact
		code    string // of a refusal
	}{
		{"remove", event.RemoveRecord{Attribution: by(), RecordID: recordID}, nil, event.RecordRemovedSubject, ""},
		{"remove again", event.RemoveRecord{Attribution: by(), RecordID: recordID}, nil, event.CommandRefusedSubject,
			"already_removed"},
		{"restore", event.RestoreRecord{Attribution: by(), RecordID: recordID}, nil, event.RecordRestoredSubject, ""},
		{"hide", event.HidePlayer{Attribution: by(), PlayerID: id}, nil, event.RecordsHiddenSubject, ""},
		{"show", event.ShowPlayer{Attribution: by(), PlayerID: id}, nil, event.RecordsShownSubject, ""},
		{"hide an unknown player", event.HidePlayer{Attribution: by(), PlayerID: mapID}, nil, event.CommandRefusedSubject,
			"player_unknown"},
		{"remove with a role that was revoked", event.RemoveRecord{Attribution: by(), RecordID: recordID},
			func() { apply(record.Player{ID: moderatorID, Version: 2, Name: "Mod"}) }, event.CommandRefusedSubject,
			"not_allowed"},
	} {
		if tt.before != nil {
			tt.before()
		}
		data, err := json.Marshal(tt.command)
		if err != nil {
			t.Fatal(err)
		}
		earlier := len(outboxtest.All(t, pool))
		for range 2 {
			if err := handle(t.Context(), tt.command.Subject(), message(string(data))); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
		}
		var decided []string
		for _, m := range outboxtest.All(t, pool)[earlier:] {
			var fact struct{ DecisionID, Code string }
			if m.Subject != tt.subject {
				continue
			}
			if err := json.Unmarshal(m.Envelope.Data, &fact); err != nil {
				t.Fatal(err)
			}
			decided = append(decided, fact.DecisionID+" "+fact.Code)
		}
		if diff := cmp.Diff([]string{tt.command.By().DecisionID + " " + tt.code}, decided); diff != "" {
			t.Errorf("%s: facts on %s (-want +got):\n%s", tt.name, tt.subject, diff)
		}
	}
	if n := pgtest.Value[int](t, pool, "select count(*) from audit where actor = $1", moderatorID); n != 4 {
		t.Errorf("%d audit rows, want 4", n)
	}
}
