package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"capzone.dev/platform/publicevent"
)

const (
	// keepAliveEvery is how often a line is sent that says nothing but that the connection works.
	keepAliveEvery = 15 * time.Second
	// retryRead is how long a reader waits while NATS does not answer.
	retryRead = time.Second
	// reconnectAfter is when the readers of a gateway that stops connect again, in milliseconds, with up to
	// reconnectJitter more.
	reconnectAfter  = 2000
	reconnectJitter = 3000

	sourceMemory = "memory"
	sourceStream = "stream"
)

// output is where a reader's stream is sent (httpserve.Stream).
type output interface {
	// Send sends a piece, or returns an error where the client does not take it.
	Send(piece []byte) error
}

// reader is one stream of events.
type reader struct {
	hub *Hub
	request
	out output
	// at is the sequence of the last event that the reader has.
	at uint64
}

// start goes on after the last event that the client has. Without one it tells the client the number of the newest one.
func (r *reader) start() error {
	if r.after == nil {
		return r.keepAlive()
	}
	r.at = *r.after
	source := sourceStream
	if _, known := r.hub.recentAfter(r.at); known {
		source = sourceMemory
	}
	r.hub.metrics.resumes.WithLabelValues(source).Inc()
	return nil
}

// run sends events until ctx ends, which is no error, or the client is too slow.
func (r *reader) run(ctx context.Context) error {
	keepAlive := time.NewTicker(keepAliveEvery)
	defer keepAlive.Stop()
	for {
		select { // a reader that catches up may get nothing for long
		case <-keepAlive.C:
			if err := r.keepAlive(); err != nil {
				return err
			}
		default:
		}
		next := r.hub.next(ctx, r)
		if err := r.wait(ctx, next.done, nil, keepAlive.C); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		p, err := next.page, next.err
		if reset, ok := errors.AsType[*resetError](err); ok {
			if err := r.reset(reset); err != nil {
				return err
			}
			continue
		}
		var retry <-chan time.Time
		if err != nil {
			retry = time.After(retryRead)
		} else if err := r.send(p); err != nil {
			return err
		}
		if err == nil && p.changed == nil {
			continue
		}
		if err := r.wait(ctx, p.changed, retry, keepAlive.C); err != nil {
			return err
		}
	}
}

// wait waits for ctx, ready or retry, and says meanwhile that the connection works.
func (r *reader) wait(ctx context.Context, ready <-chan struct{}, retry, keepAlive <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ready:
			return nil
		case <-retry:
			return nil
		case <-keepAlive:
			if err := r.keepAlive(); err != nil {
				return err
			}
		}
	}
}

// send sends the events of a page that the filter selects.
func (r *reader) send(p page) error {
	r.at = p.next
	selected := make([][]byte, 0, len(p.events))
	for _, e := range p.events {
		if r.Selects(&e.Event) {
			selected = append(selected, r.form(e))
		}
	}
	r.hub.metrics.sent.Add(float64(len(selected)))
	switch len(selected) {
	case 0:
		return nil
	case 1:
		return r.out.Send(selected[0])
	}
	return r.out.Send(bytes.Join(selected, nil))
}

// form returns an event in the form of the stream.
func (r *reader) form(e *liveEvent) []byte {
	if r.ndjson {
		return e.ndjson
	}
	return e.sse
}

// reset tells the client that events after its last one are not kept, and goes on with the newest.
func (r *reader) reset(reset *resetError) error {
	e, err := encode(reset.newest, publicevent.Event{Kind: kindReset, Data: resetData{reset.oldest}})
	if err != nil {
		return err
	}
	r.hub.metrics.resets.Inc()
	r.at = reset.newest
	return r.out.Send(r.form(e))
}

// keepAlive says that the connection works, and with what number the client is to connect again. Without it, a client
// that selects few events would ask for many old ones, and one that had none yet would miss what happens meanwhile.
func (r *reader) keepAlive() error {
	if r.ndjson {
		return r.out.Send(fmt.Appendf(nil, "{\"type\":%q,\"id\":%d}\n", kindPosition, r.at))
	}
	return r.out.Send(fmt.Appendf(nil, ": keep-alive\nid: %d\n\n", r.at))
}

// sendReconnectTime sends the last piece of a stream whose gateway stops. Readers connect again at different times.
func (r *reader) sendReconnectTime() error {
	if r.ndjson {
		return nil
	}
	//nolint:gosec // no secret depends on the number
	return r.out.Send(fmt.Appendf(nil, "retry: %d\n\n", reconnectAfter+rand.IntN(reconnectJitter)))
}
