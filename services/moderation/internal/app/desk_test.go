package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/moderation/internal/httpapi"
)

// A record is reported, removed, and restored after an appeal. The audit log has eight rows of it.
func TestDesk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, cid := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("cid")
	mod, admin := b.moderator("mod"), b.admin("admin")
	m := b.newMap("Skyline Run", cid)
	recordID := b.newRecord(ann, m)

	caseID := b.report(bob, recordID)
	b.report(cid, recordID)
	queue := dataOf[[]httpapi.CaseSummary](b, mod, http.MethodGet, "/desk/cases?kind=record&assigned=free&sort=age", nil,
		http.StatusOK)
	if len(queue) != 1 || queue[0].UnderscoreId != caseID || queue[0].Reports != 2 || queue[0].Priority != 40 ||
		queue[0].Subject.Player.Name != "ann" || queue[0].Subject.Map.Name != "Skyline Run" {
		t.Errorf("the queue is %+v", queue)
	}
	claim := b.claim(mod, caseID)
	if !claim.Mine || claim.Player.Name != "mod" || claim.Until <= httpserve.TimeText(time.Now().Add(19*time.Minute)) {
		t.Errorf("claimed: %+v", claim)
	}
	view := b.getCase(mod, caseID)
	wantAllowed := []httpapi.DecisionKind{"dismiss", "remove_record", "warn", "ban"}
	if diff := cmp.Diff(wantAllowed, view.Allowed); diff != "" || len(view.Reports) != 2 || view.Conflict != nil {
		t.Errorf("case %+v\n%s", view, diff)
	}

	removal := b.decide(mod, caseID, decisionOf("remove_record"))
	if removal.State != "carried_out" || !removal.Undoable {
		t.Errorf("decided: %+v", removal)
	}
	b.want(mod, http.MethodPost, "/desk/cases/"+caseID+"/decisions", decisionOf("warn"), http.StatusConflict,
		"case_closed")
	own := dataOf[[]httpapi.OwnDecision](b, ann, http.MethodGet, "/me/decisions", nil, http.StatusOK)
	if len(own) != 1 || own[0].UnderscoreId != removal.UnderscoreId || own[0].Appeal != nil {
		t.Errorf("own decisions: %+v", own)
	}
	b.want(bob, http.MethodGet, "/decisions/"+removal.UnderscoreId, nil, http.StatusNotFound, "decision_unknown")

	appeal := b.appeal(ann, removal.UnderscoreId)
	b.want(mod, http.MethodPost, "/desk/appeals/"+appeal.ID+"/answer", answerOf("kept"), http.StatusUnprocessableEntity,
		"conflict_of_interest")
	waiting := dataOf[[]appealView](b, admin, http.MethodGet, "/desk/appeals", nil, http.StatusOK)
	if len(waiting) != 1 || !waiting[0].MayAnswer || waiting[0].WaitingSince == nil {
		t.Errorf("appeals: %+v", waiting)
	}
	answered := b.answer(admin, appeal.ID, "granted")
	if answered.State != "granted" || len(answered.Messages) != 2 || answered.Messages[1].From != "moderator" {
		t.Errorf("answered: %+v", answered)
	}
	detail := dataOf[httpapi.OwnDecision](b, ann, http.MethodGet, "/decisions/"+removal.UnderscoreId, nil, http.StatusOK)
	if !detail.Undone || detail.Appeal == nil || detail.Appeal.State != "granted" {
		t.Errorf("the decision: %+v", detail)
	}
	wantCommands := []string{event.RemoveRecordSubject, event.RestoreRecordSubject}
	require.Equal(t, "commands", wantCommands, b.owners.commands())
	var actions []string
	for _, row := range b.awaitAudit(admin, "subject="+recordID, 7) {
		actions = append(actions, row.Actor.Name+": "+row.Action)
	}
	if diff := cmp.Diff([]string{ // without those of the records service
		"admin: answer appeal", "admin: undo decision", "ann: appeal", "mod: decide", "mod: claim case", "cid: report",
		"bob: report",
	}, actions); diff != "" {
		t.Errorf("audit (-want +got):\n%s", diff)
	}
	closed := servicetest.AwaitFact[event.ReportClosed](b.Servers, event.ReportClosedSubject)
	subject := event.DecidedSubject{Kind: "record", ID: recordID, MapID: m.ID, PlayerID: ann.ID}
	wantClosed := event.ReportClosed{
		DecisionID: removal.UnderscoreId, ReporterIDs: []string{bob.ID, cid.ID}, Decided: subject, Kind: "remove_record",
		PublicReason: "edited", Confirmed: true,
	}
	require.Equal(t, "the reporters are told", wantClosed, closed, cmpopts.IgnoreTypes(time.Time{}), anyOrder)
	granted := servicetest.AwaitFact[event.AppealAnswered](b.Servers, event.AppealAnsweredSubject)
	wantGranted := event.AppealAnswered{
		AppealID: appeal.ID, DecisionID: removal.UnderscoreId, PlayerID: ann.ID, Decided: subject, Granted: true,
	}
	require.Equal(t, "the player is told of the appeal", wantGranted, granted, cmpopts.IgnoreTypes(time.Time{}))
	decided := servicetest.AwaitFact[event.ModerationDecided](b.Servers, event.ModerationDecidedSubject)
	if decided.Kind != "restore_record" || decided.PublicReason != "mistake" || decided.PlayerID != ann.ID ||
		decided.Decided != subject {
		t.Errorf("the player is told of %+v", decided)
	}
	for _, at := range []time.Time{closed.At, granted.At, decided.At} {
		if at != at.UTC().Truncate(time.Millisecond) {
			t.Errorf("a fact has the time %s, want milliseconds", at)
		}
	}
}

