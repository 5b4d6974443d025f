// Package route is the gateway's routing table: every path of the API and of media files, the service that answers
// it, and under which conditions. All other paths are the web application's.
package route

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"capzone.dev/platform/event"
	"capzone.dev/platform/export"
)

// Service is the name of a service.
type Service string

// The services behind the gateway.
const (
	Auth          Service = "auth"
	Maps          Service = "maps"
	Records       Service = "records"
	Players       Service = "players"
	Notifications Service = "notifications"
	Moderation    Service = "moderation"
)

// Route is one row of the table.
type Route struct {
	Method string
	// Path is a gin pattern.
	Path    string
	Service Service
	// MaxBody bounds the request's body, in bytes, where it may be longer than minBody. It leaves room for the form around
	// files, which the services limit themselves.
	MaxBody int64
	// NeedsToken routes refuse requests without a valid access token, which the service verifies again.
	NeedsToken bool
	// NeedsSession routes make what outlives a session, or end an account. They refuse an access token whose session has
	// ended, which is valid for up to 15 minutes more.
	NeedsSession bool
	// Polled routes of the login are asked every few seconds. They count as requests, and not as calls of the login.
	Polled bool
	// Submission routes count the requests of a player, or where the token cannot be verified of an address.
	Submission bool
	// Cached routes have the same response for everybody, which the cache may store.
	Cached bool
	// IsPrivate reports whether a query of a cached route asks for a response to the caller alone. Such a request is
	// forwarded with its token. Nil where none does.
	IsPrivate func(query url.Values) bool
	// Preview routes answer with pictures for link previews, which other sites may show. They are costly to make: a
	// request without a waiting client is given up. Under an address with a version (?v=) they never change.
	Preview bool
	// ShowsPoints is true for pictures with points, which are computed after what changes them. The address of such a
	// picture changes with the points that the page had, so that a picture of a moment before is not kept by it.
	ShowsPoints bool
	// Stream routes answer without an end, or with files of any size. They are counted apart from other requests, and
	// never cached, compressed or repeated.
	Stream bool
}

// minBody is the body that every write may have, in bytes: programs send an empty object where none is read.
const minBody = 4 * kib

// BodyLimit returns how long the body of a request may be, in bytes.
func (r Route) BodyLimit() int64 {
	if r.Method == http.MethodGet {
		return 0
	}
	return max(r.MaxBody, minBody)
}

// IsLogin reports whether a route is one of the login's. They answer the site's own pages alone, count requests per
// address, and are never cached or repeated, because some of their GETs change things.
func (r Route) IsLogin() bool { return r.Service == Auth && !r.NeedsToken }

// IsRepeatable reports whether a request that failed may be sent to another replica, because it changes nothing.
func (r Route) IsRepeatable() bool {
	return r.Method == http.MethodGet && !r.IsLogin() && !r.Stream
}

// Services returns the services of the table, in its order.
func Services() []Service {
	var names []Service
	for _, r := range Table {
		if !slices.Contains(names, r.Service) {
			names = append(names, r.Service)
		}
	}
	return names
}

var parameter = regexp.MustCompile(`:(\w+)`)

// DocumentedPath returns the path as the API's document has it, with the parameters in braces. It reports whether the
// route is one of the API.
func (r Route) DocumentedPath() (path string, ok bool) {
	path, ok = strings.CutPrefix(r.Path, Base)
	return parameter.ReplaceAllString(path, "{$1}"), ok
}

// Fill returns a path of the table with values in the place of its parameters, in their order.
func Fill(path string, values ...string) string {
	i := -1
	return parameter.ReplaceAllStringFunc(path, func(string) string {
		i++
		return values[i]
	})
}

