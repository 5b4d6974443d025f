package httpserve

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

// Headers between the gateway and the services. The gateway sets them and
// drops what comes from outside.
const (
	RequestIDHeader     = telemetry.RequestIDHeader
	ClientAddressHeader = "X-Client-Address"
)

// exchange is what is known of one request, carried in its context.
type exchange struct {
	request  *http.Request
	answer   http.Header
	log      *slog.Logger
	verifier token.Verifier
	problems *prometheus.CounterVec

	// A token is verified when a handler asks who calls, once.
	once   sync.Once
	claims token.Claims
	err    error
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

func withExchange(o Options, problems *prometheus.CounterVec) gin.HandlerFunc {
	return func(c *gin.Context) {
		id := c.GetHeader(RequestIDHeader)
		if !telemetry.IsRequestID(id) {
			id = telemetry.NewRequestID()
		}
		c.Header(RequestIDHeader, id)
		x := &exchange{request: c.Request, answer: c.Writer.Header(), log: o.Log, verifier: o.Verifier, problems: problems}
		ctx := telemetry.WithRequestID(c.Request.Context(), id)
		c.Request = c.Request.WithContext(context.WithValue(ctx, exchangeKey{}, x))
		c.Next()
	}
}

// Request returns the request that ctx belongs to, for its headers and
// cookies, or nil.
func Request(ctx context.Context) *http.Request {
	if x := exchangeOf(ctx); x != nil {
		return x.request
	}
	return nil
}

// ResponseHeader returns the header of the response to the request that ctx belongs
// to, or nil.
func ResponseHeader(ctx context.Context) http.Header {
	if x := exchangeOf(ctx); x != nil {
		return x.answer
	}
	return nil
}

// ClientAddress returns the address by which the gateway judges the client, or
// "" for a request that did not come through the gateway.
func ClientAddress(ctx context.Context) string {
	if r := Request(ctx); r != nil {
		return r.Header.Get(ClientAddressHeader)
	}
	return ""
}

// Caller returns who sent the request that ctx belongs to, by its bearer token.
// Returns token.ErrMissing, ErrExpired or ErrInvalid. A handler that does not
// ask never looks at the header, so that an expired token breaks no browsing.
func Caller(ctx context.Context) (token.Claims, error) {
	x := exchangeOf(ctx)
	if x == nil || x.verifier == nil {
		return token.Claims{}, token.ErrMissing
	}
	x.once.Do(func() {
		x.claims, x.err = x.verifier.Verify(ctx, BearerToken(x.request))
	})
	return x.claims, x.err
}

// BearerToken returns the bearer token of a request, or "".
func BearerToken(r *http.Request) string {
	scheme, raw, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(raw)
}
