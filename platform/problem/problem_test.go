package problem_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/problem"
)

var errExists = problem.Conflict("map_exists", "This map was submitted before.")

func TestProblem_copies(t *testing.T) {
	t.Parallel()
	copied := errExists.WithData("_id", "m1").
		WithField("replayFile", "known", "known").
		WithMessage("map_named", "{map} is there.").WithData("map", "Skyline Run").
		Wrap(errors.New("constraint")).
		WithRetryAfter(time.Minute)
	if !errors.Is(fmt.Errorf("submit: %w", copied), errExists) {
		t.Error("a copy is not the declared problem")
	}
	if errors.Is(copied, problem.Conflict("other", "")) {
		t.Error("problems of different codes are the same")
	}
	if diff := cmp.Diff("map_exists: This map was submitted before.", errExists.Error()); diff != "" ||
		errExists.Data != nil || errExists.Fields != nil {
		t.Errorf("the declared problem changed:\n%s", diff)
	}
}

func TestProblem_sentences(t *testing.T) {
	t.Parallel()
	got := problem.TooLarge("file_too_large", "At most {size}").WithReason("file_size").About("file").
		WithField("name", "name_size", "Not {size}").WithData("size", "1 MB")
	want := &problem.Problem{
		Kind: problem.KindTooLarge, Code: "file_too_large", Reason: "file_size", Message: "At most 1 MB",
		Fields: []problem.Field{{"file", "file_size", "At most 1 MB"}, {"name", "name_size", "Not 1 MB"}},
		Data:   map[string]any{"size": "1 MB"},
	}
	assert.Equal(t, "problem", want, got, cmpopts.IgnoreUnexported(problem.Problem{}))
}

func TestKind_Status(t *testing.T) {
	t.Parallel()
	for p, want := range map[*problem.Problem]int{
		problem.InvalidArgument("", ""): 400, problem.Unauthenticated("", ""): 401, problem.Forbidden("", ""): 403,
		problem.NotFound("", ""): 404, problem.MethodNotAllowed("", ""): 405, problem.Conflict("", ""): 409,
		problem.TooLarge("", ""): 413, problem.WrongType("", ""): 415, problem.Unprocessable("", ""): 422,
		problem.RateLimited("", ""): 429, problem.Unavailable("", ""): 503, problem.Internal("", ""): 500,
		{Kind: "from a newer version"}: 500,
	} {
		if got := p.Kind.Status(); got != want {
			t.Errorf("%s has status %d, want %d", p.Kind, got, want)
		}
	}
}

var errNoConnection = errors.New("no connection is free")

func TestFrom(t *testing.T) {
	t.Parallel()
	problem.RegisterMapper(func(err error) *problem.Problem {
		if errors.Is(err, errNoConnection) {
			return problem.Unavailable("database_unavailable", "")
		}
		return nil
	})
	for _, tt := range []struct {
		name string
		err  error
		kind problem.Kind
		code string
	}{
		{"a wrapped problem", fmt.Errorf("x: %w", errExists), problem.KindConflict, "map_exists"},
		{"any other error", errors.New("password=secret"), problem.KindInternal, "internal"},
		{"a deadline", fmt.Errorf("x: %w", context.DeadlineExceeded), problem.KindUnavailable, "timeout"},
		{"a deadline that the mapper knows", errors.Join(errNoConnection, context.DeadlineExceeded), problem.KindUnavailable,
			"database_unavailable"},
		{"a caller who left whose error the mapper knows", errors.Join(errNoConnection, context.Canceled),
			problem.KindUnavailable, "canceled"},
		{"a caller who left", context.Canceled, problem.KindUnavailable, "canceled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := problem.From(tt.err)
			if p.Kind != tt.kind || p.Code != tt.code {
				t.Errorf("From = %v (%s), want %s (%s)", p, p.Kind, tt.code, tt.kind)
			}
			if !errors.Is(p, tt.err) && !errors.Is(tt.err, p) {
				t.Error("the cause is lost to the log")
			}
		})
	}
	if problem.From(nil) != nil {
		t.Error("From(nil) is a problem")
	}
}

func TestProblem_JSON_omits_the_cause(t *testing.T) {
	t.Parallel()
	sent := errExists.WithData("_id", "m1").WithField("f", "c", "m").WithRetryAfter(time.Second).Wrap(errors.New("secret"))
	body, err := json.Marshal(sent)
	require.NoError(t, err)
	var got problem.Problem
	require.NoError(t, json.Unmarshal(body, &got))
	want := errExists.WithData("_id", "m1").WithField("f", "c", "m").WithRetryAfter(time.Second)
	assert.Equal(t, "after the way", want.Error(), got.Error())
	if diff := cmp.Diff(want.Data, got.Data); diff != "" || got.RetryAfter != time.Second || len(got.Fields) != 1 {
		t.Errorf("after the way %+v:\n%s", got, diff)
	}
}
