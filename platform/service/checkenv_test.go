package service_test

import (
	"errors"
	"strings"
	"testing"

	"capzone.dev/platform/service"
)

type sample struct {
	Needed string `env:"NATS_URL,required,notEmpty"`
	Size   int    `env:"ROOMS_PER_HOUR" envDefault:"1"`
}

func (s sample) Check() error {
	if s.Size < 1 {
		return errors.New("ROOMS_PER_HOUR must be at least 1")
	}
	return nil
}

func TestCheckEnv(t *testing.T) {
	for _, c := range []struct {
		name, needed, size string
		mistakes           []string // named in the error; empty if there is none
	}{
		{"correct", "x", "2", nil},
		{"variable absent", "", "2", []string{"NATS_URL"}},
		{"two mistakes", "", "two", []string{"NATS_URL", "ROOMS_PER_HOUR"}},
		{"refused by Check", "x", "0", []string{"ROOMS_PER_HOUR must be at least 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("NATS_URL", c.needed)
			t.Setenv("ROOMS_PER_HOUR", c.size)
			var out strings.Builder
			err := service.CheckEnv[sample]().Execute(t.Context(), &out, nil)
			if (err == nil) != (c.mistakes == nil) || (err == nil) != strings.Contains(out.String(), "complete") {
				t.Fatalf("error %v, output %q", err, out.String())
			}
			for _, word := range c.mistakes {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%v does not name %s", err, word)
				}
			}
		})
	}
}
