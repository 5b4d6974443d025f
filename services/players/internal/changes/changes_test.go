package changes_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/pages"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/changes"
	"capzone.dev/services/players/internal/player"
)

// editor ends every change in the same way.
type editor struct{ err error }

func (e editor) Edit(context.Context, string, player.Edit) (player.Player, error) {
	return player.Player{ID: "p1"}, e.err
}

func (e editor) EditNamed(context.Context, string, player.Edit) (player.Player, error) {
	return player.Player{ID: "p1"}, e.err
}

type told []pages.Tag

func (t *told) Changed(_ context.Context, tags ...pages.Tag) { *t = append(*t, tags...) }

// A commit whose answer was lost may have happened.
func TestAChangeByNameIsToldUnlessItWasRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		err  error
		want told
	}{
		{"it happened", nil, told{pages.Player("p1"), pages.Players}},
		{"it was refused", player.ErrUnknown, nil},
		{"nobody knows what went wrong", errors.New("commit"), told{pages.Everything}},
		{"the connection was lost", fmt.Errorf("commit: %w", postgres.ErrUnavailable), told{pages.Everything}},
		{"the time was over", fmt.Errorf("commit: %w", context.DeadlineExceeded), told{pages.Everything}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got told
			_, err := changes.Editor{Players: editor{tt.err}, Pages: &got}.EditNamed(t.Context(), "Ann", nil)
			if !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
		})
	}
}
