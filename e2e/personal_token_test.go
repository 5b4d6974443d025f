package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

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

// A script with a token submits a record, and can do nothing that its scope does not say.
func TestPersonalToken_script_submits_a_record(t *testing.T) {
	t.Parallel()
	m, entry, author := submitted(t)
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
		{Path: "/inbox"}, {Path: "/follows"}, {Path: "/tokens"}, {Path: "/me/decisions"}, {Path: "/desk/cases"},
		{Method: http.MethodDelete, Path: "/tokens/" + id},
		{Method: http.MethodPut, Path: "/follows/players/" + author.Player.ID},
		{Path: "/auth/refresh-token"}, {Path: "/events", Query: url.Values{"me": {"true"}}},
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
}

// Once a revocation is answered, no request that begins a second later is.
func TestPersonalToken_revoked_while_requests_run(t *testing.T) {
	t.Parallel()
	player := newPlayer(t)
	raw, id, _ := makeToken(t, player, api.ScopeReadInbox)
	type outcome struct {
		began  time.Time
		status int
	}
	var mu sync.Mutex
	var outcomes []outcome
	count := func(status int) (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, o := range outcomes {
			if o.status == status {
				n++
			}
		}
		return n
	}
	stop := make(chan struct{})
	var programs sync.WaitGroup
	for range 4 {
		program := capzone.Visitor()
		program.Token = raw
		programs.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				began := time.Now()
				answer, err := program.Send(t.Context(), site.Request{Path: "/inbox/count"})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				outcomes = append(outcomes, outcome{began, answer.Status})
				mu.Unlock()
			}
		})
	}
	eventually.WaitFor(t, "requests", func() bool { return count(http.StatusOK) > 20 })
	answer := ask(t, player, site.Request{Method: http.MethodDelete, Path: "/tokens/" + id})
	if answer.Status != http.StatusNoContent {
		t.Errorf("revoke: %d %s", answer.Status, answer.Body)
	}
	acknowledged := time.Now()
	eventually.WaitFor(t, "refusals", func() bool { return count(http.StatusUnauthorized) > 20 })
	close(stop)
	programs.Wait()
	for _, o := range outcomes {
		if o.status == http.StatusOK && o.began.After(acknowledged.Add(time.Second)) {
			t.Errorf("answered %v after the revocation", o.began.Sub(acknowledged))
		}
	}
}

func TestPersonalToken_in_an_address(t *testing.T) {
	t.Parallel()
	player := newPlayer(t)
	raw, _, program := makeToken(t, player, api.ScopeReadInbox)
	_, _, other := makeToken(t, player, api.ScopeReadInbox)
	answer := ask(t, newVisitor(), site.Request{Path: "/inbox", Query: url.Values{"access_token": {raw}}})
	if answer.Status != http.StatusBadRequest || !strings.Contains(string(answer.Body), `"token_in_query"`) ||
		strings.Contains(string(answer.Body), raw) {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
	awaitRefused(t, program)
	if answer := ask(t, other, site.Request{Path: "/inbox/count"}); answer.Status != http.StatusOK {
		t.Errorf("another token: %d %s", answer.Status, answer.Body)
	}
}

func TestPersonalToken_of_players_who_are_banned_or_merged(t *testing.T) {
	t.Parallel()
	banned, merged, into := newPlayer(t), newPlayer(t), newPlayer(t)
	_, _, ofBanned := makeToken(t, banned, api.ScopeReadInbox)
	_, _, ofMerged := makeToken(t, merged, api.ScopeReadInbox)
	_, _, ofOther := makeToken(t, into, api.ScopeReadInbox)
	for _, program := range []*site.Visitor{ofBanned, ofMerged, ofOther} {
		if answer := ask(t, program, site.Request{Path: "/inbox/count"}); answer.Status != http.StatusOK {
			t.Fatalf("before: %d %s", answer.Status, answer.Body)
		}
	}
	operate(t, "players", "ban", banned.Player.Name, "A test.")
	operate(t, "players", "merge", merged.Player.Name, into.Player.Name, "A test.")
	awaitRefused(t, ofBanned)
	awaitRefused(t, ofMerged)
	if answer := ask(t, ofOther, site.Request{Path: "/inbox/count"}); answer.Status != http.StatusOK {
		t.Errorf("of the player merged into: %d %s", answer.Status, answer.Body)
	}
	answer := ask(t, banned, site.Request{Path: "/tokens"})
	if answer.Status != http.StatusForbidden {
		t.Errorf("a banned player lists tokens: %d %s", answer.Status, answer.Body)
	}
}
