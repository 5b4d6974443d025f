package httpserve

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"capzone.dev/platform/token"
)

// Headers between the gateway and the services. The gateway sets them and
// drops what comes from outside.
const (
	RequestIDHeader     = "X-Request-Id"
	ClientAddressHeader = "X-Client-Address"
)

// exchange is what is known of one request, carried in its context.
type exchange struct {
	id       string
	request  *http.Request
	log      *slog.Logger
	verifier token.Verifier

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

var wellFormedID = regexp.MustCompile(`^[0-9A-Za-z._-]{8,64}$`)

func withExchange(o Options) gin.HandlerFunc {
	return func(c *gin.Context) {
		id := c.GetHeader(RequestIDHeader)
		if !wellFormedID.MatchString(id) {
			id = NewRequestID()
		}
		c.Header(RequestIDHeader, id)
		x := &exchange{id: id, request: c.Request, log: o.Log, verifier: o.Verifier}
		c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), exchangeKey{}, x))
		c.Next()
	}
}

// NewRequestID returns a new id of a request.
func NewRequestID() string {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.NewString() // panics where there is no randomness at all
	}
	return id.String()
}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil {
		return x.id
	}
	return ""
}

// Request returns the request that ctx belongs to, for its headers and
// cookies, or nil.
func Request(ctx context.Context) *http.Request {
	if x := exchangeOf(ctx); x != nil {
		return x.request
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
		x.claims, x.err = x.verifier.Verify(requestContext(ctx), BearerToken(x.request))
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
