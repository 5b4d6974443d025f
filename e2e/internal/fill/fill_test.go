package fill

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

func TestAgain(t *testing.T) {
	t.Parallel()
	busy := &site.Problem{Status: http.StatusServiceUnavailable, RetryAfter: 5 * time.Second}
	refused := func(code string) error {
		return &site.Problem{Status: http.StatusForbidden, Failure: api.Failure{Code: code}}
	}
	banned := refused("banned")
	for _, tt := range []struct {
		name    string
		answers []error // the last one repeats
		want    error
		took    time.Duration
	}{
		{"once busy, once limited", []error{busy, &site.Problem{Status: http.StatusTooManyRequests}, nil}, nil,
			6 * time.Second},
		{"once without the role", []error{refused("not_author_or_validator"), nil}, nil, time.Second},
		{"banned", []error{banned}, banned, 0},
		{"always busy", []error{busy}, busy, patience},
		{"refused", []error{errors.ErrUnsupported}, errors.ErrUnsupported, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, calls := time.Now(), 0
				err := again(t.Context(), func() error {
					calls++
					return tt.answers[min(calls, len(tt.answers))-1]
				})
				if took := time.Since(start); !errors.Is(err, tt.want) || took != tt.took {
					t.Errorf("%v after %v and %d calls, want %v after %v", err, took, calls, tt.want, tt.took)
				}
			})
		})
	}
}
