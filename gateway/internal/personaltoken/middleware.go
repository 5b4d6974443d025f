package personaltoken

import (
	"context"
	"fmt"
	"math"
	"net/http"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/problem"
)

// errTokenInQuery refuses a request with a personal token in its address, which proxies log and browsers keep.
var errTokenInQuery = problem.InvalidArgument("token_in_query",
	"A personal token was in the address, where others can read it. "+
		"Please revoke it, create a new one, and send that in the header Authorization.")

// Exchange returns the middleware that replaces the personal token of a request by an access token. A request with an
// invalid token is refused, also where it would need none. So is one with a token in its address.
func Exchange(k *Keeper) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.FullPath() == httpserve.HealthPath {
			return
		}
		if personal.IsIn(c.Request.URL.Path) || personal.IsIn(c.Request.URL.RawQuery) {
			httpserve.DiscardBody(c)
			httpserve.Render(c, errTokenInQuery)
			return
		}
		raw := httpserve.BearerToken(c.Request)
		if !personal.IsToken(raw) {
			return
		}
		if err := k.replace(c, raw); err != nil {
			httpserve.DiscardBody(c)
			httpserve.Render(c, err)
		}
	}
}

// replace replaces the token of a request, and says in the response how many requests it has left.
func (k *Keeper) replace(c *gin.Context, raw string) error {
	ctx := c.Request.Context()
	exchanged, err := k.Exchange(ctx, client.AddressOf(ctx), raw)
	if err != nil {
		return err
	}
	quota, err := k.limits.Token(exchanged.TokenID)
	setRateLimit(c.Writer.Header(), quota)
	if err != nil {
		return err
	}
	c.Request.Header.Set("Authorization", "Bearer "+exchanged.AccessToken)
	c.Request = c.Request.WithContext(context.WithValue(ctx, exchangedKey{}, exchanged))
	return nil
}

// setRateLimit sets the headers of draft-ietf-httpapi-ratelimit-headers.
func setRateLimit(header http.Header, q limit.Quota) {
	header.Set("RateLimit-Policy", fmt.Sprintf(`"token";q=%d;w=%.0f`, q.Limit, q.Window.Seconds()))
	header.Set("RateLimit", fmt.Sprintf(`"token";r=%d;t=%.0f`, q.Remaining, math.Ceil(q.Reset.Seconds())))
}

type exchangedKey struct{}

// Exchanged returns what the personal token that a request was sent with was exchanged for, or nil.
func Exchanged(ctx context.Context) *event.ExchangedToken {
	exchanged, _ := ctx.Value(exchangedKey{}).(*event.ExchangedToken)
	return exchanged
}
