package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/httpapi"
)

// tokensOf asks for the tokens of a player with an access token of the service.
func (b *bundle) tokensOf(p event.PlayerState, method, path, body string, header ...string) servicetest.Answer {
	b.t.Helper()
	header = append(header, "Content-Type", "application/json",
		"Authorization", "Bearer "+b.sign(token.Claims{PlayerID: p.ID, Name: p.Name, Roles: p.Roles}))
	return servicetest.Do(b.t, method, b.URL+"/api/v1/tokens"+path, strings.NewReader(body), header...)
}

// exchange exchanges a personal token as a gateway does.
func (b *bundle) exchange(raw string) (event.ExchangedToken, error) {
	hash := personal.HashOf(raw)
	return eventbus.Call[event.ExchangedToken](b.t.Context(), b.NATS, event.ExchangeTokenSubject,
		event.ExchangeToken{Hash: hash[:]})
}

func TestAPI_tokens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.players.change("cloudstep", func(s *event.PlayerState) { s.Roles = []string{access.Admin} })
	b.awaitCopy(cloudstep)

	a := b.tokensOf(cloudstep, http.MethodPost, "", `{"name":"My bot","scopes":["inbox:read"],"expiresInDays":30}`)
	if a.Status != http.StatusCreated || a.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", a.Status, a.Raw)
	}
	made := servicetest.Data[httpapi.CreatedToken](t, a)
	if !personal.HasForm(made.Token) || made.PersonalToken.LastUsedOn != nil {
		t.Errorf("made: %+v", made)
	}
	exchanged, err := b.exchange(made.Token)
	require.NoError(t, err)
	want := token.Claims{
		PlayerID: cloudstep.ID, Name: "cloudstep", Roles: []string{}, PersonalID: made.PersonalToken.UnderscoreId,
		Scopes: []access.Scope{access.ScopeReadInbox}, ExpiresAt: b.claims(exchanged.AccessToken).ExpiresAt,
	}
	assert.Equal(t, "claims", want, b.claims(exchanged.AccessToken))
	if exchanged.TokenID != made.PersonalToken.UnderscoreId {
		t.Errorf("exchanged: %+v", exchanged)
	}

	listed := servicetest.Data[[]httpapi.PersonalToken](t, b.tokensOf(cloudstep, http.MethodGet, "", ""))
	made.PersonalToken.LastUsedOn = new(time.Now().UTC().Format(time.DateOnly))
	assert.Equal(t, "list", []httpapi.PersonalToken{made.PersonalToken}, listed)

	path := "/" + listed[0].UnderscoreId
	if a := b.tokensOf(cloudstep, http.MethodDelete, path, "", "Sec-Fetch-Site", "cross-site"); a.Code != "foreign_site" {
		t.Errorf("by another site: %d %s", a.Status, a.Raw)
	}
	if a := b.tokensOf(cloudstep, http.MethodDelete, path, ""); a.Status != http.StatusNoContent {
		t.Errorf("revoke: %d %s", a.Status, a.Raw)
	}
	if _, err := b.exchange(made.Token); servicetest.Refusal(err) != "personal_token_invalid" {
		t.Errorf("after the revocation: %v", err)
	}
	if fact := servicetest.AwaitFact[event.TokenRevoked](b.Servers, event.TokenRevokedSubject); fact.TokenID !=
		listed[0].UnderscoreId || fact.PlayerID != cloudstep.ID {
		t.Errorf("announced: %+v", fact)
	}
	if a := b.tokensOf(cloudstep, http.MethodGet, "", ""); len(servicetest.Data[[]httpapi.PersonalToken](t, a)) != 0 {
		t.Errorf("list: %s", a.Raw)
	}
}

func TestAPI_tokens_malformed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.players.change("cloudstep", func(*event.PlayerState) {})
	for body, want := range map[string]string{
		``: "malformed_request", `{"name":1}`: "malformed_request",
		`{"name":"a","expiresInDays":1e99}`: "malformed_request", `{}`: "token_malformed",
	} {
		if a := b.tokensOf(cloudstep, http.MethodPost, "", body); a.Code != want {
			t.Errorf("%s: %d %s", body, a.Status, a.Raw)
		}
	}
	if a := b.tokensOf(cloudstep, http.MethodDelete, "/x", ""); a.Code != "token_unknown" {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
}
