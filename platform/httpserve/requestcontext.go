package httpserve

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/access"
	"capzone.dev/platform/telemetry"
	"capzone.dev/platform/token"
)

// Headers between the gateway and the services. The gateway sets them, and removes them from clients' requests.
const (
	RequestIDHeader     = telemetry.RequestIDHeader
	ClientAddressHeader = "X-Client-Address"
	// ServiceHeader has the name of the service that a request is for.
	ServiceHeader = "X-Service"
	// OverloadedHeader is on a 503 that is no failure of the replica. The gateway removes it.
	OverloadedHeader = "X-Overloaded"
)

// requestContext is what the context of a request carries.
type requestContext struct {
	request        *http.Request
	responseHeader http.Header
	log            *slog.Logger
	verifier       *token.Verifier
	metrics        metrics
	isStream       bool

	// stream ends with a stream that has taken the connection over, and is nil for any other response.
	stream context.Context

	// The token is verified once, when a handler calls Caller.
	once   sync.Once
	claims token.Claims
	err    error
}

type requestContextKey struct{}

func requestContextOf(ctx context.Context) *requestContext {
	rc, _ := ctx.Value(requestContextKey{}).(*requestContext)
	return rc
}

func withRequestContext(o Options, m metrics) gin.HandlerFunc {
	return func(c *gin.Context) {
		id := c.GetHeader(RequestIDHeader)
		if !telemetry.IsRequestID(id) {
			id = telemetry.NewRequestID()
		}
		c.Header(RequestIDHeader, id)
		rc := &requestContext{
			request: c.Request, responseHeader: c.Writer.Header(), log: o.Log, verifier: o.Verifier, metrics: m,
		}
		ctx := telemetry.WithRequestID(c.Request.Context(), id)
		c.Request = c.Request.WithContext(context.WithValue(ctx, requestContextKey{}, rc))
		c.Next()
	}
}

// beginStream counts the request as a stream instead of a request in flight.
func (rc *requestContext) beginStream() {
	rc.isStream = true
	rc.metrics.inFlight.Dec()
	rc.metrics.streams.Inc()
}

// AtEnd calls f at the end of the response to the request that ctx belongs to, whose handler has returned: at once, or
// later, in a goroutine of its own, where it is a stream that goes on.
func AtEnd(ctx context.Context, f func()) {
	if rc := requestContextOf(ctx); rc != nil && rc.stream != nil {
		context.AfterFunc(rc.stream, f)
		return
	}
	f()
}

// Request returns the request that ctx belongs to, or nil.
func Request(ctx context.Context) *http.Request {
	if rc := requestContextOf(ctx); rc != nil {
		return rc.request
	}
	return nil
}

// ResponseHeader returns the header of the response to the request that ctx belongs to, or nil.
func ResponseHeader(ctx context.Context) http.Header {
	if rc := requestContextOf(ctx); rc != nil {
		return rc.responseHeader
	}
	return nil
}

// ClientAddress returns the client's address as the gateway has determined it, or "" for a
// request that did not come through the gateway.
func ClientAddress(ctx context.Context) string {
	if r := Request(ctx); r != nil {
		return r.Header.Get(ClientAddressHeader)
	}
	return ""
}

// Caller returns the claims of the bearer token of the request that ctx belongs to. It
// returns token.ErrMissing, ErrExpired or ErrInvalid. A handler that does not call it ignores
// the header, so that an expired token does not break browsing.
func Caller(ctx context.Context) (token.Claims, error) {
	rc := requestContextOf(ctx)
	if rc == nil || rc.verifier == nil {
		return token.Claims{}, token.ErrMissing
	}
	rc.once.Do(func() {
		rc.claims, rc.err = rc.verifier.Verify(BearerToken(rc.request))
	})
	return rc.claims, rc.err
}

// Actor is Caller as an actor, with the roles and the scopes of the token.
func Actor(ctx context.Context) (access.Actor, error) {
	claims, err := Caller(ctx)
	if err != nil {
		return access.Actor{}, err
	}
	return claims.Actor(), nil
}

// Authenticate reports whether the request has a valid bearer token, and answers with the problem where it has none.
// Generated code calls it for each operation whose contract names a security that is not optional. No cache stores the
// answer, unless the handler tags it otherwise.
func Authenticate(c *gin.Context) bool {
	if _, err := Caller(c.Request.Context()); err != nil {
		Render(c, err)
		return false
	}
	c.Header("Cache-Control", "no-store")
	return true
}

// ActorOf returns the actor of a request that has passed Authenticate. Of any other it is the zero value, which may do
// nothing.
func ActorOf(ctx context.Context) access.Actor {
	actor, _ := Actor(ctx)
	return actor
}

