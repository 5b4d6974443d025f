package token

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestClaimsCache_expiry(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		expires time.Time
		after   time.Duration
		cached  bool
	}{
		{"at once", noon.Add(time.Hour), 0, true},
		{"within the moment", noon.Add(time.Hour), cacheFor - 1, true},
		{"after it", noon.Add(time.Hour), cacheFor, false},
		{"before its end", noon.Add(time.Second), time.Second - 1, true},
		{"at its end", noon.Add(time.Second), time.Second, false},
	} {
		c := newClaimsCache()
		c.put("token", Claims{Name: "cloudstep", ExpiresAt: tt.expires}, noon)
		if c, ok := c.get("token", noon.Add(tt.after)); ok != tt.cached || ok && c.Name != "cloudstep" {
			t.Errorf("%s: %+v, %v", tt.name, c, ok)
		}
		if _, ok := c.get("Token", noon); ok {
			t.Errorf("%s: another token is known", tt.name)
		}
	}
}

func TestClaimsCache_copies_roles(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	c := newClaimsCache()
	given := []string{"validator"}
	c.put("token", Claims{Roles: given, ExpiresAt: noon.Add(time.Hour)}, noon)
	given[0] = "admin"
	for range 2 {
		c, _ := c.get("token", noon)
		if !slices.Equal(c.Roles, []string{"validator"}) {
			t.Errorf("roles %v", c.Roles)
		}
		c.Roles[0] = "admin"
	}
}

func TestClaimsCache_is_bounded(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	c := newClaimsCache()
	for i := range 2*maxCached + 1 {
		c.put(strconv.Itoa(i), Claims{ExpiresAt: noon.Add(time.Hour)}, noon)
	}
	if n := c.entries.Len(); n > maxCached {
		t.Errorf("%d tokens are cached", n)
	}
}
