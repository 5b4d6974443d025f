package app_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/event"
	"capzone.dev/platform/token"
)

// What outlives a session is not made by an access token that outlives it.
func TestGateway_session_that_has_ended(t *testing.T) {
	t.Parallel()
	server := natstest.Start(t)
	auth, _ := server.Provision()
	live := uuid.NewString()
	b := setup(t, func(cfg *app.Config, _ *bundle) {
		cfg.NATSURL = server.URL()
		cfg.Services[route.Notifications] = app.Addresses{startStub(t).address()}
	})
	stop := natstest.Serve(t, auth, event.CheckSessionSubject,
		func(_ context.Context, req event.CheckSession) (struct{}, error) {
			if req.SessionID != live {
				return struct{}{}, event.ErrSessionEnded
			}
			return struct{}{}, nil
		})
	send := func(method, path, sessionID string) (int, string) {
		t.Helper()
		raw, err := b.signer.Sign(token.Claims{PlayerID: playerID, Name: "cloudstep", SessionID: sessionID})
		require.NoError(t, err)
		got := b.send(t, method, "/api/v1"+path, text("{}"), bearerOf(raw)...)
		if got.status == http.StatusOK {
			return got.status, ""
		}
		return got.status, got.failure(t).Code
	}
	for _, tt := range []struct{ method, path string }{
		{http.MethodPost, "/tokens"}, {http.MethodPost, "/me/deletion"}, {http.MethodPost, "/webhooks"},
		{http.MethodPatch, "/webhooks/1"}, {http.MethodPost, "/webhooks/1/rotate"},
	} {
		for sessionID, want := range map[string]string{live: "", uuid.NewString(): "session_ended", "": "session_ended"} {
			if status, code := send(tt.method, tt.path, sessionID); code != want {
				t.Errorf("%s %s in session %q: %d %q, want %q", tt.method, tt.path, sessionID, status, code, want)
			}
		}
	}
	if status, code := send(http.MethodDelete, "/tokens/1", uuid.NewString()); status != http.StatusOK {
		t.Errorf("to revoke a token needs no session: %d %q", status, code)
	}
	stop()
	if status, code := send(http.MethodPost, "/tokens", live); code != "sessions_unavailable" {
		t.Errorf("without auth: %d %q", status, code)
	}
}
