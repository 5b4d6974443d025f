package live

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/publicevent"
)

var (
	errNotConnected = errors.New("NATS is unavailable")
	errBehind       = errors.New("the facts have not arrived yet")
)

// everyFact stands for the subjects of all facts.
const everyFact = ""

// subjectOf returns the subject of the facts that a filter may select: of one type, where it names one alone.
func subjectOf(f publicevent.Filter) string {
	switch {
	case f.ReceiverID != "":
	case f.Types&^(publicevent.TypeRecord|publicevent.TypeWorldRecord) == 0:
		return "facts.v1.record.>"
	case f.Types == publicevent.TypeMap:
		return "facts.v1.map.>"
	case f.Types == publicevent.TypePlayer:
		return "facts.v1.player.>"
	case f.Types == publicevent.TypePoints:
		return event.RankingChangedSubject
	}
	return everyFact
}

// facts is the stream FACTS.
type facts struct {
	nc *nats.Conn
	js jetstream.JetStream
}

// bounds are the sequences of the oldest and the newest fact of the stream, and when it was created. The oldest of an
// empty stream is the next one.
type bounds struct {
	first, last uint64
	created     time.Time
}

// bounds asks the stream for its bounds.
func (f facts) bounds(ctx context.Context) (bounds, error) {
	if !f.nc.IsConnected() {
		return bounds{}, errNotConnected
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	stream, err := f.js.Stream(ctx, event.FactsStream.Name)
	if err != nil {
		return bounds{}, err
	}
	info := stream.CachedInfo()
	return bounds{max(info.State.FirstSeq, 1), info.State.LastSeq, info.Created}, nil
}

// after returns facts on a subject after a sequence, at most limit.
func (f facts) after(
	ctx context.Context, subject string, sequence uint64, limit int,
) ([]eventbus.StoredMsg, error) {
	if !f.nc.IsConnected() {
		return nil, errNotConnected
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return eventbus.ReadFrom(ctx, f.nc, event.FactsStream, subject, sequence+1, limit)
}
