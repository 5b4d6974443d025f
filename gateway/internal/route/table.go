// Package route is the gateway's table: every address of the site's API and
// media, which service answers it, and on what terms. Everything else is the
// web application's.
package route

import "net/http"

// Service names who answers.
type Service string

// The services behind the gateway.
const (
	Auth    Service = "auth"
	Maps    Service = "maps"
	Records Service = "records"
	Players Service = "players"
)

// Limit names what a request is counted by, besides its address, which counts
// every request at each gateway for itself.
type Limit int

// The limits.
const (
	// Reads are counted no further.
	Reads Limit = iota
	// Logins are counted per address, by all gateways together.
	Logins
	// Submissions are counted per player, by all gateways together.
	Submissions
)

// Route is one row of the table.
type Route struct {
	Method string
	// Path is a gin pattern.
	Path    string
	Service Service
	Limit   Limit
	// MaxBody bounds the request's body, in bytes. It leaves room for the forms
	// around files, whose own limits the services know.
	MaxBody int64
	// Token turns requests without a good token away. The service verifies it
	// again.
	Token bool
	// SiteOnly routes answer the site's own pages alone; their answers are
	// never kept, and they are never sent twice.
	SiteOnly bool
	// Cached routes have the same answer for everybody, whoever asks: it may be kept
	// and given to others, as long as the service's tags allow.
	Cached bool
}

// Repeatable tells whether a request that failed may be sent to another
// replica: only what changes nothing.
func (r Route) Repeatable() bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && !r.SiteOnly
}

// Base is what the paths of the API start with.
const Base = "/api/v1"

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Table holds every route that a service answers.
var Table = []Route{
	{Method: http.MethodGet, Path: "/api/v1/auth/request-room-link", Service: Auth, Limit: Logins, SiteOnly: true},
	{Method: http.MethodGet, Path: "/api/v1/auth/status", Service: Auth, Limit: Logins, SiteOnly: true},
	{Method: http.MethodPost, Path: "/api/v1/auth/verify-code", Service: Auth, Limit: Logins, MaxBody: 4 * kib, SiteOnly: true},
	{Method: http.MethodGet, Path: "/api/v1/auth/refresh-token", Service: Auth, Limit: Logins, SiteOnly: true},
	{Method: http.MethodPost, Path: "/api/v1/auth/logout", Service: Auth, Limit: Logins, MaxBody: 4 * kib, SiteOnly: true},

	{Method: http.MethodGet, Path: "/api/v1/maps/search", Service: Maps, Cached: true},
	{Method: http.MethodGet, Path: "/api/v1/maps/popular-tags", Service: Maps, Cached: true},
	{Method: http.MethodGet, Path: "/api/v1/maps/:id", Service: Maps, Cached: true},
	{Method: http.MethodPost, Path: "/api/v1/maps/submit", Service: Maps, Limit: Submissions, MaxBody: 8 * mib, Token: true},

	{Method: http.MethodGet, Path: "/api/v1/records", Service: Records, Cached: true},
	{Method: http.MethodGet, Path: "/api/v1/records/:id", Service: Records, Cached: true},
	{Method: http.MethodPost, Path: "/api/v1/records/submit", Service: Records, Limit: Submissions, MaxBody: 2 * mib, Token: true},
	{Method: http.MethodGet, Path: "/api/v1/download/replays/:id", Service: Records},
	{Method: http.MethodGet, Path: "/api/v1/stats", Service: Records, Cached: true},

	{Method: http.MethodGet, Path: "/api/v1/players/search", Service: Players, Cached: true},
	{Method: http.MethodGet, Path: "/api/v1/players/:id", Service: Players, Cached: true},
	{Method: http.MethodPut, Path: "/api/v1/players/:id", Service: Players, Limit: Submissions, MaxBody: 2 * mib, Token: true},

	{Method: http.MethodGet, Path: "/media/maps/:file", Service: Maps},
	{Method: http.MethodHead, Path: "/media/maps/:file", Service: Maps},
	{Method: http.MethodGet, Path: "/media/skins/:file", Service: Players},
	{Method: http.MethodHead, Path: "/media/skins/:file", Service: Players},
}
