// Package route is the gateway's routing table: every path of the API and of media files, the
// service that answers it, and under which conditions. All other paths are the web
// application's.
package route

import "net/http"

// Service is the name of a service.
type Service string

// The services behind the gateway.
const (
	Auth    Service = "auth"
	Maps    Service = "maps"
	Records Service = "records"
	Players Service = "players"
)

// Limit is what a request is counted by besides its address.
type Limit int

// The limits.
const (
	// Reads are counted by address alone, by each gateway for itself.
	Reads Limit = iota
	// Logins are also counted per address by all gateways together.
	Logins
	// Submissions are also counted per player by all gateways together.
	Submissions
)

// Route is one row of the table.
type Route struct {
	Method string
	// Path is a gin pattern.
	Path    string
	Service Service
	Limit   Limit
	// MaxBody bounds the request's body, in bytes. It leaves room for the form around files,
	// which the services limit themselves.
	MaxBody int64
	// Token refuses requests without a valid access token. The service verifies it again.
	Token bool
	// SiteOnly routes answer the site's own pages alone. They are never cached or repeated.
	SiteOnly bool
	// Cached routes have the same response for everybody, which the cache may store.
	Cached bool
}

// Repeatable reports whether a request that failed may be sent to another replica, because
// it changes nothing.
func (r Route) Repeatable() bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && !r.SiteOnly
}

// Base is the prefix of the API's paths.
const Base = "/api/v1"

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Table holds every route that a service answers.
var Table = []Route{
	{Method: "GET", Path: "/api/v1/auth/request-room-link", Service: Auth, Limit: Logins, SiteOnly: true},
	{Method: "GET", Path: "/api/v1/auth/status", Service: Auth, Limit: Logins, SiteOnly: true},
	{Method: "POST", Path: "/api/v1/auth/verify-code", Service: Auth, Limit: Logins, MaxBody: 4 * kib, SiteOnly: true},
	{Method: "GET", Path: "/api/v1/auth/refresh-token", Service: Auth, Limit: Logins, SiteOnly: true},
	{Method: "POST", Path: "/api/v1/auth/logout", Service: Auth, Limit: Logins, MaxBody: 4 * kib, SiteOnly: true},

	{Method: "GET", Path: "/api/v1/maps/search", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/popular-tags", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/:id", Service: Maps, Cached: true},
	{Method: "POST", Path: "/api/v1/maps/submit", Service: Maps, Limit: Submissions, MaxBody: 8 * mib, Token: true},

	{Method: "GET", Path: "/api/v1/records", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/records/:id", Service: Records, Cached: true},
	{Method: "POST", Path: "/api/v1/records/submit", Service: Records, Limit: Submissions, MaxBody: 2 * mib, Token: true},
	{Method: "GET", Path: "/api/v1/download/replays/:id", Service: Records},
	{Method: "GET", Path: "/api/v1/stats", Service: Records, Cached: true},

	{Method: "GET", Path: "/api/v1/players/search", Service: Players, Cached: true},
	{Method: "GET", Path: "/api/v1/players/:id", Service: Players, Cached: true},
	{Method: "PUT", Path: "/api/v1/players/:id", Service: Players, Limit: Submissions, MaxBody: 2 * mib, Token: true},

	{Method: "GET", Path: "/media/maps/:file", Service: Maps},
	{Method: "HEAD", Path: "/media/maps/:file", Service: Maps},
	{Method: "GET", Path: "/media/skins/:file", Service: Players},
	{Method: "HEAD", Path: "/media/skins/:file", Service: Players},
}
