package app_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
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
	type summary struct {
		ID       string `json:"_id"`
		Reports  int
		Priority int
		Subject  struct {
			Player struct{ Name string }
			Map    struct{ Name string }
		}
	}
	queue := dataOf[[]summary](b, mod, http.MethodGet, "/desk/cases?kind=record&assigned=free&sort=age", nil,
		http.StatusOK)
	if len(queue) != 1 || queue[0].ID != caseID || queue[0].Reports != 2 || queue[0].Priority != 40 ||
		queue[0].Subject.Player.Name != "ann" || queue[0].Subject.Map.Name != "Skyline Run" {
		t.Errorf("the queue is %+v", queue)
	}
	claim := b.claim(mod, caseID)
	if !claim.Mine || claim.Player.Name != "mod" || time.Until(claim.Until) < 19*time.Minute {
		t.Errorf("claimed: %+v", claim)
	}
	view := b.getCase(mod, caseID)
	wantAllowed := []string{"dismiss", "remove_record", "warn", "ban"}
	if diff := cmp.Diff(wantAllowed, view.Allowed); diff != "" || len(view.Reports) != 2 || view.Conflict != nil {
		t.Errorf("case %+v\n%s", view, diff)
	}

	removal := b.decide(mod, caseID, decisionOf("remove_record"))
	if removal.State != "carried_out" || !removal.Undoable {
		t.Errorf("decided: %+v", removal)
	}
	own := dataOf[[]decisionView](b, ann, http.MethodGet, "/me/decisions", nil, http.StatusOK)
	if len(own) != 1 || own[0].ID != removal.ID || own[0].Appeal != nil {
		t.Errorf("own decisions: %+v", own)
	}
	b.want(bob, http.MethodGet, "/decisions/"+removal.ID, nil, http.StatusNotFound, "decision_unknown")

	appeal := dataOf[appealView](b, ann, http.MethodPost, "/appeals",
		map[string]any{"decisionId": removal.ID, "text": "I have a video of the finish."}, http.StatusCreated)
	b.want(mod, http.MethodPost, "/desk/appeals/"+appeal.ID+"/answer",
		map[string]any{"outcome": "kept", "text": "I stay with it, sorry."}, http.StatusUnprocessableEntity,
		"conflict_of_interest")
	b.want(ann, http.MethodPost, "/desk/appeals/"+appeal.ID+"/answer",
		map[string]any{"outcome": "granted", "text": "Well..."}, http.StatusForbidden, "not_allowed")
	waiting := dataOf[[]appealView](b, admin, http.MethodGet, "/desk/appeals", nil, http.StatusOK)
	if len(waiting) != 1 || !waiting[0].MayAnswer || waiting[0].WaitingSince == nil {
		t.Errorf("appeals: %+v", waiting)
	}
	answered := dataOf[appealView](b, admin, http.MethodPost, "/desk/appeals/"+appeal.ID+"/answer",
		map[string]any{"outcome": "granted", "text": "The video shows it."}, http.StatusOK)
	if answered.State != "granted" || len(answered.Messages) != 2 || answered.Messages[1].From != "moderator" {
		t.Errorf("answered: %+v", answered)
	}
	detail := dataOf[decisionView](b, ann, http.MethodGet, "/decisions/"+removal.ID, nil, http.StatusOK)
	if !detail.Undone || detail.Appeal == nil || detail.Appeal.State != "granted" {
		t.Errorf("the decision: %+v", detail)
	}
	wantCommands := []string{event.RemoveRecordSubject, event.RestoreRecordSubject}
	if diff := cmp.Diff(wantCommands, b.owners.commands()); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
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
	if n := b.count("select count(*) from reports where not confirmed"); n != 2 {
		t.Errorf("%d reports are refuted after the decision was undone, want 2", n)
	}
	closed := servicetest.AwaitFact[event.ReportClosed](b.Servers, event.ReportClosedSubject)
	subject := event.DecidedSubject{Kind: "record", ID: recordID, MapID: m.ID, PlayerID: ann.ID}
	wantClosed := event.ReportClosed{
		DecisionID: removal.ID, ReporterIDs: []string{bob.ID, cid.ID}, Decided: subject, Kind: "remove_record",
		PublicReason: "edited", Confirmed: true,
	}
	if diff := cmp.Diff(wantClosed, closed, cmpopts.IgnoreTypes(time.Time{}), anyOrder); diff != "" {
		t.Errorf("the reporters are told (-want +got):\n%s", diff)
	}
	granted := servicetest.AwaitFact[event.AppealAnswered](b.Servers, event.AppealAnsweredSubject)
	wantGranted := event.AppealAnswered{
		AppealID: appeal.ID, DecisionID: removal.ID, PlayerID: ann.ID, Decided: subject, Granted: true,
	}
	if diff := cmp.Diff(wantGranted, granted, cmpopts.IgnoreTypes(time.Time{})); diff != "" {
		t.Errorf("the player is told of the appeal (-want +got):\n%s", diff)
	}
	decided := servicetest.AwaitFact[event.ModerationDecided](b.Servers, event.ModerationDecidedSubject)
	if decided.Kind != "restore_record" || decided.PublicReason != "mistake" || decided.PlayerID != ann.ID || decided.Decided != subject {
		t.Errorf("the player is told of %+v", decided)
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

// Of twenty moderators who claim a case at once, one gets it, and the others learn who.
func TestDesk_claim_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	caseID := b.report(bob, b.newRecord(ann, b.newMap("Skyline Run", bob)))
	var moderators []event.PlayerState
	for range 20 {
		moderators = append(moderators, b.moderator("mod"+newID()[30:]))
	}
	type outcome struct {
		status int
		code   string
		raw    []byte
	}
	outcomes := make([]outcome, len(moderators))
	var group sync.WaitGroup
	for i, m := range moderators {
		group.Go(func() {
			a := b.do(m, http.MethodPost, "/desk/cases/"+caseID+"/claim", noOverride)
			outcomes[i] = outcome{a.Status, a.Code, a.Raw}
		})
	}
	group.Wait()
	var winner string
	for i, o := range outcomes {
		if o.status == http.StatusOK {
			if winner != "" {
				t.Error("two have claimed the case")
			}
			winner = moderators[i].Name
		}
	}
	for _, o := range outcomes {
		if o.status == http.StatusOK {
			continue
		}
		var refusal struct {
			Data struct{ Claim claimView }
		}
		require.NoError(t, json.Unmarshal(o.raw, &refusal))
		if o.code != "case_claimed" || refusal.Data.Claim.Player.Name != winner || refusal.Data.Claim.Until.IsZero() {
			t.Errorf("%d %s, want that %s has it", o.status, o.raw, winner)
		}
	}
	if n := b.count("select count(*) from audit where action = 'claim case'"); winner == "" || n != 1 {
		t.Errorf("%q has claimed, %d rows in the audit log", winner, n)
	}
}

