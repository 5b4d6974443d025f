package proxy

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/platform/httpserve"
)

// contentSecurityPolicy lets the pages load from the site alone. Styles may be
// inline because the site's component library writes them at run time; images
// may be data or blobs for previews of uploads, workers for reading replays.
const contentSecurityPolicy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// SecurityHeaders sets what every answer carries. Strict transport security is
// for a site under TLS only.
func SecurityHeaders(secure bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		h := c.Writer.Header()
		h.Set("Content-Security-Policy", contentSecurityPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if secure {
			h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
		}
		c.Next()
	}
}

// JudgeAddress notes the client's address and drops what a client claims to be
// the gateway's own headers. It wraps the engine, which would believe them.
func JudgeAddress(trusted client.TrustedProxies, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address, err := client.Address(r, trusted)
		if err != nil {
			httpserve.WriteProblem(w, httpserve.NewRequestID(), httpserve.ErrMalformed.Because(err))
			return
		}
		r.Header.Del(httpserve.RequestIDHeader)
		r.Header.Del(httpserve.ClientAddressHeader)
		next.ServeHTTP(w, r.WithContext(client.WithAddress(r.Context(), address)))
	})
}
