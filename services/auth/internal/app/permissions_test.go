package app_test

import (
	"net/http"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/token"
	"capzone.dev/services/auth/internal/app"
)

func TestPermissions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	limited := map[string]access.Actor{}
	send := func(method, path, body string) func(by access.Actor) string {
		return servicetest.ByToken(t, method, b.URL+path, func(p event.PlayerState) servicetest.Answer {
			claims := token.Claims{PlayerID: p.ID, Name: p.Name, Roles: p.Roles}
			claims.PersonalID, claims.Scopes = limited[p.ID].TokenID, limited[p.ID].Scopes
			return servicetest.Do(t, method, b.URL+path, strings.NewReader(body),
				"Content-Type", "application/json", "Authorization", "Bearer "+b.sign(claims))
		})
	}
	requests := []func(by access.Actor) string{
		send(http.MethodGet, "/api/v1/tokens", ""),
		send(http.MethodPost, "/api/v1/tokens", `{"name":"bot","scopes":["follows"],"expiresInDays":1}`),
		func(by access.Actor) string {
			code := send(http.MethodDelete, "/api/v1/tokens/0198c2f4-0000-7000-8000-00000000000a", "")(by)
			if code == "token_unknown" {
				return ""
			}
			return code
		},
	}
	servicetest.Permissions{
		Service: app.Name,
		Player: func(name, role string) event.PlayerState {
			return b.players.change(name, func(s *event.PlayerState) {
				if role != "" {
					s.Roles = []string{role}
				}
			})
		},
		Revoke: func(p event.PlayerState, _ string) {
			b.players.change(p.Name, func(s *event.PlayerState) { s.Roles = nil })
		},
		Ban: func(p event.PlayerState) {
			banned := b.players.change(p.Name, func(s *event.PlayerState) { s.Banned = true })
			b.awaitCopy(banned)
		},
		Limit: func(by access.Actor) { limited[by.ID] = by },
		Attempts: []servicetest.Attempt{{Action: access.ManageTokens, Take: func(by access.Actor) string {
			code := requests[0](by)
			for _, take := range requests[1:] {
				if other := take(by); other != code {
					t.Errorf("refused with %q, the list with %q", other, code)
				}
			}
			return code
		}}},
	}.Check(t)
}

// sign returns an access token of the service itself.
func (b *bundle) sign(claims token.Claims) string {
	b.t.Helper()
	signer, err := token.NewSigner(b.keys, b.clock)
	require.NoError(b.t, err)
	signed, err := signer.Sign(claims)
	require.NoError(b.t, err)
	return signed
}

// awaitCopy waits until the service has a state of a player.
func (b *bundle) awaitCopy(p event.PlayerState) {
	b.t.Helper()
	eventually.WaitFor(b.t, "the copy of "+p.Name, func() bool {
		var version int64
		err := b.Pool.QueryRow(b.t.Context(), `select version from players where id = $1`, p.ID).Scan(&version)
		return err == nil && version >= p.Version
	})
}
