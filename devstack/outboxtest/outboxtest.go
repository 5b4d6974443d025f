// Package outboxtest reads the messages in the outbox for tests.
package outboxtest

import (
	"encoding/json"
	"slices"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// Message is a row of the outbox.
type Message struct {
	Subject  string
	Envelope event.Envelope
}

// All returns the messages in the order in which they were appended.
func All(tb testing.TB, pool *postgres.Pool) []Message {
	tb.Helper()
	type row struct {
		Subject string
		Body    []byte
	}
	var messages []Message
	for _, r := range pgtest.Rows[row](tb, pool, `select subject, body from outbox order by seq`) {
		m := Message{Subject: r.Subject}
		if err := json.Unmarshal(r.Body, &m.Envelope); err != nil {
			tb.Fatalf("%s on %s: %v", r.Body, r.Subject, err)
		}
		messages = append(messages, m)
	}
	return messages
}

// Data returns the payload of a message.
func Data[T any](tb testing.TB, m Message) T {
	tb.Helper()
	data, err := event.Decode[T](m.Envelope)
	if err != nil {
		tb.Fatalf("on %s: %v", m.Subject, err)
	}
	return data
}

// Last returns the newest fact of a kind.
func Last[T event.Fact](tb testing.TB, pool *postgres.Pool) T {
	tb.Helper()
	var fact T
	for _, m := range slices.Backward(All(tb, pool)) {
		if m.Subject == fact.Subject() {
			return Data[T](tb, m)
		}
	}
	tb.Fatalf("no message on %s", fact.Subject())
	return fact
}
