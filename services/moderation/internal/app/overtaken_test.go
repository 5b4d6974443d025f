package app_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
)

// ban bans a player for a time, or without an end.
func (b *bundle) ban(by, player event.PlayerState, period time.Duration, keepRecords bool) decisionView {
	b.t.Helper()
	body := decisionOf("ban")
	body["keepRecords"] = keepRecords
	if period != 0 {
		body["until"] = time.Now().Add(period).UTC().Format(time.RFC3339)
	}
	made := b.decideAbout(by, player.ID, body)
	natstest.AwaitSettled(b.t, b.JetStream, event.ModerationCopies)
	return made
}

// setBan changes the ban of a player as an operator, or the end of a ban, does. Nil is none.
func (b *bundle) setBan(player event.PlayerState, ban *event.Ban) {
	b.t.Helper()
	b.owners.mu.Lock()
	b.owners.setPlayer(player.ID, func(p *event.PlayerState) { p.Banned, p.Ban = ban != nil, ban })
	b.owners.mu.Unlock()
	natstest.AwaitSettled(b.t, b.JetStream, event.ModerationCopies)
}

func (b *bundle) banOf(player event.PlayerState) *event.Ban {
	b.owners.mu.Lock()
	defer b.owners.mu.Unlock()
	return b.owners.players[player.ID].Ban
}

// Undoing a ban that has ended leaves the ban that came after it.
func TestDesk_undo_of_an_ended_ban(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod, other := b.newPlayer("ann"), b.moderator("mod"), b.moderator("other")
	first := b.ban(mod, ann, time.Hour, true)
	b.setBan(ann, nil)
	b.tell(event.PlayerUnbanned{PlayerID: ann.ID, DecisionID: first.ID})
	second := b.ban(mod, ann, 0, true)
	appeal := dataOf[appealView](b, ann, http.MethodPost, "/appeals",
		map[string]any{"decisionId": first.ID, "text": "The first ban was wrong."}, http.StatusCreated)
	b.want(other, http.MethodPost, "/desk/appeals/"+appeal.ID+"/answer",
		map[string]any{"outcome": "granted", "text": "The first ban was wrong."}, http.StatusOK, "")
	if ban := b.banOf(ann); ban == nil || ban.DecisionID != second.ID {
		t.Errorf("the ban is %+v, want that of %s", ban, second.ID)
	}
	if diff := cmp.Diff([]string{event.BanPlayerSubject, event.BanPlayerSubject}, b.owners.commands()); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

// A decision is not undone while a later one about the same thing holds.
func TestDesk_undo_of_an_overtaken_decision(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	id := b.newRecord(ann, b.newMap("Skyline Run", bob))
	decide := func(kind string) decisionView {
		body := decisionOf(kind)
		body["subject"] = map[string]any{"kind": "record", "id": id}
		return dataOf[decisionView](b, mod, http.MethodPost, "/desk/decisions", body, http.StatusCreated)
	}
	first := decide("remove_record")
	restored := decide("restore_record")
	again := decide("remove_record")
	b.want(mod, http.MethodPost, "/desk/decisions/"+first.ID+"/undo",
		map[string]any{"publicReason": "mistake", "text": "It was a mistake."}, http.StatusUnprocessableEntity,
		"decision_final")
	b.undo(mod, again.ID)
	b.undo(mod, restored.ID)
	if u := b.undo(mod, first.ID); u.Kind != "restore_record" || u.State != "carried_out" {
		t.Errorf("once the later ones are undone: %+v", u)
	}
}

// Warnings stand beside each other, and a ban that was lifted can still be called a mistake.
func TestDesk_undo_of_decisions_that_are_not_overtaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod := b.newPlayer("ann"), b.moderator("mod")
	first := b.decideAbout(mod, ann.ID, decisionOf("warn"))
	b.decideAbout(mod, ann.ID, decisionOf("warn"))
	if u := b.undo(mod, first.ID); u.Kind != "withdraw_warning" || u.State != "carried_out" {
		t.Errorf("the first warning: %+v", u)
	}
	ban := b.ban(mod, ann, time.Hour, true)
	b.decideAbout(mod, ann.ID, decisionOf("unban"))
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	if u := b.undo(mod, ban.ID); u.Kind != "unban" || u.State != "carried_out" {
		t.Errorf("the ban: %+v", u)
	}
}