// The claims of a merged moderator are those of the account that is left, also for a token of the former one.
func TestDesk_claims_of_a_merged_moderator(t *testing.T) {
	t.Parallel()
	b := setup(t)
	former, mod, ann := b.moderator("former"), b.moderator("mod"), b.newPlayer("ann")
	b.publish(event.PlayerState{ID: former.ID, Version: 2, Removed: true, MergedInto: mod.ID})
	caseID := b.report(b.newPlayer("bob"), b.newRecord(ann, b.newMap("Skyline Run", ann)))
	b.claim(former, caseID)
	mine := dataOf[[]httpapi.CaseSummary](b, former, http.MethodGet, "/desk/cases?assigned=mine", nil, http.StatusOK)
	if len(mine) != 1 || !mine[0].Claim.Mine || !b.getCase(former, caseID).Claim.Mine {
		t.Errorf("the claims: %+v", mine)
	}
}

// anyOrder compares ids without their order.
var anyOrder = cmpopts.SortSlices(strings.Compare)

// awaitAudit waits until the audit log has so many rows and returns them, the newest first.
func (b *bundle) awaitAudit(by event.PlayerState, query string, count int) (rows []auditView) {
	b.t.Helper()
	eventually.WaitFor(b.t, "rows of the audit log", func() bool {
		rows = dataOf[[]auditView](b, by, http.MethodGet, "/desk/audit?"+query, nil, http.StatusOK)
		return len(rows) >= count
	})
	if len(rows) != count {
		b.t.Fatalf("%d rows, want %d: %+v", len(rows), count, rows)
	}
	return rows
}

// While the records service is away nothing is decided about a record, and what was decided is carried out later.
func TestDesk_records_away(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	recordID := b.newRecord(ann, b.newMap("Skyline Run", bob))
	caseID := b.report(bob, recordID)
	b.claim(mod, caseID)
	b.owners.stopRecords()
	b.want(mod, http.MethodPost, "/desk/cases/"+caseID+"/decisions", decisionOf("remove_record"),
		http.StatusServiceUnavailable, "service_unavailable")
	if view := b.getCase(mod, caseID); !view.RecordUnavailable || view.State != "open" {
		t.Errorf("the case: %+v", view)
	}
	if n := b.count("select count(*) from decisions"); n != 0 {
		t.Errorf("%d decisions are stored", n)
	}
	b.owners.serveRecords()
	b.owners.hold() // away after the conflict was checked
	d := b.decide(mod, caseID, decisionOf("remove_record"))
	if d.State != "pending" {
		t.Errorf("decided: %+v", d)
	}
	if n := b.count("select count(*) from reports where confirmed is not null"); n != 0 {
		t.Error("the report is closed before the decision is carried out")
	}
	b.owners.awaitCommands(1)
	b.owners.release()
	b.awaitState(d.UnderscoreId, "carried_out")
}

// A refusal opens the case again, and says why.
func TestDesk_refused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	recordID := b.newRecord(ann, b.newMap("Skyline Run", bob))
	caseID := b.report(bob, recordID)
	b.claim(mod, caseID)
	b.owners.refuse(event.RemoveRecordSubject, "already_removed")
	d := b.decide(mod, caseID, decisionOf("remove_record"))
	if d.State != "refused" || d.Refusal == nil || d.Refusal.Code != "already_removed" || d.Undoable {
		t.Errorf("decided: %+v", d)
	}
	view := b.getCase(mod, caseID)
	if view.State != "open" || len(view.Decisions) != 1 {
		t.Errorf("the case: %+v", view)
	}
	b.owners.refuse(event.RemoveRecordSubject, "")
	b.claim(mod, caseID)
	removal := b.decide(mod, caseID, decisionOf("remove_record"))
	// A fact of another decision has no effect.
	b.tell(event.RecordRemoved{RecordID: recordID, MapID: newID(), PlayerID: ann.ID, DecisionID: newID()})
	// What an operator has restored meanwhile is not undone.
	b.owners.locked(func() {
		r := b.owners.records[recordID]
		r.Removed = false
		b.owners.records[recordID] = r
	})
	b.want(mod, http.MethodPost, "/desk/decisions/"+removal.UnderscoreId+"/undo", mistake, http.StatusConflict,
		"decision_overtaken")
}

