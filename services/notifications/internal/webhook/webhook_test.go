package webhook

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/platform/problem"
)

func TestMayCreate(t *testing.T) {
	t.Parallel()
	for webhooks, want := range map[int]error{0: nil, Max - 1: nil, Max: ErrFull, Max + 1: ErrFull} {
		if err := MayCreate(webhooks); !errors.Is(err, want) {
			t.Errorf("beside %d: %v, want %v", webhooks, err, want)
		}
	}
}

func TestUses_Add(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		uses Uses
		at   time.Time
		want Uses
		err  error
	}{
		{"the first", Uses{}, noon, Uses{noon, 1}, nil},
		{"the tenth", Uses{noon, MaxUses - 1}, noon.Add(59 * time.Second), Uses{noon, MaxUses}, nil},
		{"one more", Uses{noon, MaxUses}, noon.Add(59 * time.Second), Uses{noon, MaxUses}, ErrTooOften},
		{"a minute later", Uses{noon, MaxUses}, noon.Add(time.Minute), Uses{noon.Add(time.Minute), 1}, nil},
	} {
		got, err := tt.uses.Add(tt.at)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v, want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
		if tt.err != nil && problem.From(err).RetryAfter != time.Second {
			t.Errorf("%s: try again after %s", tt.name, problem.From(err).RetryAfter)
		}
	}
}
