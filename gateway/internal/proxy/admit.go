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

// ErrForeignSite refuses a login that another site's page asked for.
var ErrForeignSite = problem.Forbidden("foreign_site", "Logging in works from the site's own pages only.")

// admit returns the problem for which a request is refused, or nil. The conditions are checked in this order: whose
// page asks, the body's size, the token, and how often the player submits or the address logs in.
func (p *Proxy) admit(c *gin.Context, r route.Route) error {
	address := client.AddressOf(c.Request.Context())
	if r.IsLogin() && !p.isFromSite(c.Request) {
		return ErrForeignSite.WithMessage("Logging in works from the site's own pages only: %s", p.Site.Origin())
	}
	if c.Request.ContentLength > r.MaxBody {
		httpserve.DiscardBody(c)
		return httpserve.ErrBodyTooLarge
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, r.MaxBody)

	switch {
	case r.IsLogin():
		return p.Limits.Login(c.Request.Context(), address)
	case r.Submission:
		claims, err := p.Verifier.Verify(c.Request.Context(), httpserve.BearerToken(c.Request))
		if errors.Is(err, token.ErrKeysUnavailable) {
			// The service verifies the token; meanwhile the address is counted.
			return p.Limits.Submission(c.Request.Context(), address)
		}
		if err != nil {
			return err
		}
		return p.Limits.Submission(c.Request.Context(), claims.PlayerID)
	}
	return nil
}

// isFromSite reports whether a request comes from the site's own pages or from outside a browser. Browsers name the
// site of the page that sends a request.
func (p *Proxy) isFromSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origin := r.Header.Get("Origin")
	return origin == "" || p.Site.IsOrigin(origin)
}