// Records that a ban hides after it is over are shown again.
func TestDesk_ban_over_before_the_records_are_hidden(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *bundle, mod, ann event.PlayerState, ban decisionView){
		"its time is over": func(b *bundle, _, ann event.PlayerState, ban decisionView) {
			b.setBan(ann, nil)
			b.tell(event.PlayerUnbanned{PlayerID: ann.ID, DecisionID: ban.ID})
		},
		"it is lifted": func(b *bundle, mod, ann event.PlayerState, _ decisionView) {
			b.decideAbout(mod, ann.ID, decisionOf("unban"))
			b.owners.carryOut(b.owners.awaitCommands(3)[2])
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ann, mod := b.newPlayer("ann"), b.moderator("mod")
			b.owners.hold()
			ban := b.ban(mod, ann, time.Hour, false)
			b.owners.carryOut(b.owners.awaitCommands(1)[0])
			hide := b.owners.awaitCommands(2)[1]
			natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
			end(b, mod, ann, ban)
			before := len(b.owners.commands())
			b.owners.carryOut(hide)
			b.awaitState(ban.ID, "carried_out")
			if show := b.owners.awaitCommands(before + 1)[before]; show.Subject != event.ShowPlayerSubject ||
				show.Actor.Kind != "system" || show.DecisionID != ban.ID {
				t.Errorf("the last command is %+v", show)
			}
			if n := b.count("select count(*) from hidden_by_bans"); n != 0 {
				t.Errorf("%d bans hide records", n)
			}
		})
	}
}

// Who has reported something, or stands next to it, neither undoes a decision about it nor answers an appeal, nor
// decides about it without the case. Admins do, and the audit log says so.
func TestDesk_conflicts_of_interest_after_a_case(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod, admin := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod"), b.admin("admin")
	neighbour, reporter := b.moderator("neighbour"), b.moderator("reporter")
	id := b.newRecord(ann, b.newMap("Skyline Run", bob), neighbour, admin)
	refused := func(by event.PlayerState, path string, body map[string]any) {
		t.Helper()
		b.want(by, http.MethodPost, path, body, http.StatusUnprocessableEntity, "conflict_of_interest")
	}
	mistake := map[string]any{"publicReason": "mistake", "text": "It was a mistake."}
	caseID := b.report(reporter, id)
	b.claim(mod, caseID)
	dismissed := b.decide(mod, caseID, decisionOf("dismiss"))
	refused(reporter, "/desk/decisions/"+dismissed.ID+"/undo", mistake)
	directly := decisionOf("remove_record")
	directly["subject"] = map[string]any{"kind": "record", "id": id}
	refused(reporter, "/desk/decisions", directly)
	b.undo(mod, dismissed.ID)
	b.claim(mod, caseID)
	removed := b.decide(mod, caseID, decisionOf("remove_record"))
	appeal := dataOf[appealView](b, ann, http.MethodPost, "/appeals",
		map[string]any{"decisionId": removed.ID, "text": "I have a video of the finish."}, http.StatusCreated)
	for _, outcome := range []string{"kept", "asked", "granted"} {
		refused(neighbour, "/desk/appeals/"+appeal.ID+"/answer",
			map[string]any{"outcome": outcome, "text": "I have looked at it."})
	}
	b.undo(admin, removed.ID)
	overruled := b.awaitAudit(admin, "subject="+id+"&action=undo+decision", 2)[0]
	if overruled.Actor.ID != admin.ID || overruled.After["conflictOverruled"] != "neighbour" {
		t.Errorf("the log says %+v", overruled)
	}
}

