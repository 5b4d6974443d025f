package sessiontest_test

import (
	"testing"

	"capzone.dev/services/auth/internal/sessiontest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	sessiontest.Contract(t, func(*testing.T) sessiontest.Store { return sessiontest.NewMemory() })
}