func TestDesk_claims(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.newPlayer("ann"), b.newPlayer("bob")
	mod, other, admin := b.moderator("mod"), b.moderator("other"), b.admin("admin")
	caseID := b.report(bob, b.newRecord(ann, b.newMap("Skyline Run", bob)))
	path := "/desk/cases/" + caseID
	b.want(mod, http.MethodPost, path+"/decisions", decisionOf("dismiss"), http.StatusConflict, "case_not_claimed")
	b.claim(mod, caseID)
	b.claim(mod, caseID) // again
	b.want(other, http.MethodPost, path+"/claim", map[string]any{"override": true}, http.StatusConflict, "case_claimed")
	b.want(other, http.MethodPost, path+"/decisions", decisionOf("dismiss"), http.StatusConflict, "case_claimed")
	b.want(other, http.MethodDelete, path+"/claim", nil, http.StatusNoContent, "") // not theirs
	b.want(admin, http.MethodPost, path+"/claim", noOverride, http.StatusConflict, "case_claimed")
	b.want(admin, http.MethodPost, path+"/claim", map[string]any{"override": true}, http.StatusOK, "")
	b.want(mod, http.MethodPost, path+"/decisions", decisionOf("dismiss"), http.StatusConflict, "case_claimed")
	b.want(admin, http.MethodDelete, path+"/claim", nil, http.StatusNoContent, "")
	b.claim(other, caseID)
	pgtest.Exec(t, b.Pool, "update cases set claimed_until = now() - interval '1 second'") // it ends
	if c := b.getCase(mod, caseID).Claim; c != nil {
		t.Errorf("a claim that has ended is shown: %+v", c)
	}
	b.claim(mod, caseID)
	b.want(other, http.MethodPost, path+"/decisions", decisionOf("dismiss"), http.StatusConflict, "case_claimed")
	pgtest.Exec(t, b.Pool, "update cases set claimed_until = now() - interval '1 second'")
	if d := b.decide(mod, caseID, decisionOf("dismiss")); d.State != "carried_out" { // nobody else has it
		t.Errorf("decided: %+v", d)
	}
	b.want(mod, http.MethodPost, path+"/claim", noOverride, http.StatusConflict, "case_closed")
	b.want(mod, http.MethodPost, path+"/decisions", decisionOf("dismiss"), http.StatusConflict, "case_closed")
}

