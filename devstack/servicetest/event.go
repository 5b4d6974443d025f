package servicetest

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/eventually"
	"capzone.dev/platform/event"
)

// Publish puts a neighbour's state on its stream.
func (s *Servers) Publish(ctx context.Context, state event.State) error {
	return s.publish(ctx, uuid.NewString(), state.Subject(), state.StateVersion(), state)
}

// PublishFact puts a fact on its stream. The id is the message's, by which its
// second coming is known.
func (s *Servers) PublishFact(ctx context.Context, id string, fact event.Fact) error {
	return s.publish(ctx, id, fact.Subject(), 0, fact)
}

func (s *Servers) publish(ctx context.Context, id, subject string, version int64, payload any) error {
	data, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	body, err := json.Marshal(event.Envelope{ID: id, Version: version, At: time.Now(), Data: data})
	if err != nil {
		return err
	}
	_, err = s.JetStream.Publish(ctx, subject, body)
	return err
}

// AwaitState waits until the stream retains a state on the subject that is right.
func AwaitState[T event.State](s *Servers, subject string, right func(T) bool) T {
	s.t.Helper()
	return awaitMessage(s, event.StateStream.Name, subject, right)
}

// AwaitFact waits for a fact on the subject and returns the last one.
func AwaitFact[T event.Fact](s *Servers, subject string) T {
	s.t.Helper()
	return awaitMessage(s, event.FactsStream.Name, subject, func(T) bool { return true })
}

func awaitMessage[T any](s *Servers, stream, subject string, right func(T) bool) (told T) {
	s.t.Helper()
	eventually.That(s.t, "a message on "+subject, func() bool {
		from, err := s.JetStream.Stream(s.t.Context(), stream)
		if err != nil {
			return false
		}
		msg, err := from.GetLastMsgForSubject(s.t.Context(), subject)
		if err != nil {
			return false
		}
		var envelope event.Envelope
		if err := json.Unmarshal(msg.Data, &envelope); err != nil {
			s.t.Fatalf("%s on %s: %v", msg.Data, subject, err)
		}
		if told, err = event.Decode[T](envelope); err != nil {
			s.t.Fatalf("%s on %s: %v", msg.Data, subject, err)
		}
		return right(told)
	})
	return told
}
