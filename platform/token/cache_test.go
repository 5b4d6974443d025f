package token

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"testing"
	"time"
)

var (
	noon       = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	firstHash  = sha256.Sum256([]byte("first token"))
	secondHash = sha256.Sum256([]byte("second token"))
)

func TestVerifier_cache_expiry(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		expires time.Time
		after   time.Duration
		cached  bool
	}{
		{"at once", noon.Add(time.Hour), 0, true},
		{"within the cache's time", noon.Add(time.Hour), cacheFor - 1, true},
		{"after the cache's time", noon.Add(time.Hour), cacheFor, false},
		{"before the token expires", noon.Add(time.Second), time.Second - 1, true},
		{"when the token expires", noon.Add(time.Second), time.Second, false},
	} {
		now := noon
		v := newVerifier(nil, func() time.Time { return now })
		v.put(firstHash, Claims{Name: "cloudstep", ExpiresAt: tt.expires})
		now = noon.Add(tt.after)
		if c, ok := v.cached(firstHash); ok != tt.cached || ok && c.Name != "cloudstep" {
			t.Errorf("%s: cached claims %+v, %v", tt.name, c, ok)
		}
		if _, ok := v.cached(secondHash); ok {
			t.Errorf("%s: another token is cached", tt.name)
		}
	}
}

func TestVerifier_cache_copies_roles(t *testing.T) {
	t.Parallel()
	v := newVerifier(nil, func() time.Time { return noon })
	given := []string{"validator"}
	v.put(firstHash, Claims{Roles: given, ExpiresAt: noon.Add(time.Hour)})
	given[0] = "admin"
	for range 2 {
		c, _ := v.cached(firstHash)
		if !slices.Equal(c.Roles, []string{"validator"}) {
			t.Errorf("roles %v", c.Roles)
		}
		c.Roles[0] = "admin"
	}
}

func TestVerifier_cache_is_bounded(t *testing.T) {
	t.Parallel()
	v := newVerifier(nil, func() time.Time { return noon })
	for i := range maxCached + 1 {
		v.put(sha256.Sum256([]byte(strconv.Itoa(i))), Claims{ExpiresAt: noon.Add(time.Hour)})
	}
	if n := v.cache.Len(); n > maxCached {
		t.Errorf("%d tokens are cached, want at most %d", n, maxCached)
	}
}