func TestDesk_conflicts_of_interest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	player := b.newPlayer("ann")
	own, reporter, neighbour := b.moderator("own"), b.moderator("reporter"), b.moderator("neighbour")
	admin := b.admin("admin")
	m := b.newMap("Skyline Run", player)
	caseID := b.report(reporter, b.newRecord(own, m, neighbour, admin))
	path := "/desk/cases/" + caseID
	for _, by := range []event.PlayerState{own, reporter, neighbour, admin} {
		b.want(by, http.MethodPost, path+"/claim", noOverride, http.StatusUnprocessableEntity, "conflict_of_interest")
		if view := b.getCase(by, caseID); view.Conflict == nil {
			t.Errorf("%s sees no conflict", by.Name)
		}
	}
	b.want(neighbour, http.MethodPost, path+"/claim", map[string]any{"override": true}, http.StatusUnprocessableEntity,
		"conflict_of_interest")
	b.want(admin, http.MethodPost, path+"/claim", map[string]any{"override": true}, http.StatusOK, "")
	b.want(admin, http.MethodPost, path+"/decisions", decisionOf("warn"), http.StatusUnprocessableEntity,
		"conflict_of_interest")
	body := decisionOf("warn")
	body["override"] = true
	b.decide(admin, caseID, body)
	for _, action := range []string{"claim%20case", "decide"} {
		rows := b.awaitAudit(admin, "action="+action, 1)
		if rows[0].After["conflictOverruled"] != "neighbour" {
			t.Errorf("the audit log says of %s: %+v", action, rows)
		}
	}
	warning := b.decideAbout(admin, own.ID, decisionOf("warn"))
	b.want(own, http.MethodPost, "/desk/decisions/"+warning.ID+"/undo",
		map[string]any{"publicReason": "mistake", "text": "It was a mistake."}, http.StatusUnprocessableEntity,
		"conflict_of_interest")
}

// Two moderators who decide at once make one decision.
func TestDesk_two_decisions_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	recordID := b.newRecord(ann, b.newMap("Skyline Run", bob))
	caseID := b.report(bob, recordID)
	b.claim(mod, caseID)
	var group sync.WaitGroup
	statuses := make([]int, 4)
	for i := range statuses {
		group.Go(func() {
			statuses[i] = b.do(mod, http.MethodPost, "/desk/cases/"+caseID+"/decisions", decisionOf("remove_record")).Status
		})
	}
	group.Wait()
	made := 0
	for _, status := range statuses {
		switch status {
		case http.StatusCreated:
			made++
		case http.StatusConflict, http.StatusUnprocessableEntity:
		default:
			t.Errorf("status %d", status)
		}
	}
	if n := b.count("select count(*) from decisions"); made != 1 || n != 1 || len(b.owners.commands()) != 1 {
		t.Errorf("%d decisions were made, %d stored, commands %v", made, n, b.owners.commands())
	}
	removal := pgtest.Value[string](t, b.Pool, "select id::text from decisions")
	for i := range statuses {
		group.Go(func() {
			statuses[i] = b.do(mod, http.MethodPost, "/desk/decisions/"+removal+"/undo",
				map[string]any{"publicReason": "mistake", "text": "It was a mistake."}).Status
		})
	}
	group.Wait()
	if n := b.count("select count(*) from decisions where undoes is not null"); n != 1 {
		t.Errorf("undone %d times: %v", n, statuses)
	}
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
	path := "/desk/cases/" + caseID
	b.want(mod, http.MethodPost, path+"/decisions", decisionOf("remove_record"), http.StatusServiceUnavailable,
		"service_unavailable")
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
		t.Error("the report is judged before the decision is carried out")
	}
	b.owners.awaitCommands(1)
	b.owners.release()
	b.awaitState(d.ID, "carried_out")
}

