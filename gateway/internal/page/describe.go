package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/route"
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
	apiStats        = "/api/v1/stats"
)

// pageType is a kind of page with a head of its own.
type pageType struct {
	path string // a gin pattern, whose parameters are ids
	// subject returns the request for what the page is about.
	subject func(ids []string) request
	// describe returns the head of the page from the response to that request, and the other requests that
	// the application sends at first. Their queries repeat those of web/src/features.
	describe func(s site, subject *cache.Response) (description, error)
	// more returns the request for what else the head says, and describeMore adds it. The page is served without it where
	// it is missing. They may be nil.
	more         func(ids []string) request
	describeMore func(h *head, more *cache.Response) error
	// queried says that the query decides what the page is about. With one, it has no head of its own.
	queried bool
}

// description is the head of a page with the other requests of the application.
type description struct {
	head    head
	related []request
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
type site struct{ origin, name, description string }

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

// about returns the subject of a page whose ids are those of a route of the API.
func about(path string) func(ids []string) request {
	return func(ids []string) request { return request{path: path, ids: ids} }
}

// recordTitle returns the title of a record's preview.
func recordTitle(finishTime int, player apitypes.PlayerRef, on apitypes.MapRef) string {
	return fmt.Sprintf("%s by %s on %s", racetime.Format(finishTime), player.Name, on.Name)
}

// decode returns the data of an answer of the API.
func decode[T any](r *cache.Response) (data T, err error) {
	var answer struct{ Data T }
	if err := json.Unmarshal(r.Body(), &answer); err != nil {
		return data, fmt.Errorf("read an answer of the API: %w", err)
	}
	return answer.Data, nil
}

func describeHome(s site, subject *cache.Response) (description, error) {
	h := s.head("/", s.name, s.description)
	h.Title, h.Type = s.name, "website"
	h.Picture = s.picture(homePicturePath, subject, s.name+". "+s.description)
	h.LinkedData = map[string]any{
		"@context": "https://schema.org", "@type": "WebSite", "name": s.name, "url": h.Canonical,
		"description": s.description,
		"potentialAction": map[string]any{
			"@type": "SearchAction", "target": s.origin + "/map-search?name={name}", "query-input": "required name=name",
		},
	}
	return description{h, []request{
		{path: apiMaps, query: url.Values{"sortBy": {"createdAt"}, "sortDir": {"desc"}, "limit": {"4"}}},
		{path: apiRecords, query: url.Values{"sortBy": {"updatedAt"}, "sortDir": {"desc"}, "limit": {"5"}}},
	}}, nil
}

// allMaps is the first request of the map search without filters.
var allMaps = request{path: apiMaps, query: url.Values{
	"sortBy": {"createdAt"}, "sortDir": {"desc"}, "page": {"1"}, "limit": {"12"},
}}

// firstCards is how many maps a phone shows whole without scrolling.
const firstCards = 2

func describeMapSearch(s site, subject *cache.Response) (description, error) {
	found, err := decode[[]apitypes.ParkourMap](subject)
	if err != nil {
		return description{}, err
	}
	h := s.head("/map-search", "Map Search", "Every parkour map that has been finished. Pick one and see who was fastest.")
	h.Type = "website"
	for _, m := range found[:min(len(found), firstCards)] {
		h.Shown = append(h.Shown, shownPicture{URL: m.ThumbnailURL})
	}
	return description{head: h}, nil
}

// firstListedMaps is the first request of the page of maps without a replay.
var firstListedMaps = request{path: apiListedMaps, query: url.Values{"page": {"1"}, "limit": {"25"}}}

func describeListedMaps(s site, _ *cache.Response) (description, error) {
	h := s.head("/map-search/listed", "No replay yet",
		"Maps of the game whose author or a validator has yet to submit a replay.")
	h.Type = "website"
	return description{head: h}, nil
}

// firstRanking is the first request of the rankings, and of the page on the formula, which shows its thresholds.
var firstRanking = request{path: apiRankings, query: url.Values{
	"by": {"points"}, "period": {"all"}, "page": {"1"}, "limit": {"25"},
}}

func describeRankings(s site, subject *cache.Response) (description, error) {
	rows, err := decode[[]apitypes.RankingRow](subject)
	if err != nil {
		return description{}, err
	}
	text := "The players with the most points, world records, medals and finished maps."
	if len(rows) > 0 {
		text += fmt.Sprintf(" First by points: %s with %.1f.", rows[0].Player.Name, rows[0].Points)
	}
	h := s.head("/rankings", "Rankings", text)
	h.Type = "website"
	return description{head: h}, nil
}

func describeFormula(s site, _ *cache.Response) (description, error) {
	return description{head: s.head("/rankings/formula", "How points work",
		"The formula of points with examples and a calculator, so that every point can be checked by hand.")}, nil
}

func describeMap(s site, subject *cache.Response) (description, error) {
	m, err := decode[apitypes.ParkourMap](subject)
	if err != nil {
		return description{}, err
	}
	about := fmt.Sprintf("%s map by %s.", m.GameMode, m.Author.Name)
	if m.Version > 1 || !m.Newest {
		about = fmt.Sprintf("%s map by %s, version %d.", m.GameMode, m.Author.Name, m.Version)
	}
	if m.RecordCount == 0 {
		about += " No records yet."
	} else {
		about += " " + count(m.RecordCount, "record") + "."
	}
	if w := m.WorldRecord; w != nil {
		about += fmt.Sprintf(" World record: %s by %s.", racetime.Format(w.FinishTime), w.Player.Name)
	}
	h := s.head("/leaderboard/"+m.ID, m.Name, about)
	h.Title = m.Name + ": Leaderboard · " + s.name
	h.Author = s.player(m.Author.ID, m.Author.Name)
	h.Picture = s.picture("/api/v1/maps/"+m.ID+"/preview.png", subject,
		fmt.Sprintf("The map %s by %s. %s", m.Name, m.Author.Name, about))
	h.Shown = []shownPicture{leaderboardPicture(m)}
	h.LinkedData = map[string]any{
		"@context": "https://schema.org", "@type": "CreativeWork", "name": m.Name, "url": h.Canonical,
		"description": cmp.Or(m.Description, about), "genre": m.GameMode, "image": h.Picture.URL,
		"author":      map[string]any{"@type": "Person", "name": m.Author.Name, "url": h.Author.URL},
		"dateCreated": m.CreatedAt.Format(time.RFC3339), "dateModified": m.UpdatedAt.Format(time.RFC3339),
		"isPartOf": map[string]any{"@type": "WebSite", "name": s.name, "url": s.origin + "/"},
	}
	return description{h, []request{
		{path: apiRecords, query: url.Values{
			"map": {m.ID}, "sortBy": {"finishTime,finishTimeStamp"}, "sortDir": {"asc,asc"}, "limit": {"10"}, "offset": {"0"},
		}},
		{path: apiMapVersions, ids: []string{m.ID}},
		{path: apiMapPoints, ids: []string{m.ID}},
	}}, nil
}

// leaderboardPicture is the picture at the top of a leaderboard's page: the uploaded one, or else the drawn one, as
// MapDetails.tsx shows it.
func leaderboardPicture(m apitypes.ParkourMap) shownPicture {
	if m.PictureURL != nil && *m.PictureURL == m.ImageURL {
		return shownPicture{URL: m.ImageURL}
	}
	return shownPicture{
		URL: m.ImageURL, SrcSet: m.ThumbnailURL + " 480w, " + m.ImageURL + " 1600w", Sizes: "(min-width: 64em) 22rem, 100vw",
	}
}

func describePlayer(s site, subject *cache.Response) (description, error) {
	p, err := decode[apitypes.Player](subject)
	if err != nil {
		return description{}, err
	}
	about := fmt.Sprintf("%s and %s on %s.", count(p.RecordCount, "record"), count(p.MapCount, "map"), s.name)
	if p.Registered {
		about = fmt.Sprintf("Level %d. %s", p.Level, about)
	}
	h := s.head("/player/"+p.ID, p.Name, about)
	h.Type, h.Author = "profile", s.player(p.ID, p.Name)
	h.Picture = s.picture("/api/v1/players/"+p.ID+"/preview.png", subject,
		fmt.Sprintf("The player %s. %s", p.Name, about))
	h.LinkedData = map[string]any{
		"@context": "https://schema.org", "@type": "ProfilePage", "url": h.Canonical,
		"mainEntity": map[string]any{
			// A pointer, because describeRank changes the address.
			"@type": "Person", "name": p.Name, "identifier": p.ID, "url": h.Canonical, "image": &h.Picture.URL,
		},
	}
	return description{h, []request{
		{path: apiRecords, query: url.Values{
			"player": {p.ID}, "sortBy": {"updatedAt"}, "sortDir": {"desc"}, "limit": {"10"}, "offset": {"0"},
		}},
		{path: apiMaps, query: url.Values{
			"authorId": {p.ID}, "sortBy": {"createdAt"}, "sortDir": {"desc"}, "limit": {"12"},
		}},
	}}, nil
}

// rankOf returns the request for a player's row in the ranking by points.
func rankOf(ids []string) request {
	return request{path: apiRankings, query: url.Values{"by": {"points"}, "period": {"all"}, "around": {ids[0]}}}
}

// describeRank adds the rank and the points of the player whose profile a page is. The picture shows them, too, so its
// address changes with them.
func describeRank(h *head, around *cache.Response) error {
	rows, err := decode[[]apitypes.RankingRow](around)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if strings.HasSuffix(h.Canonical, "/player/"+row.Player.ID) {
			h.Description = fmt.Sprintf("Rank %d with %.1f points. ", row.Rank, row.Points) + h.Description
			h.Picture.addVersion(fmt.Sprintf("%d-%.1f", row.Rank, row.Points))
		}
	}
	return nil
}

