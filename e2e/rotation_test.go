package e2e_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/httpget"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
	"capzone.dev/platform/token"
)

// The signing key is changed as docs/operators.md says, step by step, without the five minutes between two of them:
// a service that receives a token of an unknown key asks auth. No session ends.
//
// It is not parallel to others, because auth restarts.
func TestSigningKey_rotation(t *testing.T) {
	if !own {
		t.Skip("the stack is not the test's own")
	}
	file := filepath.Join(local.DataDir, "token-keys.pem")
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	added := []byte(operate(t, "auth", "keygen"))
	put := func(t *testing.T, keys ...[]byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(file, bytes.Join(keys, nil), 0o600))
		restartAuth(t)
	}
	oldKey, newKey := idOf(t, before), idOf(t, added)

	v := newPlayer(t)
	issued := v.Token
	signedWith(t, v, oldKey)

	t.Run("the new key is published", func(t *testing.T) {
		put(t, before, added)
		isAccepted(t, issued)
		signedWith(t, newPlayer(t), oldKey)
	})
	t.Run("the new key signs", func(t *testing.T) {
		put(t, added, before)
		isAccepted(t, issued)
		newcomer := newPlayer(t)
		signedWith(t, newcomer, newKey)
		isAccepted(t, newcomer.Token)
		if err := v.Refresh(t.Context()); err != nil {
			t.Fatalf("a player who was logged in is logged out: %v", err)
		}
		signedWith(t, v, newKey)
		isAccepted(t, v.Token)
		isAccepted(t, issued)
	})
	t.Run("the old key is gone", func(t *testing.T) {
		put(t, added)
		isAccepted(t, v.Token)
		if err := v.Refresh(t.Context()); err != nil {
			t.Fatalf("a player who was logged in is logged out: %v", err)
		}
		if _, err := v.SubmitMap(t.Context(), submission(t, newMap(v.Player.Name), v.Player.Name)); err != nil {
			t.Errorf("a player who was logged in cannot submit: %v", err)
		}
	})
}

// restartAuth ends auth, which the launcher starts again, and waits until the gateway sends requests to it.
func restartAuth(t *testing.T) {
	t.Helper()
	auth := func() (p stack.Process) {
		state, err := stack.Find(local.DataDir)
		require.NoError(t, err)
		return state.Processes[slices.IndexFunc(state.Processes, func(p stack.Process) bool { return p.Kind == "auth" })]
	}
	before := auth()
	require.NoError(t, syscall.Kill(before.PID, syscall.SIGTERM))
	eventually.WaitFor(t, "auth to be started again", func() bool {
		pid := auth().PID
		return pid != 0 && pid != before.PID
	})
	eventually.WaitFor(t, "auth to be ready", func() bool {
		if _, err := httpget.Body(t.Context(), before.Ops+"/readyz"); err != nil {
			return false
		}
		answer := send(t, newVisitor(), site.Request{Path: "/auth/refresh-token"})
		return answer.Status < http.StatusInternalServerError
	})
}

// isAccepted checks that every service that asks for a token accepts this one.
func isAccepted(t *testing.T, raw string) {
	t.Helper()
	for _, r := range []site.Request{
		{Method: http.MethodPost, Path: "/maps/submit"},
		{Method: http.MethodPost, Path: "/records/submit"},
		{Method: http.MethodPut, Path: "/players/01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55"},
		{Path: "/inbox/count"},
		{Path: "/me/decisions"},
	} {
		var f site.Form
		if r.Method != "" { // a change of nothing
			f.Field("nothing", "here")
			r = f.Request(r.Method, r.Path)
		}
		v := newVisitor()
		v.Token = raw
		if answer := send(t, v, r); answer.Status == http.StatusUnauthorized ||
			answer.Status >= http.StatusInternalServerError {
			t.Errorf("%s: the token does not count: %d %s", r.Path, answer.Status, answer.Body)
		}
	}
}

func signedWith(t *testing.T, v *site.Visitor, key string) {
	t.Helper()
	head, _, _ := strings.Cut(v.Token, ".")
	text, err := base64.RawURLEncoding.DecodeString(head)
	require.NoError(t, err)
	var header struct {
		KeyID string `json:"kid"`
	}
	if err := json.Unmarshal(text, &header); err != nil || header.KeyID != key {
		t.Errorf("the token is signed with %q, want %s (%v)", header.KeyID, key, err)
	}
}

// idOf is the id of the one key in a file.
func idOf(t *testing.T, file []byte) string {
	t.Helper()
	keys, err := token.ParseKeys(file)
	if err != nil || len(keys) != 1 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	return keys[0].ID
}