// A service that stops between the decision and its command sends the command when it starts again.
func TestDesk_stopped_before_the_command(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	recordID := b.newRecord(ann, b.newMap("Skyline Run", bob))
	caseID := b.report(bob, recordID)
	b.claim(mod, caseID)
	b.owners.hold()
	d := b.decide(mod, caseID, decisionOf("remove_record"))
	b.owners.awaitCommands(1)
	// As if the process had ended after the commit, before the relay published.
	pgtest.Exec(t, b.Pool, `
		insert into outbox (id, subject, version, body, headers)
		select gen_random_uuid(), c.subject, 0,
			convert_to(json_build_object('id', gen_random_uuid(), 'at', now(), 'data', c.body)::text, 'UTF8'), '{}'
		from decision_commands c`)
	b.startReplica()
	again := b.owners.awaitCommands(2)
	if again[1].DecisionID != d.ID || again[1].RecordID != recordID {
		t.Errorf("sent %+v", again)
	}
	b.owners.release() // both are answered, as an owner does to a decision that it knows
	b.awaitState(d.ID, "carried_out")
	natstest.AwaitSettled(t, b.JetStream, event.ModerationFacts)
	if n := b.count("select count(*) from decisions where state = 'carried_out'"); n != 1 {
		t.Errorf("%d decisions", n)
	}
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
	// The same fact again has no effect, and one of another decision neither.
	for _, id := range []string{removal.ID, d.ID, newID(), ""} {
		b.tell(event.RecordRemoved{RecordID: recordID, MapID: newID(), PlayerID: ann.ID, DecisionID: id})
	}
	if n := b.count("select count(*) from outbox where subject = $1", event.ReportClosedSubject); n > 1 {
		t.Errorf("the reporter is told %d times", n)
	}
	// An undo that is refused leaves the appeal open.
	appeal := dataOf[appealView](b, ann, http.MethodPost, "/appeals",
		map[string]any{"decisionId": removal.ID, "text": "I have a video of the finish."}, http.StatusCreated)
	b.owners.refuse(event.RestoreRecordSubject, "replay_purged")
	if u := b.undo(mod, removal.ID); u.State != "refused" {
		t.Errorf("undone: %+v", u)
	}
	now := dataOf[decisionView](b, ann, http.MethodGet, "/decisions/"+removal.ID, nil, http.StatusOK)
	if now.Undone || now.Appeal == nil || now.Appeal.ID != appeal.ID || now.Appeal.State != "open" ||
		len(now.Appeal.Messages) != 1 {
		t.Errorf("the decision: %+v", now)
	}
	b.owners.refuse(event.RestoreRecordSubject, "")
	if u := b.undo(mod, removal.ID); u.State != "carried_out" {
		t.Errorf("undone: %+v", u)
	}
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
	if ban.State != "carried_out" || ban.Until == nil || !ban.Until.Equal(until) {
		t.Errorf("decided: %+v", ban)
	}
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	// The banned player reads why and appeals, and does nothing else.
	own := dataOf[[]decisionView](b, ann, http.MethodGet, "/me/decisions", nil, http.StatusOK)
	if len(own) != 1 || own[0].ID != ban.ID {
		t.Errorf("own decisions: %+v", own)
	}
	b.want(ann, http.MethodPost, "/reports", reportOf("player", mod.ID, "name"), http.StatusForbidden, "not_allowed")
	appeal := dataOf[appealView](b, ann, http.MethodPost, "/appeals",
		map[string]any{"decisionId": ban.ID, "text": "It was my brother."}, http.StatusCreated)
	b.want(ann, http.MethodPost, "/appeals", map[string]any{"decisionId": ban.ID, "text": "It was my brother."},
		http.StatusConflict, "appeal_exists")
	for i := range 3 {
		status, code := http.StatusCreated, ""
		if i == 2 {
			status, code = http.StatusConflict, "appeal_messages_full"
		}
		b.want(ann, http.MethodPost, "/appeals/"+appeal.ID+"/messages", map[string]any{"text": "Please have a look."}, status,
			code)
	}
	b.want(mod, http.MethodPost, "/appeals/"+appeal.ID+"/messages", map[string]any{"text": "Please have a look."},
		http.StatusNotFound, "appeal_unknown")
	b.wantAskedBack(ann, admin, ban.ID, appeal.ID)
	kept := dataOf[appealView](b, admin, http.MethodPost, "/desk/appeals/"+appeal.ID+"/answer",
		map[string]any{"outcome": "kept", "text": "That is what all say."}, http.StatusOK)
	if kept.State != "kept" || kept.WaitingSince != nil {
		t.Errorf("answered: %+v", kept)
	}
	b.want(admin, http.MethodPost, "/desk/appeals/"+appeal.ID+"/answer",
		map[string]any{"outcome": "kept", "text": "That is what all say."}, http.StatusConflict, "appeal_answered")
	b.want(ann, http.MethodPost, "/appeals/"+appeal.ID+"/messages", map[string]any{"text": "Please have a look."},
		http.StatusConflict, "appeal_answered")
	b.want(ann, http.MethodPost, "/appeals", map[string]any{"decisionId": ban.ID, "text": "It was my brother."},
		http.StatusTooManyRequests, "appeal_too_soon")

	// Its time is over.
	b.owners.mu.Lock()
	b.owners.setPlayer(ann.ID, func(p *event.PlayerState) { p.Banned, p.Ban = false, nil })
	b.owners.mu.Unlock()
	for range 2 {
		b.tell(event.PlayerUnbanned{PlayerID: ann.ID, DecisionID: ban.ID})
	}
	commands := b.owners.awaitCommands(3)
	wantCommands := []string{event.BanPlayerSubject, event.HidePlayerSubject, event.ShowPlayerSubject}
	if diff := cmp.Diff(wantCommands, b.owners.commands()); diff != "" || commands[2].PlayerID != ann.ID ||
		commands[2].DecisionID != ban.ID || commands[2].Actor.Kind != "system" {
		t.Errorf("commands (-want +got):\n%s\n%+v", diff, commands)
	}
	// What has ended can still be undone, so that the history says that it was a mistake.
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	if u := b.undo(admin, ban.ID); u.State != "carried_out" || u.Kind != "unban" {
		t.Errorf("undone: %+v", u)
	}
	// The owner knows whether there is something to lift.
	wantCommands = append(wantCommands, event.UnbanPlayerSubject)
	if diff := cmp.Diff(wantCommands, b.owners.commands()); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}

	// Banned and unbanned by decisions.
	keep := decisionOf("ban")
	keep["keepRecords"] = true
	b.decideAbout(mod, ann.ID, keep)
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	unban := b.decideAbout(mod, ann.ID, decisionOf("unban"))
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	again := b.undo(mod, unban.ID)
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	if again.Kind != "ban" || again.State != "carried_out" {
		t.Errorf("an unban that was undone: %+v", again)
	}
	b.undo(mod, again.ID)
	want := slices.Concat(wantCommands, []string{
		event.BanPlayerSubject, event.UnbanPlayerSubject, event.BanPlayerSubject, event.UnbanPlayerSubject,
	})
	eventually.WaitFor(t, "commands", func() bool { return cmp.Equal(want, b.owners.commands()) })
}