// By is ActorOf for a change without a reason.
func By(ctx context.Context) access.Attribution { return access.Attribution{Actor: ActorOf(ctx)} }

// BearerToken returns the bearer token of a request, or "".
func BearerToken(r *http.Request) string {
	scheme, raw, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(raw)
}

// Headers of responses for the gateway's cache. The gateway removes them.
const (
	// SurrogateKeyHeader names what a response to GET shows, or what a write has changed.
	// The value is surrogate keys, separated by spaces.
	SurrogateKeyHeader = "Surrogate-Key"
	// CacheControl is the Cache-Control of public responses, with times in seconds: the gateway may store them for
	// s-maxage, and serve them for stale-if-error when the service does not answer.
	CacheControl = "public, max-age=0, s-maxage=10, stale-if-error=60"
	// ComputedCacheControl is that of responses that no event purges, because what they show is computed after it.
	ComputedCacheControl = "public, max-age=0, s-maxage=3, stale-if-error=60"
	// PrivateCacheControl is that of responses to one player.
	PrivateCacheControl = "private, no-cache"
	// PictureCacheControl is that of pictures for link previews, which are costly to draw.
	PictureCacheControl = "public, max-age=0, s-maxage=600, stale-if-error=3600"
)

// SurrogateKey names an entity or a group of entities that responses show. All services
// share one set of keys: "map:<id>" is on every response that shows the map.
type SurrogateKey string

// The keys of groups. A list carries the key of its group, because an entity that is not on
// it yet can come to belong there, and the keys of the entities that it shows.
const (
	// MapsKey is on lists of maps.
	MapsKey SurrogateKey = "maps"
	// MapsByRecordsKey is on what a change of any leaderboard may change: lists of maps by their number of records or by
	// their players' times, and the places of a player.
	MapsByRecordsKey SurrogateKey = "maps-by-records"
	// MapsByAuthorKey is on lists of maps that are filtered by the author's name.
	MapsByAuthorKey SurrogateKey = "maps-by-author"
	// PlayersKey is on lists of players.
	PlayersKey SurrogateKey = "players"
	// RecordsKey is on lists of the records of all maps.
	RecordsKey SurrogateKey = "records"
	// StatsKey is on the totals of the site.
	StatsKey SurrogateKey = "stats"
)

// MapKey returns the key of a map, its leaderboard and its records.
func MapKey(id string) SurrogateKey { return SurrogateKey("map:" + strings.ToLower(id)) }

// PlayerKey returns the key of a player and the player's records.
func PlayerKey(id string) SurrogateKey { return SurrogateKey("player:" + strings.ToLower(id)) }

// TagCacheable declares that the response to the request of ctx is the same for all callers
// and shows what the keys name.
func TagCacheable(ctx context.Context, keys ...SurrogateKey) { tag(ctx, CacheControl, keys) }

// TagComputed is TagCacheable for a response that shows what is computed shortly after an event.
func TagComputed(ctx context.Context, keys ...SurrogateKey) { tag(ctx, ComputedCacheControl, keys) }

// TagPicture is TagCacheable for a picture that a link preview shows.
func TagPicture(ctx context.Context, keys ...SurrogateKey) { tag(ctx, PictureCacheControl, keys) }

func tag(ctx context.Context, cacheControl string, keys []SurrogateKey) {
	if header := ResponseHeader(ctx); header != nil {
		header.Set("Cache-Control", cacheControl)
		header.Set(SurrogateKeyHeader, joinKeys(keys))
	}
}

// TagPrivate declares that the response to the request of ctx is for its caller alone. The caller's browser may keep it
// and asks each time whether it has changed.
func TagPrivate(ctx context.Context) {
	if header := ResponseHeader(ctx); header != nil {
		header.Set("Cache-Control", PrivateCacheControl)
	}
}

// TagChanged declares that the request of ctx has changed what the keys name. The gateway
// purges these keys before it passes the response on.
func TagChanged(ctx context.Context, keys ...SurrogateKey) {
	if header := ResponseHeader(ctx); header != nil {
		header.Set(SurrogateKeyHeader, joinKeys(keys))
	}
}

func joinKeys(keys []SurrogateKey) string {
	var value strings.Builder
	for i, key := range keys {
		if i > 0 {
			value.WriteByte(' ')
		}
		value.WriteString(string(key))
	}
	return value.String()
}

// OrNull returns a pointer to v, or nil for the zero value. The generated types have pointers
// for fields that may be null.
func OrNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// TimeOrNull returns TimeText of a time, or nil for the zero value.
func TimeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(TimeText(t))
}

// OrZero returns the value of an optional parameter, or the zero value where it is not given.
func OrZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}

// TimeText returns a time as RFC 3339 in UTC, always with milliseconds.
func TimeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
