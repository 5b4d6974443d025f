package token

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestATokenIsRememberedForAMomentAndNeverPastItsEnd(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name       string
		expires    time.Time
		after      time.Duration
		remembered bool
	}{
		{"at once", noon.Add(time.Hour), 0, true},
		{"within the moment", noon.Add(time.Hour), rememberFor - 1, true},
		{"after it", noon.Add(time.Hour), rememberFor, false},
		{"before its end", noon.Add(time.Second), time.Second - 1, true},
		{"at its end", noon.Add(time.Second), time.Second, false},
	} {
		var m memory
		m.put("token", Claims{Name: "cloudstep", ExpiresAt: tt.expires}, noon)
		if c, ok := m.get("token", noon.Add(tt.after)); ok != tt.remembered || ok && c.Name != "cloudstep" {
			t.Errorf("%s: %+v, %v", tt.name, c, ok)
		}
		if _, ok := m.get("Token", noon); ok {
			t.Errorf("%s: another token is known", tt.name)
		}
	}
}

func TestRolesOfARememberedTokenAreItsOwn(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	var m memory
	given := []string{"validator"}
	m.put("token", Claims{Roles: given, ExpiresAt: noon.Add(time.Hour)}, noon)
	given[0] = "admin"
	for range 2 {
		c, _ := m.get("token", noon)
		if !slices.Equal(c.Roles, []string{"validator"}) {
			t.Errorf("roles %v", c.Roles)
		}
		c.Roles[0] = "admin"
	}
}

func TestTheMemoryOfTokensIsBounded(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	var m memory
	for i := range 2*mostRemembered + 1 {
		m.put(strconv.Itoa(i), Claims{ExpiresAt: noon.Add(time.Hour)}, noon)
	}
	if n := m.of.Len(); n > mostRemembered {
		t.Errorf("%d tokens are remembered", n)
	}
}