func describeRecord(s site, subject *cache.Response) (description, error) {
	r, err := decode[apitypes.RecordDetails](subject)
	if err != nil {
		return description{}, err
	}
	about := "Set on " + r.CreatedAt.UTC().Format("2 January 2006") + "."
	if r.Rank > 0 {
		about = fmt.Sprintf("Rank %d. %s", r.Rank, about)
	}
	if r.Medal != nil {
		about = racetime.Medal(*r.Medal).Title() + ". " + about
	}
	name := recordTitle(r.FinishTime, r.Player, r.Map)
	h := s.head("/record/"+r.ID, name, about)
	h.Author = s.player(r.Player.ID, r.Player.Name)
	h.Picture = s.picture("/api/v1/records/"+r.ID+"/preview.png", subject,
		fmt.Sprintf("The record %s. %s", name, about))
	return description{h, []request{
		{path: apiVerification, ids: []string{r.ID}}, {path: apiMap, ids: []string{r.Map.ID}},
	}}, nil
}

// comparison is the first request of a comparison.
func comparison(ids []string) request {
	return request{path: apiComparison, ids: ids, query: url.Values{
		"sortBy": {"closest"}, "limit": {"20"}, "offset": {"0"},
	}}
}

func describeComparison(s site, subject *cache.Response) (description, error) {
	c, err := decode[apitypes.Comparison](subject)
	if err != nil {
		return description{}, err
	}
	name := c.Player.Name + " vs. " + c.Opponent.Name
	about := fmt.Sprintf("%d : %d on %s that both have finished.", c.Score.Wins, c.Score.Losses,
		count(c.Score.Wins+c.Score.Losses+c.Score.Ties, "map"))
	h := s.head("/compare/"+c.Player.ID+"/"+c.Opponent.ID, name, about)
	h.Picture = s.picture(route.Fill(apiComparison, c.Player.ID, c.Opponent.ID)+"/preview.png", subject,
		name+". "+about)
	return description{head: h}, nil
}

// head returns the head of a page, with what all pages have.
func (s site) head(path, name, about string) head {
	canonical := s.origin + path
	return head{
		Title: name + " · " + s.name, Name: name, Description: about, SiteName: s.name,
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

// count returns a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