// Base is the prefix of the API's paths.
const Base = "/api/v1"

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Table holds every route that a service answers.
var Table = []Route{
	{Method: "GET", Path: "/api/v1/auth/request-room-link", Service: Auth},
	{Method: "GET", Path: "/api/v1/auth/status", Service: Auth, Polled: true},
	{Method: "POST", Path: "/api/v1/auth/verify-code", Service: Auth},
	{Method: "GET", Path: "/api/v1/auth/refresh-token", Service: Auth},
	{Method: "POST", Path: "/api/v1/auth/logout", Service: Auth},

	{Method: "GET", Path: "/api/v1/tokens", Service: Auth, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/tokens", Service: Auth, NeedsToken: true, NeedsSession: true,
		Submission: true},
	{Method: "DELETE", Path: "/api/v1/tokens/:id", Service: Auth, NeedsToken: true},

	{Method: "GET", Path: "/api/v1/maps/search", Service: Maps, Cached: true, IsPrivate: searchesByProgress},
	{Method: "GET", Path: "/api/v1/maps/popular-tags", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/ids", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/listed", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/listed/:id", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/:id", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/:id/data", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/:id/versions", Service: Maps, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/:id/preview.png", Service: Maps, Cached: true, Preview: true},
	{Method: "PATCH", Path: "/api/v1/maps/:id", Service: Maps, MaxBody: 2 * mib, NeedsToken: true, Submission: true},
	{Method: "GET", Path: "/api/v1/maps/:id/edits", Service: Maps, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/maps/:id/edits/:edit/undo", Service: Maps, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/maps/drawing", Service: Maps, MaxBody: 8 * mib, NeedsToken: true, Submission: true},
	{Method: "POST", Path: "/api/v1/maps/submit", Service: Maps, MaxBody: 8 * mib, NeedsToken: true, Submission: true},

	{Method: "GET", Path: "/api/v1/records", Service: Records, Cached: true, IsPrivate: listsFollowed},
	{Method: "GET", Path: "/api/v1/records/world-records", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/records/progress", Service: Records, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/records/starters", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/records/goals", Service: Records, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/records/goals/:map/put-aside", Service: Records, NeedsToken: true},
	{Method: "DELETE", Path: "/api/v1/records/goals/:map/put-aside", Service: Records, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/records/:id", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/records/:id/verification", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/records/:id/preview.png", Service: Records, Cached: true, Preview: true},
	{Method: "GET", Path: "/api/v1/records/:id/effects", Service: Records, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/players/:id/records/effects", Service: Records, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/maps/:id/effects", Service: Records, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/desk/records/:id/verification", Service: Records, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/desk/records/:id/replay", Service: Records, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/maps/:id/history", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/maps/:id/points", Service: Records, Cached: true},
	{Method: "POST", Path: "/api/v1/records/submit", Service: Records, MaxBody: 2 * mib, NeedsToken: true,
		Submission: true},
	{Method: "GET", Path: "/api/v1/players/:id/compare/:opponent", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/players/:id/compare/:opponent/preview.png", Service: Records, Cached: true,
		Preview: true},
	{Method: "GET", Path: "/api/v1/players/:id/statistics", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/players/:id/improvements", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/players/:id/improvements/:map", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/players/:id/points", Service: Records},
	{Method: "GET", Path: "/api/v1/players/:id/points/history", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/rankings", Service: Records, Cached: true},
	{Method: "GET", Path: "/api/v1/download/replays/:id", Service: Records},
	{Method: "GET", Path: "/api/v1/stats", Service: Records, Cached: true},

	{Method: "GET", Path: "/api/v1/players/search", Service: Players, Cached: true},
	{Method: "GET", Path: "/api/v1/players/ids", Service: Players, Cached: true},
	{Method: "GET", Path: "/api/v1/players/:id", Service: Players, Cached: true},
	{Method: "GET", Path: "/api/v1/players/:id/preview.png", Service: Players, Cached: true, Preview: true,
		ShowsPoints: true},
	{Method: "PUT", Path: "/api/v1/players/:id", Service: Players, MaxBody: 2 * mib, NeedsToken: true, Submission: true},

	{Method: "GET", Path: "/api/v1/me/account", Service: Players, NeedsToken: true},
	{Method: "PATCH", Path: "/api/v1/me/account", Service: Players, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/me/deletion", Service: Players, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/me/deletion", Service: Players, NeedsToken: true, NeedsSession: true},
	{Method: "DELETE", Path: "/api/v1/me/deletion", Service: Players, NeedsToken: true},

	{Method: "GET", Path: "/api/v1/inbox", Service: Notifications, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/inbox/count", Service: Notifications, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/inbox/read", Service: Notifications, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/inbox/settings", Service: Notifications, NeedsToken: true},
	{Method: "PUT", Path: "/api/v1/inbox/settings", Service: Notifications, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/follows", Service: Notifications, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/follows/players/:id", Service: Notifications, NeedsToken: true},
	{Method: "PUT", Path: "/api/v1/follows/players/:id", Service: Notifications, NeedsToken: true},
	{Method: "DELETE", Path: "/api/v1/follows/players/:id", Service: Notifications, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/follows/maps/:id", Service: Notifications, NeedsToken: true},
	{Method: "PUT", Path: "/api/v1/follows/maps/:id", Service: Notifications, NeedsToken: true},
	{Method: "DELETE", Path: "/api/v1/follows/maps/:id", Service: Notifications, NeedsToken: true},

	{Method: "GET", Path: "/api/v1/webhooks", Service: Notifications, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/webhooks", Service: Notifications, MaxBody: 16 * kib, NeedsToken: true,
		NeedsSession: true},
	{Method: "GET", Path: "/api/v1/webhooks/:id", Service: Notifications, NeedsToken: true},
	{Method: "PATCH", Path: "/api/v1/webhooks/:id", Service: Notifications, MaxBody: 16 * kib, NeedsToken: true,
		NeedsSession: true},
	{Method: "DELETE", Path: "/api/v1/webhooks/:id", Service: Notifications, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/webhooks/:id/test", Service: Notifications, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/webhooks/:id/rotate", Service: Notifications, NeedsToken: true, NeedsSession: true},
	{Method: "GET", Path: "/api/v1/webhooks/:id/deliveries", Service: Notifications, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/webhooks/:id/deliveries/:delivery/send", Service: Notifications, NeedsToken: true},

	{Method: "POST", Path: "/api/v1/reports", Service: Moderation, MaxBody: 16 * kib, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/desk/cases", Service: Moderation, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/desk/cases/:id", Service: Moderation, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/desk/cases/:id/claim", Service: Moderation, NeedsToken: true},
	{Method: "DELETE", Path: "/api/v1/desk/cases/:id/claim", Service: Moderation, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/desk/cases/:id/decisions", Service: Moderation, MaxBody: 16 * kib, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/desk/decisions", Service: Moderation, MaxBody: 16 * kib, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/desk/decisions/:id/undo", Service: Moderation, MaxBody: 16 * kib, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/desk/appeals", Service: Moderation, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/desk/appeals/:id/answer", Service: Moderation, MaxBody: 16 * kib, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/desk/flags/precision", Service: Moderation, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/desk/audit", Service: Moderation, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/desk/audit/export", Service: Moderation, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/decisions/:id", Service: Moderation, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/me/decisions", Service: Moderation, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/appeals", Service: Moderation, MaxBody: 16 * kib, NeedsToken: true},
	{Method: "POST", Path: "/api/v1/appeals/:id/messages", Service: Moderation, MaxBody: 16 * kib, NeedsToken: true},
	{Method: "GET", Path: "/api/v1/moderation", Service: Moderation},
	{Method: "GET", Path: "/api/v1/moderation/records/:id", Service: Moderation},

	{Method: "GET", Path: "/dumps/", Service: Records},
	{Method: "GET", Path: "/dumps/latest", Service: Records},
	{Method: "GET", Path: "/dumps/:date/:file", Service: Records, Stream: true},

	{Method: "GET", Path: "/media/maps/:file", Service: Maps},
	{Method: "GET", Path: "/media/skins/:file", Service: Players},
}

// Events is the stream of live events, which the gateway answers itself.
var Events = Route{Method: "GET", Path: "/api/v1/events", Stream: true}

// Export is the file of what is stored of the caller, which the gateway puts together.
var Export = Route{Method: "GET", Path: export.Path, NeedsToken: true, Stream: true}

// Own are the routes that the gateway answers itself.
func Own() []Route { return []Route{Events, Export} }

// listsFollowed reports whether a list of records is that of the players whom the caller follows.
func listsFollowed(query url.Values) bool {
	following := query.Get("following")
	return following != "" && following != "false"
}

// searchesByProgress reports whether a search for maps is by the caller's progress.
func searchesByProgress(query url.Values) bool {
	sortBy := event.ProgressOrder(query.Get("sortBy"))
	return query.Get("progress") != "" || sortBy == event.ByNextMedal || sortBy == event.ByRank
}
