package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"capzone.dev/gateway/internal/cache"
	"capzone.dev/platform/event"
	"capzone.dev/platform/sharecard"
)

// Paths of the API's routes, as in the table.
const (
	apiMap          = "/api/v1/maps/:id"
	apiMapPoints    = "/api/v1/maps/:id/points"
	apiMapVersions  = "/api/v1/maps/:id/versions"
	apiMaps         = "/api/v1/maps/search"
	apiListedMaps   = "/api/v1/maps/listed"
	apiPlayer       = "/api/v1/players/:id"
	apiRecord       = "/api/v1/records/:id"
	apiRecords      = "/api/v1/records"
	apiVerification = "/api/v1/records/:id/verification"
	apiComparison   = "/api/v1/players/:id/compare/:opponent"
	apiRankings     = "/api/v1/rankings"
	apiStatistics   = "/api/v1/players/:id/statistics"
	apiStats        = "/api/v1/stats"
	apiWorldRecords = "/api/v1/records/world-records"
)

// pageType is a kind of page with a head of its own.
type pageType struct {
	path string // a gin pattern, whose parameters are ids
	// subject returns the request for what the page is about.
	subject func(ids []string) request
	// describe returns the head of the page from the response to that request, and the other requests that
	// the application sends at first. Their queries repeat those of web/src/features.
	describe func(s site, subject *cache.Response) (description, error)
	// more returns the request for what else the head says, which the application sends too, and describeMore adds it.
	// The page is served without it where it is missing. They may be nil.
	more         func(ids []string) request
	describeMore func(s site, h *head, more *cache.Response) error
	// queried says that the query decides what the page is about. With one, it has no head of its own.
	queried bool
}

// description is the head of a page with the other requests of the application.
type description struct {
	head    head
	related []request
	// drawn is the request among related for the map whose drawing is behind the page's title, or nil.
	drawn *request
}

// idsIn returns the ids in a path, in lower case. It reports whether it is a path of the page's type.
func (t pageType) idsIn(path string) (ids []string, ok bool) {
	pattern, segments := strings.Split(t.path, "/"), strings.Split(path, "/")
	if len(pattern) != len(segments) {
		return nil, false
	}
	for i, segment := range segments {
		switch {
		case strings.HasPrefix(pattern[i], ":"):
			if !event.IsID(segment) {
				return nil, false
			}
			ids = append(ids, strings.ToLower(segment))
		case segment != pattern[i]:
			return nil, false
		}
	}
	return ids, true
}

// site is what the heads of all pages share.
type site struct {
	origin, name, description string
	locale                    locale
}

// pageTypes are the pages with a head of their own.
var pageTypes = []pageType{
	{path: "/", subject: func([]string) request { return request{path: apiStats} }, describe: describeHome},
	{path: "/map-search", subject: func([]string) request { return allMaps }, describe: describeMapSearch, queried: true},
	{
		path: "/map-search/listed", subject: func([]string) request { return firstListedMaps },
		describe: describeListedMaps, queried: true,
	},
	{
		path: "/rankings", subject: func([]string) request { return firstRanking },
		describe: describeRankings, queried: true,
	},
	{path: "/rankings/formula", subject: func([]string) request { return firstRanking }, describe: describeFormula},
	{path: "/leaderboard/:id", subject: about(apiMap), describe: describeMap},
	{
		path: "/player/:id", subject: about(apiPlayer), describe: describePlayer,
		more: rankOf, describeMore: describeRank,
	},
	{path: "/record/:id", subject: about(apiRecord), describe: describeRecord},
	{path: "/compare/:id/:opponent", subject: comparison, describe: describeComparison},
}

// requests returns the requests that the head of a page needs.
func (t pageType) requests(ids []string) []request {
	if t.more == nil {
		return []request{t.subject(ids)}
	}
	return []request{t.subject(ids), t.more(ids)}
}

// describeAll describes a page from the responses to its requests, of which that of the subject has the status 200.
func (t pageType) describeAll(s site, ids []string, read apiResponses) (description, error) {
	d, err := t.describe(s, read.byKey[t.subject(ids).key()])
	if err != nil || t.more == nil {
		return d, err
	}
	if more := read.byKey[t.more(ids).key()]; more != nil && more.Status == http.StatusOK {
		err = t.describeMore(s, &d.head, more)
	}
	return d, err
}

// about returns the subject of a page whose ids are those of a route of the API.
func about(path string) func(ids []string) request {
	return func(ids []string) request { return request{path: path, ids: ids} }
}

// decode returns the data of an answer of the API.
func decode[T any](r *cache.Response) (data T, err error) {
	var answer struct{ Data T }
	if err := json.Unmarshal(r.Body(), &answer); err != nil {
		return data, fmt.Errorf("read an answer of the API: %w", err)
	}
	return answer.Data, nil
}

// head returns the head of a page, with what all pages have.
func (s site) head(path, name, about string) head {
	canonical := s.origin + path
	return head{
		Title: name + " · " + s.name, Description: about, Name: name, About: about, SiteName: s.name,
		Canonical: canonical, Type: "article",
		OEmbed: s.origin + oEmbedPath + "?" + url.Values{"url": {canonical}, "format": {"json"}}.Encode(),
		Feeds:  s.feeds(),
	}
}

func (s site) player(id, name string) link { return link{name, s.origin + "/player/" + id} }

// picture returns the preview picture at a path. Its address changes with what the API answers about the subject,
// because chat clients keep pictures by their addresses.
func (s site) picture(path string, subject *cache.Response, alt string) *picture {
	p := &picture{s.origin + path, alt, sharecard.Width, sharecard.Height}
	if version := strings.Trim(subject.ETag(), `W/"`); version != "" {
		p.addVersion(version)
	}
	return p
}

// addVersion makes the address of a picture change with a version of what it shows, too.
func (p *picture) addVersion(version string) {
	separator := "?v="
	if strings.Contains(p.URL, separator) {
		separator = "-"
	}
	p.URL += separator + url.QueryEscape(version)
}

func (s site) say(t text, v values) string { return s.locale.say(t, v) }
