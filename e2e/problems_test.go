package e2e_test

import (
	"errors"
	"net/http"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/site"
)

// refused checks that an error is a whole failure of the site, with a status and a code.
func refused(t *testing.T, err error, status int, code string) {
	t.Helper()
	var p *site.Problem
	if !errors.As(err, &p) {
		t.Fatalf("got %v, want %d %s", err, status, code)
	}
	if p.Status != status || p.Code != code {
		t.Errorf("got %v, want %d %s", p, status, code)
	}
	whole(t, p)
}

// whole checks that a failure has all that every failure has.
func whole(t *testing.T, p *site.Problem) {
	t.Helper()
	if p.Success || p.Code == "" || p.Message == "" || p.RequestID == "" {
		t.Errorf("not a whole failure: %+v", p)
	}
	if p.Status == http.StatusTooManyRequests && p.RetryAfter <= 0 {
		t.Errorf("%v does not say when to try again", p)
	}
}

// send sends a request that gets some answer.
func send(t *testing.T, v *site.Visitor, r site.Request) site.Answer {
	t.Helper()
	answer, err := v.Send(t.Context(), r)
	require.NoError(t, err)
	return answer
}