// A player who is merged while a decision is made.
func TestDesk_merged_meanwhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, anna, bob, mod, admin := b.newPlayer("ann"), b.newPlayer("anna"), b.newPlayer("bob"), b.moderator("mod"),
		b.admin("admin")
	b.owners.hold()
	ban := b.decideAbout(mod, ann.ID, decisionOf("ban"))
	b.owners.awaitCommands(1)
	b.publish(event.PlayerState{ID: ann.ID, Version: 9, Removed: true, MergedInto: anna.ID})
	b.tell(event.CommandRefused{
		DecisionID: ban.ID, Command: event.BanPlayerSubject, TargetID: ann.ID, Code: "player_merged",
		Message: "This player was merged into another.",
	})
	b.awaitState(ban.ID, "refused")
	view := dataOf[[]decisionView](b, anna, http.MethodGet, "/me/decisions", nil, http.StatusOK)
	if len(view) != 1 || view[0].ID != ban.ID || view[0].State != "refused" {
		t.Errorf("decisions about the player merged into: %+v", view)
	}
	b.owners.mu.Lock()
	b.owners.received, b.owners.holds = nil, false
	b.owners.mu.Unlock()
	again := b.decideAbout(mod, ann.ID, decisionOf("ban"))
	if again.State != "carried_out" || again.Subject.ID != anna.ID || b.owners.awaitCommands(1)[0].PlayerID != anna.ID {
		t.Errorf("decided about %+v, commands %+v", again.Subject, b.owners.awaitCommands(1))
	}
	// By decision: admins alone.
	merge := decisionOf("merge")
	merge["intoId"], merge["subject"] = anna.ID, map[string]any{"kind": "player", "id": bob.ID}
	b.want(mod, http.MethodPost, "/desk/decisions", merge, http.StatusForbidden, "not_allowed")
	done := b.decideAbout(admin, bob.ID, merge)
	if done.State != "carried_out" || done.Undoable {
		t.Errorf("merged: %+v", done)
	}
	b.want(admin, http.MethodPost, "/desk/decisions/"+done.ID+"/undo",
		map[string]any{"publicReason": "mistake", "text": "It was a mistake."}, http.StatusUnprocessableEntity,
		"decision_final")
}