// A ban hides the records after it is carried out, and they are shown again when it ends.
func TestDesk_bans(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod, admin := b.newPlayer("ann"), b.moderator("mod"), b.admin("admin")
	until := time.Now().Add(24 * time.Hour).UTC().Truncate(time.Second)
	body := decisionOf("ban")
	body["until"] = until
	ban := b.decideAbout(mod, ann.ID, body)
	if ban.State != "carried_out" || httpserve.OrZero(ban.Until) != httpserve.TimeText(until) {
		t.Errorf("decided: %+v", ban)
	}
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	// The banned player reads why and appeals, and does nothing else.
	own := dataOf[[]httpapi.OwnDecision](b, ann, http.MethodGet, "/me/decisions", nil, http.StatusOK)
	if len(own) != 1 || own[0].UnderscoreId != ban.UnderscoreId {
		t.Errorf("own decisions: %+v", own)
	}
	b.want(ann, http.MethodPost, "/reports", reportOf("player", mod.ID, "name"), http.StatusForbidden, "not_allowed")
	appeal := b.appeal(ann, ban.UnderscoreId)
	another := map[string]any{"decisionId": ban.UnderscoreId, "text": "It was my sister."}
	b.want(ann, http.MethodPost, "/appeals", another, http.StatusConflict, "appeal_exists")
	b.want(mod, http.MethodPost, "/appeals/"+appeal.ID+"/messages", map[string]any{"text": "Please have a look."},
		http.StatusNotFound, "appeal_unknown")
	b.wantAskedBack(ann, admin, ban.UnderscoreId, appeal.ID)
	for range 2 { // the second one is repeated
		if kept := b.answer(admin, appeal.ID, "kept"); kept.State != "kept" || len(kept.Messages) != 4 {
			t.Errorf("answered: %+v", kept)
		}
	}
	b.want(ann, http.MethodPost, "/appeals", another, http.StatusTooManyRequests, "appeal_too_soon")

	// Its time is over.
	b.owners.locked(func() {
		b.owners.setPlayer(ann.ID, func(p *event.PlayerState) { p.Banned, p.Ban = false, nil })
	})
	b.tell(event.PlayerUnbanned{PlayerID: ann.ID, DecisionID: ban.UnderscoreId})
	commands := b.owners.awaitCommands(3)
	wantCommands := []string{event.BanPlayerSubject, event.HidePlayerSubject, event.ShowPlayerSubject}
	if diff := cmp.Diff(wantCommands, b.owners.commands()); diff != "" || commands[2].PlayerID != ann.ID ||
		commands[2].DecisionID != ban.UnderscoreId || commands[2].Actor.Kind != "system" {
		t.Errorf("commands (-want +got):\n%s\n%+v", diff, commands)
	}
	// What has ended can still be undone, so that the history says that it was a mistake.
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	if u := b.undo(admin, ban.UnderscoreId); u.State != "carried_out" || u.Kind != "unban" {
		t.Errorf("undone: %+v", u)
	}
	// The owner knows whether there is something to lift.
	wantCommands = append(wantCommands, event.UnbanPlayerSubject)
	require.Equal(t, "commands", wantCommands, b.owners.commands())
}

// What is undone concerns the player whom it concerned, also when the map has another author by now.
func TestDesk_undo_after_the_map_was_reassigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	mapID := b.newMap("Skyline Run", ann).ID
	ban := dataOf[decisionView](b, mod, http.MethodPost, "/desk/decisions", decisionAbout("ban", "map", mapID),
		http.StatusCreated)
	b.owners.locked(func() {
		b.owners.setMap(mapID, func(m *event.MapState) { m.AuthorID = bob.ID })
	})
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	b.undo(mod, ban.UnderscoreId)
	commands := b.owners.awaitCommands(4)
	if last := commands[3]; last.Subject != event.ShowPlayerSubject || last.PlayerID != ann.ID {
		t.Errorf("the last command is %+v", last)
	}
}

// wantAskedBack has a moderator ask a player who has appealed, and the player answer.
func (b *bundle) wantAskedBack(player, moderator event.PlayerState, decisionID, appealID string) {
	b.t.Helper()
	asked := b.answer(moderator, appealID, "asked")
	if asked.State != "open" || asked.WaitingSince != nil || !asked.MayAnswer || len(asked.Messages) != 2 {
		b.t.Errorf("asked: %+v", asked)
	}
	told := servicetest.AwaitFact[event.AppealAnswered](b.Servers, event.AppealAnsweredSubject)
	want := event.AppealAnswered{
		AppealID: appealID, DecisionID: decisionID, PlayerID: player.ID, QuestionID: told.QuestionID,
		Decided: event.DecidedSubject{Kind: "player", ID: player.ID, PlayerID: player.ID},
	}
	if diff := cmp.Diff(want, told, cmpopts.IgnoreTypes(time.Time{})); diff != "" || told.QuestionID == "" {
		b.t.Errorf("the player is asked (-want +got):\n%s", diff)
	}
	answered := dataOf[appealView](b, player, http.MethodPost, "/appeals/"+appealID+"/messages",
		map[string]any{"text": "It is Bob, on my computer."}, http.StatusCreated)
	if answered.State != "open" || answered.WaitingSince == nil || len(answered.Messages) != 3 {
		b.t.Errorf("the player has answered: %+v", answered)
	}
}
