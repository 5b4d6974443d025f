package cache_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/gateway/internal/cache"
)

var searchShape = cache.QueryParams{"limit", "name", "page", "tags"}

func TestQueryParams_Key(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, query, key string
		ok               bool
	}{
		{"no query", "", "/maps", true},
		{"in another order", "page=2&limit=12", "/maps?limit=12&page=2", true},
		{"with an unknown parameter", "utm=x&page=2&_=17", "/maps?page=2", true},
		{"with unknown parameters alone", "utm=x", "/maps", true},
		{"spelled with a plus", "name=a+b", "/maps?name=a+b", true},
		{"spelled with a percent sign", "name=a%20b", "/maps?name=a+b", true},
		{"a comma", "tags=x,y", "/maps?tags=x,y", true},
		{"an escaped comma", "tags=x%2cy", "/maps?tags=x,y", true},
		{"an escaped name", "%6Eame=x", "/maps?name=x", true},
		{"letters beyond ASCII", "name=%C3%A9", "/maps?name=%C3%A9", true},
		{"such letters as they are", "name=\u00e9", "/maps?name=%C3%A9", true},
		{"an ampersand in a value", "name=a%26page=7", "/maps?name=a%26page%3D7", true},
		{"an empty value", "name=", "/maps?name=", true},
		{"a name alone", "name", "/maps?name=", true},
		{"ampersands", "&&page=2&", "/maps?page=2", true},
		{"a parameter twice", "page=1&page=2", "", false},
		{"a parameter twice, once escaped", "page=1&%70age=2", "", false},
		{"a semicolon", "name=a;page=2", "", false},
		{"an invalid escape", "name=%zz", "", false},
		{"an invalid escape in a name", "%zz=a", "", false},
		{"an invalid escape in an unknown parameter", "page=2&utm=%", "", false},
		{"a semicolon in an unknown parameter", "utm=a;page=2", "", false},
	} {
		key, ok := searchShape.Key("/maps", tt.query)
		if ok != tt.ok || ok && key != tt.key {
			t.Errorf("%s: %q is %q (%t), want %q (%t)", tt.name, tt.query, key, ok, tt.key, tt.ok)
		}
	}
	if _, ok := searchShape.Key("/maps", "name="+strings.Repeat("x", 5000)); ok {
		t.Error("a key of 5,000 bytes is ok")
	}
}

// The key of any query asks for the same, and is its own key.
func FuzzQueryParams_Key(f *testing.F) {
	for _, seed := range []string{"name=a+b&tags=x,y", "page=1&page=2", "%6eame=%zz", "a;b", "name=%00&limit", "=&&x=%26",
		"=%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		key, ok := searchShape.Key("/maps", query)
		if !ok {
			return
		}
		asked, err := url.ParseQuery(query)
		if err != nil {
			t.Fatalf("%q has a key, and cannot be read: %v", query, err)
		}
		_, rest, _ := strings.Cut(key, "?")
		got, err := url.ParseQuery(rest)
		if err != nil {
			t.Fatalf("the key %q cannot be read: %v", key, err)
		}
		for name := range asked {
			if _, known := got[name]; !known {
				delete(asked, name)
			}
		}
		if diff := cmp.Diff(asked, got); diff != "" {
			t.Errorf("%q became %q (-asked +got):\n%s", query, key, diff)
		}
		if again, ok := searchShape.Key("/maps", rest); !ok || again != key {
			t.Errorf("the key %q has the key %q", key, again)
		}
	})
}
