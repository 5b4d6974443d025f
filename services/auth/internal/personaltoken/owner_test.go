package personaltoken_test

import (
	"errors"
	"testing"

	"capzone.dev/platform/access"
	"capzone.dev/services/auth/internal/personaltoken"
)

func TestOwner_MayCreate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		owner personaltoken.Owner
		want  error
	}{
		{"the first", personaltoken.Owner{}, nil},
		{"the last", personaltoken.Owner{Tokens: personaltoken.MaxPerPlayer - 1}, nil},
		{"one too many", personaltoken.Owner{Tokens: personaltoken.MaxPerPlayer}, personaltoken.ErrFull},
		{"by who is banned", personaltoken.Owner{IsBanned: true}, access.ErrForbidden},
		{"by who is removed", personaltoken.Owner{IsRemoved: true, IsBanned: true}, personaltoken.ErrPlayerUnknown},
	} {
		if err := tt.owner.MayCreate(); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}
