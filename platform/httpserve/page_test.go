package httpserve_test

import (
	"errors"
	"testing"

	"capzone.dev/platform/httpserve"
)

func TestPageQuery(t *testing.T) {
	t.Parallel()
	n := func(i int) *int { return &i }
	for _, tt := range []struct {
		name                string
		page, limit         *int
		wantPage, wantLimit int
		ok                  bool
	}{
		{"nothing asked", nil, nil, 1, 12, true},
		{"the bounds", n(1_000_000), n(100), 1_000_000, 100, true},
		{"page 0", n(0), nil, 0, 0, false},
		{"page -1", n(-1), nil, 0, 0, false},
		{"a page beyond arithmetic", n(1 << 62), nil, 0, 0, false},
		{"limit 0", nil, n(0), 0, 0, false},
		{"limit 101", nil, n(101), 0, 0, false},
	} {
		page, limit, err := httpserve.PageQuery(tt.page, tt.limit, 12)
		if (err == nil) != tt.ok || tt.ok && (page != tt.wantPage || limit != tt.wantLimit) {
			t.Errorf("%s: %d, %d, %v", tt.name, page, limit, err)
		}
	}
	if _, _, err := httpserve.OffsetQuery(n(-1), nil, 10); !errors.Is(err, httpserve.ErrPageInvalid) {
		t.Errorf("offset -1: %v", err)
	}
	if from, limit, err := httpserve.OffsetQuery(nil, nil, 10); from != 0 || limit != 10 || err != nil {
		t.Errorf("no offset: %d, %d, %v", from, limit, err)
	}
}