// An operator's ban has its own end, and no decision.
func TestDesk_undo_of_the_unban_of_an_operators_ban(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod := b.newPlayer("ann"), b.moderator("mod")
	until := time.Now().Add(24 * time.Hour).UTC().Truncate(time.Millisecond)
	b.setBan(ann, &event.Ban{Until: until})
	unban := b.decideAbout(mod, ann.ID, decisionOf("unban"))
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	b.undo(mod, unban.ID)
	if ban := b.banOf(ann); ban == nil || !ban.Until.Equal(until) {
		t.Errorf("banned until %v, want %v", ban, until)
	}
	if diff := cmp.Diff([]string{event.UnbanPlayerSubject, event.BanPlayerSubject}, b.owners.commands()); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

// When the time of a ban is over that was lifted, undoing that changes the history alone.
func TestDesk_undo_of_an_unban_after_the_ban(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod := b.newPlayer("ann"), b.moderator("mod")
	b.ban(mod, ann, time.Hour, false)
	unban := b.decideAbout(mod, ann.ID, decisionOf("unban"))
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	pgtest.Exec(t, b.Pool, "update decisions set until = now() - interval '1 minute' where id = $1", unban.ID)
	before := len(b.owners.commands())
	if u := b.undo(mod, unban.ID); u.State != "carried_out" {
		t.Errorf("%+v", u)
	}
	if after := len(b.owners.commands()); after != before || b.banOf(ann) != nil {
		t.Errorf("%d further commands, ban %+v", after-before, b.banOf(ann))
	}
}

// An undo that had nothing to lift has nothing to restore either.
func TestDesk_undo_of_a_needless_unban(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		period time.Duration
		end    func(b *bundle, mod, ann event.PlayerState, ban decisionView)
	}{
		"its time was over": {time.Hour, func(b *bundle, _, ann event.PlayerState, ban decisionView) {
			b.setBan(ann, nil)
			b.tell(event.PlayerUnbanned{PlayerID: ann.ID, DecisionID: ban.ID})
			pgtest.Exec(b.t, b.Pool, "update decisions set until = now() - interval '1 minute' where id = $1", ban.ID)
		}},
		"another ban was in force": {0, func(b *bundle, mod, ann event.PlayerState, _ decisionView) {
			b.setBan(ann, nil)
			b.tell(event.PlayerUnbanned{PlayerID: ann.ID})
			b.ban(mod, ann, time.Hour, true)
		}},
		"it was lifted": {0, func(b *bundle, mod, ann event.PlayerState, _ decisionView) {
			b.decideAbout(mod, ann.ID, decisionOf("unban"))
			natstest.AwaitSettled(b.t, b.JetStream, event.ModerationCopies)
			b.owners.refuse(event.UnbanPlayerSubject, "not_banned")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ann, mod := b.newPlayer("ann"), b.moderator("mod")
			ban := b.ban(mod, ann, tt.period, true)
			tt.end(b, mod, ann, ban)
			needless := b.undo(mod, ban.ID)
			if needless.Kind != "unban" || needless.State != "carried_out" {
				t.Fatalf("the undo: %+v", needless)
			}
			before, commands := b.banOf(ann), len(b.owners.commands())
			if u := b.undo(mod, needless.ID); u.Kind != "ban" || u.State != "carried_out" {
				t.Errorf("the undo of the undo: %+v", u)
			}
			if diff := cmp.Diff(before, b.banOf(ann)); diff != "" || len(b.owners.commands()) != commands {
				t.Errorf("%d further commands, ban (-before +after):\n%s", len(b.owners.commands())-commands, diff)
			}
		})
	}
}

// Undoing a ban that is over shows nothing that a ban after it is about to hide.
func TestDesk_undo_of_an_ended_ban_while_another_one_hides(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod := b.newPlayer("ann"), b.moderator("mod")
	first := b.ban(mod, ann, time.Hour, true)
	b.setBan(ann, nil)
	b.tell(event.PlayerUnbanned{PlayerID: ann.ID, DecisionID: first.ID})
	b.owners.hold()
	second := b.ban(mod, ann, 0, false)
	b.owners.carryOut(b.owners.awaitCommands(2)[1])
	hide := b.owners.awaitCommands(3)[2]
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	b.undo(mod, first.ID)
	b.owners.carryOut(hide)
	b.awaitState(second.ID, "carried_out")
	if n := b.count("select count(*) from hidden_by_bans where decision_id = $1", second.ID); n != 1 {
		t.Errorf("%d bans hide records", n)
	}
	if commands := b.owners.commands(); len(commands) != 3 {
		t.Errorf("commands: %v", commands)
	}
}

// What is undone concerns the player whom it concerned, also when the map has another author by now.
func TestDesk_undo_after_the_map_was_reassigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	mapID := b.newMap("Skyline Run", ann).ID
	decide := func(kind string) decisionView {
		body := decisionOf(kind)
		body["subject"] = map[string]any{"kind": "map", "id": mapID}
		made := dataOf[decisionView](b, mod, http.MethodPost, "/desk/decisions", body, http.StatusCreated)
		natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
		return made
	}
	warning, ban := decide("warn"), decide("ban")
	b.owners.mu.Lock()
	b.owners.setMap(mapID, func(m *event.MapState) { m.AuthorID = bob.ID })
	b.owners.mu.Unlock()
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	for _, id := range []string{warning.ID, ban.ID} {
		u := b.undo(mod, id)
		if n := b.count("select count(*) from decisions where id = $1 and player_id = $2", u.ID, ann.ID); n != 1 {
			t.Errorf("%s concerns another player", u.Kind)
		}
	}
	if ban := b.banOf(ann); ban != nil {
		t.Errorf("the player is still banned: %+v", ban)
	}
}

