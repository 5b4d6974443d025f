package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/moderation/internal/app"
	"capzone.dev/services/moderation/internal/httpapi"
	"capzone.dev/services/moderation/migrations"
)

// bundle is the service with everything around it.
type bundle struct {
	*servicetest.Servers
	t      *testing.T
	keys   *servicetest.Keys
	cfg    app.Config
	owners *owners
	// URL is where the first replica's API listens, OpsURL its operations port.
	URL, OpsURL string
}

// setup starts the service as its binary runs, with servers of the test's own and owners who answer and carry out.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := prepare(t)
	b.URL, b.OpsURL = b.startReplica()
	return b
}

// prepare is setup without a replica of the service.
func prepare(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, Servers: servicetest.Start(t, app.Name, migrations.FS), keys: servicetest.StartKeys(t)}
	b.owners = startOwners(t, b.Servers)
	b.cfg = app.Config{Config: b.Config(), KeysConfig: b.keys.Config()}
	b.cfg.LogLevel = slog.LevelError + 1
	return b
}

// startReplica runs the service until the test ends and returns where it listens.
func (b *bundle) startReplica() (apiURL, opsURL string) {
	b.t.Helper()
	cfg := b.cfg
	return servicetest.Run(b.t, &cfg.Config, func(ctx context.Context) error { return app.Run(ctx, cfg) })
}

// count counts rows.
func (b *bundle) count(sql string) int {
	b.t.Helper()
	return pgtest.Value[int](b.t, b.Pool, sql)
}

// do sends a request with a body, or without one where it is nil, in the name of a player.
func (b *bundle) do(by event.PlayerState, method, path string, body any) servicetest.Answer {
	b.t.Helper()
	var data bytes.Buffer
	if body != nil {
		require.NoError(b.t, json.NewEncoder(&data).Encode(body))
	}
	return servicetest.Do(b.t, method, b.URL+"/api/v1"+path, &data, "Content-Type", "application/json",
		"Authorization", "Bearer "+b.keys.Token(by))
}

// want sends a request and compares the status and the code of a refusal.
func (b *bundle) want(by event.PlayerState, method, path string, body any, status int, code string) servicetest.Answer {
	b.t.Helper()
	a := b.do(by, method, path, body)
	if a.Status != status || a.Code != code {
		b.t.Fatalf("%s %s by %s: %d %s, want %d %q", method, path, by.Name, a.Status, a.Raw, status, code)
	}
	return a
}

// dataOf sends a request that succeeds and returns the data of the answer.
func dataOf[T any](b *bundle, by event.PlayerState, method, path string, body any, status int) T {
	b.t.Helper()
	return servicetest.Data[T](b.t, b.want(by, method, path, body, status, ""))
}

// publish publishes states and waits until the copies have them.
func (b *bundle) publish(states ...event.State) {
	b.t.Helper()
	for _, state := range states {
		require.NoError(b.t, b.Publish(b.t.Context(), state))
	}
	natstest.AwaitSettled(b.t, b.JetStream, event.ModerationCopies)
}

