package webhook

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A secret is in nothing that is formatted.
func TestSecret_is_not_formatted(t *testing.T) {
	t.Parallel()
	work := Work{Secrets: []Secret{Secret("secret")}}
	for _, text := range []string{fmt.Sprint(work), fmt.Sprintf("%+v", work), fmt.Sprintf("%#v", work)} {
		if !strings.Contains(text, "[secret]") || strings.Contains(text, "115 101") || strings.Contains(text, "0x73") {
			t.Errorf("formatted as %s", text)
		}
	}
}

func TestWebhook_Rotate(t *testing.T) {
	t.Parallel()
	for format, want := range map[Format]error{JSON: nil, Discord: ErrNoSecret} {
		got, err := Webhook{Format: format}.Rotate(noon)
		if !errors.Is(err, want) || err == nil && !got.PreviousSecretUntil.Equal(noon.Add(24*time.Hour)) {
			t.Errorf("%s: %v, the secret before is valid until %s", format, err, got.PreviousSecretUntil)
		}
	}
}
