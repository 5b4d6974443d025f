package httpserve_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

func TestReadQuery(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ query, want string }{
		{"", ""},
		{"name=a+b&page=2", "name=a+b&page=2"},
		{"tags=x,y", "tags=x,y"},
		{"page=", ""},
		{"page", ""},
		{"name=sky&page=&limit=", "name=sky"},
		{"name=&name=sky", "name=&name=sky"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/?"+tt.query, nil)
		if err := httpserve.ReadQuery(r); err != nil || r.URL.RawQuery != tt.want {
			t.Errorf("%q: %q, %v, want %q", tt.query, r.URL.RawQuery, err, tt.want)
		}
	}
	for _, query := range []string{"name=x;y", "name=%zz", "page=0;x", "%=a"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.RawQuery = query
		if err := httpserve.ReadQuery(r); !errors.Is(err, httpserve.ErrQueryMalformed) {
			t.Errorf("%q: %v, want %v", query, err, httpserve.ErrQueryMalformed)
		}
	}
}

func TestNewEngine_query(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine = httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler), Service: "maps"})
	b.engine.GET("/list", func(c *gin.Context) { c.String(http.StatusOK, "%s", c.Request.URL.RawQuery) })
	if w := b.get(t, "/list?page=&name=x"); w.Code != http.StatusOK || w.Body.String() != "name=x" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w := b.get(t, "/list?name=%zz")
	if w.Code != http.StatusBadRequest || failure(t, w).Code != "query_malformed" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestRenderBinding(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inner := errors.New(`error binding string parameter: strconv.ParseInt: parsing "secret": invalid syntax`)
	for path, err := range map[string]error{
		"/format":  fmt.Errorf("Invalid format for parameter limit: %w", inner),
		"/missing": errors.New("Query argument limit is required, but not found"),
	} {
		b.engine.GET(path, func(c *gin.Context) { httpserve.RenderBinding(c, err, http.StatusBadRequest) })
		f := failure(t, b.get(t, path))
		message := map[string]string{"/format": "Invalid format for parameter limit", "/missing": err.Error()}[path]
		want := httpserve.Failure{
			Code: "malformed_request", Message: message + ".", RequestID: f.RequestID,
			Errors: []problem.Field{{Field: "limit", Code: "malformed", Message: message}},
		}
		assert.Equal(t, path, want, f)
	}
}

func TestRenderMalformed_value_of_a_wrong_type(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.engine.POST("/", func(c *gin.Context) {
		var body struct {
			Login struct {
				Code string `json:"code"`
			} `json:"login"`
		}
		httpserve.RenderMalformed(c, c.ShouldBindJSON(&body))
	})
	w := b.serve(t, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"login":{"code":123456}}`)))
	want := []problem.Field{{Field: "login.code", Code: "wrong_type", Message: "must not be a number"}}
	if diff := cmp.Diff(want, failure(t, w).Errors); diff != "" || w.Code != http.StatusBadRequest {
		t.Errorf("%d (-want +got):\n%s", w.Code, diff)
	}
}

// An empty list is written as [], not as null.
func TestList(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		values []int
		want   string
	}{{nil, "[]"}, {[]int{1, 20}, `["1","20"]`}} {
		got, err := json.Marshal(httpserve.List(tt.values, strconv.Itoa))
		if err != nil || string(got) != tt.want {
			t.Errorf("List(%v) = %s, %v, want %s", tt.values, got, err, tt.want)
		}
	}
}
