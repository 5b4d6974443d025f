package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// makeToken makes a personal token of a player and returns it, its id, and a program that acts by it.
func makeToken(t *testing.T, player *site.Visitor, scopes ...api.TokenScope) (raw, id string, program *site.Visitor) {
	t.Helper()
	made, err := player.CreateToken(t.Context(), api.NewToken{Name: "a script", Scopes: scopes, ExpiresInDays: 1})
	require.NoError(t, err)
	program = capzone.Visitor()
	program.Token, program.Player = made.Token, player.Player
	return made.Token, made.PersonalToken.ID, program
}

// awaitRefused waits until a program's token is refused.
func awaitRefused(t *testing.T, program *site.Visitor) {
	t.Helper()
	eventually.WaitFor(t, "the token to be refused", func() bool {
		answer := ask(t, program, site.Request{Path: "/stats"})
		return answer.Status == http.StatusUnauthorized && strings.Contains(string(answer.Body), "personal_token_invalid")
	})
}

// A script with a token submits a record, can do nothing outside of its scope, and nothing once the token is revoked.
func TestPersonalToken_script_submits_a_record(t *testing.T) {
	t.Parallel()
	m, entry, _ := submitted(t)
	awaitRecord(t, entry.ID)
	player := newPlayer(t)
	_, id, script := makeToken(t, player, api.ScopeSubmitRecords)
	accepted := finished(t, script, m, 39_000)
	page, err := newVisitor().Leaderboard(t.Context(), entry.ID, 0, 10)
	if err != nil || len(page.Data) == 0 || page.Data[0].ID != accepted.Record.ID ||
		page.Data[0].Player.ID != player.Player.ID {
		t.Errorf("leaderboard: %+v, %v", page.Data, err)
	}
	for _, refusedCall := range []site.Request{
		{Path: "/inbox"}, {Method: http.MethodDelete, Path: "/tokens/" + id}, {Path: "/desk/cases"},
		{Path: "/records", Query: url.Values{"map": {entry.ID}, "following": {"true"}}},
	} {
		answer := ask(t, script, refusedCall)
		if answer.Status != http.StatusForbidden || !strings.Contains(string(answer.Body), `"scope_missing"`) {
			t.Errorf("%s %s: %d %s", refusedCall.Method, refusedCall.Path, answer.Status, answer.Body)
		}
	}
	answer := ask(t, script, site.Request{Path: "/records/goals"})
	if answer.Status != http.StatusOK || answer.Header.Get("RateLimit") == "" ||
		answer.Header.Get("RateLimit-Policy") == "" {
		t.Errorf("the player's goals: %d %v", answer.Status, answer.Header)
	}
	var listed api.TokensAnswer
	decode(t, ask(t, player, site.Request{Path: "/tokens"}), &listed)
	if len(listed.Data) != 1 || listed.Data[0].ID != id || listed.Data[0].LastUsedOn == nil {
		t.Errorf("tokens: %+v", listed.Data)
	}
	revoked := ask(t, player, site.Request{Method: http.MethodDelete, Path: "/tokens/" + id})
	if revoked.Status != http.StatusNoContent {
		t.Errorf("revoke: %d %s", revoked.Status, revoked.Body)
	}
	awaitRefused(t, script)
}
