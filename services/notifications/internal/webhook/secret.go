package webhook

import (
	"crypto/rand"
	"encoding/base64"
	"log/slog"
	"time"
)

// bothSecrets is how long deliveries are signed by the previous secret, too, after there is a new one.
const bothSecrets = 24 * time.Hour

// Secret signs what is sent to a receiver. It is not written to logs.
type Secret []byte

// newSecret returns a secret of as many bytes as the signatures have.
func newSecret() Secret {
	secret := make(Secret, 32)
	_, _ = rand.Read(secret) // never fails
	return secret
}

// Text returns the secret as its owner is shown it.
func (s Secret) Text() string { return "whsec_" + base64.StdEncoding.EncodeToString(s) }

// String implements fmt.Stringer.
func (Secret) String() string { return "[secret]" }

// GoString implements fmt.GoStringer.
func (Secret) GoString() string { return "[secret]" }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue("[secret]") }

// Rotate returns the webhook after its secret was replaced at a time. The one before signs for bothSecrets. It returns
// ErrNoSecret for Discord.
func (w Webhook) Rotate(at time.Time) (Webhook, error) {
	if w.Format == Discord {
		return w, ErrNoSecret
	}
	w.PreviousSecretUntil = at.Add(bothSecrets)
	return w, nil
}
