package page

import (
	"net/url"

	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/platform/readable"
)

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
	return description{head: h, related: []request{
		{path: apiWorldRecords, query: url.Values{"limit": {"5"}}},
		{path: apiMaps, query: url.Values{"sortBy": {"createdAt"}, "sortDir": {"desc"}, "limit": {"4"}}},
		{path: apiRankings, query: url.Values{"by": {"points"}, "period": {"month"}, "page": {"1"}, "limit": {"5"}}},
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
	h := s.head("/map-search", s.say(textMapSearch, nil), s.say(textAllMaps, nil))
	h.Type = "website"
	for _, m := range found[:min(len(found), firstCards)] {
		h.Shown = append(h.Shown, m.ThumbnailURL)
	}
	return description{head: h}, nil
}

// firstListedMaps is the first request of the page of maps without a replay.
var firstListedMaps = request{path: apiListedMaps, query: url.Values{"page": {"1"}, "limit": {"25"}}}

func describeListedMaps(s site, _ *cache.Response) (description, error) {
	h := s.head("/map-search/listed", s.say(textListed, nil), s.say(textListedMaps, nil))
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
	about := s.say(textRankingsAbout, nil)
	if len(rows) > 0 {
		about += " " + s.say(textFirstByPoints, values{
			"player": readable.Isolate(rows[0].Player.Name), "points": s.locale.decimal(rows[0].Points),
		})
	}
	h := s.head("/rankings", s.say(textRankings, nil), about)
	h.Type = "website"
	return description{head: h}, nil
}

func describeFormula(s site, _ *cache.Response) (description, error) {
	return description{head: s.head("/rankings/formula", s.say(textFormula, nil), s.say(textFormulaAbout, nil))}, nil
}
