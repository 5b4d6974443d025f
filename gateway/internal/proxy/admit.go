package proxy

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/token"
)

// ErrForeignSite says that a login was asked for by another site's page.
var ErrForeignSite = problem.Forbidden("foreign_site", "Logging in works from the site's own pages only.")

// admit returns the problem that keeps a request out, or nil. The conditions
// come in this order: how often its address asks, whose page asks, the body's
// size, the token, how often the player submits or the address logs in.
func (p *Proxy) admit(c *gin.Context, r route.Route) error {
	address := client.AddressOf(c.Request.Context())
	if err := p.limits.Request(address); err != nil {
		httpserve.LeaveUnread(c)
		return err
	}
	if r.SiteOnly && !p.fromSite(c.Request) {
		return ErrForeignSite.WithMessage("Logging in works from the site's own pages only: %s", p.site.Origin())
	}
	if c.Request.ContentLength > r.MaxBody {
		httpserve.LeaveUnread(c)
		return httpserve.ErrBodyTooLarge
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, r.MaxBody)

	submitter := address
	if r.Token {
		claims, err := p.verifier.Verify(c.Request.Context(), httpserve.BearerToken(c.Request))
		switch {
		case errors.Is(err, token.ErrKeysUnavailable):
			// The service judges; meanwhile the address is counted.
		case err != nil:
			return err
		default:
			submitter = claims.PlayerID
		}
	}
	switch r.Limit {
	case route.Logins:
		return p.limits.Login(c.Request.Context(), address)
	case route.Submissions:
		return p.limits.Submission(c.Request.Context(), submitter)
	case route.Reads:
	}
	return nil
}

// fromSite tells that a request does not come from another site's page. Browsers
// say where a request comes from; a script outside a browser says nothing.
func (p *Proxy) fromSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origin := r.Header.Get("Origin")
	return origin == "" || p.site.IsOrigin(origin)
}