// Decisions about maps, and without a case.
func TestDesk_maps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	m := b.newMap("Skyline Run", ann)
	dataOf[ref](b, bob, http.MethodPost, "/reports", reportOf("map", m.ID, "stolen"), http.StatusCreated)
	b.want(mod, http.MethodPost, "/desk/decisions", map[string]any{
		"subject": map[string]any{"kind": "map", "id": m.ID}, "kind": "unrank_map", "publicReason": "stolen",
		"text": "It was copied.",
	}, http.StatusConflict, "case_open")
	caseID := pgtest.Value[string](t, b.Pool, "select id::text from cases")
	b.claim(mod, caseID)
	unranked := b.decide(mod, caseID, decisionOf("unrank_map"))
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	b.want(mod, http.MethodPost, "/desk/decisions", map[string]any{
		"subject": map[string]any{"kind": "map", "id": m.ID}, "kind": "unrank_map", "publicReason": "stolen",
		"text": "It was copied.",
	}, http.StatusUnprocessableEntity, "decision_not_applicable")
	if u := b.undo(mod, unranked.ID); u.Kind != "rank_map" || u.State != "carried_out" {
		t.Errorf("undone: %+v", u)
	}
	b.want(mod, http.MethodPost, "/desk/decisions/"+unranked.ID+"/undo",
		map[string]any{"publicReason": "mistake", "text": "It was a mistake."}, http.StatusUnprocessableEntity,
		"decision_final")
}

// A dismissal that is undone opens the case again.
func TestDesk_reopen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	recordID := b.newRecord(ann, b.newMap("Skyline Run", bob))
	caseID := b.report(bob, recordID)
	b.claim(mod, caseID)
	dismissal := b.decide(mod, caseID, decisionOf("dismiss"))
	if n := b.count("select count(*) from reports where not confirmed"); n != 1 {
		t.Error("the report is not refuted")
	}
	if own := dataOf[[]decisionView](b, ann, http.MethodGet, "/me/decisions", nil, http.StatusOK); len(own) != 0 {
		t.Errorf("the player sees a dismissal: %+v", own)
	}
	b.undo(mod, dismissal.ID)
	if view := b.getCase(mod, caseID); view.State != "open" {
		t.Errorf("the case: %+v", view)
	}
	if n := b.count("select count(*) from reports where confirmed is null"); n != 1 {
		t.Error("the report is still judged")
	}
}

// wantAskedBack has a moderator ask a player who has sent three messages, and the player answer.
func (b *bundle) wantAskedBack(player, moderator event.PlayerState, decisionID, appealID string) {
	b.t.Helper()
	answers := "/desk/appeals/" + appealID + "/answer"
	question := map[string]any{"outcome": "asked", "text": "Who is your brother?"}
	asked := dataOf[appealView](b, moderator, http.MethodPost, answers, question, http.StatusOK)
	if asked.State != "open" || asked.WaitingSince != nil || !asked.MayAnswer || len(asked.Messages) != 4 {
		b.t.Errorf("asked: %+v", asked)
	}
	b.want(moderator, http.MethodPost, answers, question, http.StatusConflict, "appeal_asked")
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
	if answered.State != "open" || answered.WaitingSince == nil || len(answered.Messages) != 5 {
		b.t.Errorf("the player has answered: %+v", answered)
	}
	if n := b.count("select count(*) from audit where action = 'answer appeal' and after ->> 'asked' = 'true'"); n != 1 {
		b.t.Errorf("%d questions are in the audit log", n)
	}
}
