package bonkio

import (
	"fmt"
	"log/slog"
)

// Secret is a text that is not shown wherever values are printed or logged.
type Secret string

const hidden = "(hidden)"

// Format implements fmt.Formatter: every verb prints the same.
func (Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText keeps the secret out of JSON. What is sent to the game is sent as a string.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