// Bans are about a player, whatever thing their decisions name.
func TestDesk_undo_of_an_overtaken_unban(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.moderator("mod")
	ofRecord := decisionOf("unban")
	ofRecord["subject"] = map[string]any{"kind": "record", "id": b.newRecord(ann, b.newMap("Skyline Run", bob))}
	b.ban(mod, ann, 0, true)
	first := dataOf[decisionView](b, mod, http.MethodPost, "/desk/decisions", ofRecord, http.StatusCreated)
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	b.ban(mod, ann, time.Hour, true)
	b.decideAbout(mod, ann.ID, decisionOf("unban"))
	natstest.AwaitSettled(t, b.JetStream, event.ModerationCopies)
	b.want(mod, http.MethodPost, "/desk/decisions/"+first.ID+"/undo",
		map[string]any{"publicReason": "mistake", "text": "It was a mistake."}, http.StatusUnprocessableEntity,
		"decision_final")
}

// An appeal can be granted however old the decision is.
func TestAppeals_after_a_year(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod, other := b.newPlayer("ann"), b.moderator("mod"), b.moderator("other")
	ban := b.ban(mod, ann, 0, true)
	pgtest.Exec(t, b.Pool, "update decisions set created_at = created_at - interval '2 years' where id = $1", ban.ID)
	b.want(other, http.MethodPost, "/desk/decisions/"+ban.ID+"/undo",
		map[string]any{"publicReason": "mistake", "text": "It was a mistake."}, http.StatusUnprocessableEntity,
		"decision_final")
	appeal := dataOf[appealView](b, ann, http.MethodPost, "/appeals",
		map[string]any{"decisionId": ban.ID, "text": "I play fair these days."}, http.StatusCreated)
	b.want(other, http.MethodPost, "/desk/appeals/"+appeal.ID+"/answer",
		map[string]any{"outcome": "granted", "text": "We believe that."}, http.StatusOK, "")
	if ban := b.banOf(ann); ban != nil {
		t.Errorf("the player is still banned: %+v", ban)
	}
}

// What players read of decisions about themselves is not pushed out by reports that were dismissed.
func TestAppeals_own_decisions_beside_dismissals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, mod := b.newPlayer("ann"), b.moderator("mod")
	warning := b.decideAbout(mod, ann.ID, decisionOf("warn"))
	pgtest.Exec(t, b.Pool, `
		insert into decisions (id, kind, subject_kind, subject_id, player_id, by_id, public_reason, text, state,
			keep_records, created_at)
		select gen_random_uuid(), 'dismiss', subject_kind, subject_id, player_id, by_id, public_reason, text, state,
			false, now() from decisions, generate_series(1, 120) where id = $1`, warning.ID)
	own := dataOf[[]decisionView](b, ann, http.MethodGet, "/me/decisions", nil, http.StatusOK)
	if len(own) != 1 || own[0].ID != warning.ID {
		t.Errorf("the decisions are %+v", own)
	}
}

// The reports of a case that would be open again belong to the case that was opened meanwhile, with its outcome.
func TestDesk_reports_of_a_case_beside_a_newer_one(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		decision string
		giveUp   func(b *bundle, mod event.PlayerState, d decisionView)
	}{
		"refused": {"remove_record", func(b *bundle, _ event.PlayerState, d decisionView) {
			b.owners.refuse(event.RemoveRecordSubject, "record_busy")
			b.owners.release()
			b.awaitState(d.ID, "refused")
		}},
		"undone": {"dismiss", func(b *bundle, mod event.PlayerState, d decisionView) { b.undo(mod, d.ID) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ann, bob, cid, mod := b.newPlayer("ann"), b.newPlayer("bob"), b.newPlayer("cid"), b.moderator("mod")
			id := b.newRecord(ann, b.newMap("Skyline Run", cid))
			caseID := b.report(bob, id)
			b.claim(mod, caseID)
			b.owners.hold()
			d := b.decide(mod, caseID, decisionOf(tt.decision))
			newer := b.report(cid, id)
			tt.giveUp(b, mod, d)
			if c := b.getCase(mod, newer); len(c.Reports) != 2 {
				t.Errorf("the newer case has %d reports", len(c.Reports))
			}
			b.claim(mod, newer)
			b.decide(mod, newer, decisionOf("dismiss"))
			if n := b.count("select count(*) from reports where confirmed is null"); n != 0 {
				t.Errorf("%d reports are never judged", n)
			}
		})
	}
}
