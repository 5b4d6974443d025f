package live

import (
	"context"
	"errors"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/token"
)

const (
	sseType    = "text/event-stream"
	ndjsonType = "application/x-ndjson"
	// startTimeout is how long a request waits for the hub of a gateway that was just started.
	startTimeout = 5 * time.Second
)

// Handler returns what answers requests for the stream.
func Handler(hub *Hub, verifier *token.Verifier) gin.HandlerFunc {
	return func(c *gin.Context) {
		asked, err := parseRequest(c.Request)
		if err != nil {
			httpserve.Render(c, err)
			return
		}
		asked.address = client.AddressOf(c.Request.Context())
		whileValid := context.WithCancel
		if asked.me {
			claims, err := verifier.Verify(httpserve.BearerToken(c.Request))
			if err == nil {
				err = claims.Actor().RequireScope(access.ScopeReadInbox)
			}
			if err != nil {
				httpserve.Render(c, err)
				return
			}
			asked.ReceiverID = claims.PlayerID
			whileValid = func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithDeadline(ctx, claims.ExpiresAt)
			}
		}
		if err := hub.awaitStart(c.Request.Context()); err != nil {
			httpserve.Render(c, err)
			return
		}
		at := hub.newest()                  // before the client knows that the stream has begun
		c.Header("X-Accel-Buffering", "no") // or nginx would collect events
		c.Header("Vary", "Accept")
		contentType := sseType
		if asked.ndjson {
			contentType = ndjsonType
		}
		httpserve.ServeStream(c, contentType, func(ctx context.Context, s *httpserve.Stream) error {
			return hub.serve(ctx, s, asked, at, whileValid)
		})
	}
}

// awaitStart waits until the hub has started. It returns errEventsUnavailable.
func (h *Hub) awaitStart(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	select {
	case <-h.started:
		return nil
	case <-ctx.Done():
		return errEventsUnavailable
	}
}

// serve sends a reader what it asks for, until the context that whileValid derives from ctx ends: with the reader's
// token, where it has one. A reader that has no event yet gets those after at.
func (h *Hub) serve(
	ctx context.Context, out output, asked request, at cursor,
	whileValid func(context.Context) (context.Context, context.CancelFunc),
) error {
	h.metrics.readers.Inc()
	defer h.metrics.readers.Dec()
	valid, end := whileValid(ctx)
	defer end()
	r := &reader{hub: h, filter: asked.Filter, address: asked.address, ndjson: asked.ndjson, out: out, at: at}
	err := r.start(asked.after)
	if err == nil {
		err = r.run(valid)
	}
	switch {
	case errors.Is(err, httpserve.ErrSlowReader):
		h.metrics.lagged.Inc()
	case err == nil && ctx.Err() != nil:
		return r.sendReconnectTime()
	}
	return err
}
