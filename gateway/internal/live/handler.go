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
		if asked.me {
			claims, err := verifier.Verify(httpserve.BearerToken(c.Request))
			if err == nil {
				err = claims.Actor().RequireScope(access.ScopeReadInbox)
			}
			if err != nil {
				httpserve.Render(c, err)
				return
			}
			asked.ReceiverID, asked.validUntil = claims.PlayerID, claims.ExpiresAt
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
			return hub.serve(ctx, s, asked, at)
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

// serve sends a reader what it asks for, until ctx or the time of the reader's token ends. A reader that has no event
// yet gets those after at.
func (h *Hub) serve(ctx context.Context, out output, asked request, at uint64) error {
	h.metrics.readers.Inc()
	defer h.metrics.readers.Dec()
	valid := ctx
	if !asked.validUntil.IsZero() {
		var end context.CancelFunc
		valid, end = context.WithDeadline(ctx, asked.validUntil)
		defer end()
	}
	r := &reader{hub: h, request: asked, out: out, at: at}
	err := r.start()
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