// tell publishes a fact and waits until it was handled.
func (b *bundle) tell(fact event.Fact) {
	b.t.Helper()
	require.NoError(b.t, b.PublishFact(b.t.Context(), newID(), fact))
	natstest.AwaitSettled(b.t, b.JetStream, event.ModerationFacts)
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// The answers, as far as the tests look at them.
type (
	ref struct {
		ID string `json:"_id"`
	}
	appealView struct {
		ID           string `json:"_id"`
		State        string
		WaitingSince *time.Time
		Messages     []struct{ From, Text string }
		MayAnswer    bool
	}
	caseView     = httpapi.CaseDetail
	claimView    = httpapi.Claim
	decisionView = httpapi.Decision
	auditView    = httpapi.AuditEntry
)

// reportOf returns the body of a report.
func reportOf(kind, id, reason string) map[string]any {
	return map[string]any{"subject": map[string]any{"kind": kind, "id": id}, "reason": reason}
}

// decisionOf returns the body of a decision.
func decisionOf(kind string) map[string]any {
	return map[string]any{"kind": kind, "publicReason": "edited", "text": "The replay was edited."}
}

// decisionAbout returns the body of a decision about something without a case.
func decisionAbout(kind, subjectKind, id string) map[string]any {
	body := decisionOf(kind)
	body["subject"] = map[string]any{"kind": subjectKind, "id": id}
	return body
}

var noOverride = map[string]any{}

// report reports a record and returns the id of its case.
func (b *bundle) report(by event.PlayerState, recordID string) string {
	b.t.Helper()
	dataOf[ref](b, by, http.MethodPost, "/reports", reportOf("record", recordID, "edited"), http.StatusCreated)
	return pgtest.Value[string](b.t, b.Pool, "select id::text from cases where subject_id = $1 and open", recordID)
}

// claim claims a case.
func (b *bundle) claim(by event.PlayerState, caseID string) claimView {
	b.t.Helper()
	return dataOf[claimView](b, by, http.MethodPost, "/desk/cases/"+caseID+"/claim", noOverride, http.StatusOK)
}

// decide decides a case that is claimed.
func (b *bundle) decide(by event.PlayerState, caseID string, body map[string]any) decisionView {
	b.t.Helper()
	return dataOf[decisionView](b, by, http.MethodPost, "/desk/cases/"+caseID+"/decisions", body, http.StatusCreated)
}

// decideAbout decides about a player without a case.
func (b *bundle) decideAbout(by event.PlayerState, playerID string, body map[string]any) decisionView {
	b.t.Helper()
	body["subject"] = map[string]any{"kind": "player", "id": playerID}
	return dataOf[decisionView](b, by, http.MethodPost, "/desk/decisions", body, http.StatusCreated)
}

// appeal appeals against a decision.
func (b *bundle) appeal(by event.PlayerState, decisionID string) appealView {
	b.t.Helper()
	return dataOf[appealView](b, by, http.MethodPost, "/appeals",
		map[string]any{"decisionId": decisionID, "text": "I have a video of the finish."}, http.StatusCreated)
}

// answer answers an appeal.
func (b *bundle) answer(by event.PlayerState, appealID, outcome string) appealView {
	b.t.Helper()
	return dataOf[appealView](b, by, http.MethodPost, "/desk/appeals/"+appealID+"/answer", answerOf(outcome),
		http.StatusOK)
}

// answerOf returns the body of an answer to an appeal.
func answerOf(outcome string) map[string]any {
	return map[string]any{"outcome": outcome, "text": "We have seen the video."}
}

// mistake is the body of an undoing.
var mistake = map[string]any{"publicReason": "mistake", "text": "It was a mistake."}

func (b *bundle) undo(by event.PlayerState, decisionID string) decisionView {
	b.t.Helper()
	return dataOf[decisionView](b, by, http.MethodPost, "/desk/decisions/"+decisionID+"/undo", mistake, http.StatusCreated)
}

func (b *bundle) getCase(by event.PlayerState, id string) caseView {
	b.t.Helper()
	return dataOf[caseView](b, by, http.MethodGet, "/desk/cases/"+id, nil, http.StatusOK)
}

// awaitState waits until a decision has a state.
func (b *bundle) awaitState(decisionID, state string) {
	b.t.Helper()
	eventually.WaitFor(b.t, fmt.Sprintf("decision %s to be %s", decisionID, state), func() bool {
		return pgtest.Value[string](b.t, b.Pool, "select state from decisions where id = $1", decisionID) == state
	})
}

// moderator makes a player with the role.
func (b *bundle) moderator(name string) event.PlayerState { return b.newPlayer(name, access.Moderator) }

// admin makes a player with the role.
func (b *bundle) admin(name string) event.PlayerState { return b.newPlayer(name, access.Admin) }
