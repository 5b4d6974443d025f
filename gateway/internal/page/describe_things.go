package page

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/readable"
)

// recordTitle returns the title of a record's preview.
func (s site) recordTitle(finishTime int, player apitypes.PlayerRef, on apitypes.MapRef) string {
	return s.say(textRecord, values{
		"time": racetime.Format(finishTime), "player": readable.Isolate(player.Name), "map": readable.Isolate(on.Name),
	})
}

func describeMap(s site, subject *cache.Response) (description, error) {
	m, err := decode[apitypes.ParkourMap](subject)
	if err != nil {
		return description{}, err
	}
	author := readable.Isolate(m.Author.Name)
	about := s.say(textMap, values{"mode": m.GameMode, "author": author})
	if m.Version > 1 || !m.Newest {
		about = s.say(textMapVersion, values{"mode": m.GameMode, "author": author, "version": m.Version})
	}
	if m.RecordCount == 0 {
		about += " " + s.say(textNoRecords, nil)
	} else {
		about += " " + s.say(textRecords, values{"count": m.RecordCount})
	}
	if w := m.WorldRecord; w != nil {
		about += " " + s.say(textWorldRecord, values{
			"time": racetime.Format(w.FinishTime), "player": readable.Isolate(w.Player.Name),
		})
	}
	h := s.head("/leaderboard/"+m.ID, m.Name, about)
	h.Title = s.say(textLeaderboard, values{"map": readable.Isolate(m.Name)}) + " · " + s.name
	h.Author = s.player(m.Author.ID, m.Author.Name)
	h.Picture = s.picture("/api/v1/maps/"+m.ID+"/preview.png", subject,
		s.say(textMapPicture, values{"map": readable.Isolate(m.Name), "author": author})+" "+about)
	h.Sky = leaderboardPicture(m)
	h.LinkedData = map[string]any{
		"@context": "https://schema.org", "@type": "CreativeWork", "name": m.Name, "url": h.Canonical,
		"description": cmp.Or(m.Description, about), "genre": m.GameMode, "image": h.Picture.URL,
		"author":      map[string]any{"@type": "Person", "name": m.Author.Name, "url": h.Author.URL},
		"dateCreated": m.CreatedAt.Format(time.RFC3339), "dateModified": m.UpdatedAt.Format(time.RFC3339),
		"isPartOf": map[string]any{"@type": "WebSite", "name": s.name, "url": s.origin + "/"},
	}
	return description{head: h, related: []request{
		{path: apiRecords, query: url.Values{
			"map": {m.ID}, "sortBy": {"finishTime,finishTimeStamp"}, "sortDir": {"asc,asc"}, "limit": {"10"}, "offset": {"0"},
		}},
		{path: apiMapVersions, ids: []string{m.ID}},
		{path: apiMapPoints, ids: []string{m.ID}},
	}}, nil
}

// leaderboardPicture is the picture at the top of a leaderboard's page: the uploaded one, or else the drawn one, as
// MapDrawing.tsx shows it.
func leaderboardPicture(m apitypes.ParkourMap) *skyPicture {
	if m.PictureURL != nil && *m.PictureURL == m.ImageURL {
		return &skyPicture{URL: m.ImageURL}
	}
	return &skyPicture{
		URL: m.ImageURL, SrcSet: m.ThumbnailURL + " 480w, " + m.ImageURL + " 1600w", Sizes: "(min-width: 48em) 46rem, 100vw",
	}
}

func describePlayer(s site, subject *cache.Response) (description, error) {
	p, err := decode[apitypes.Player](subject)
	if err != nil {
		return description{}, err
	}
	about := s.say(textPlayer, values{"records": p.RecordCount, "maps": p.MapCount, "site": s.name})
	if p.Registered {
		about = s.say(textLevel, values{"level": p.Level}) + " " + about
	}
	h := s.head("/player/"+p.ID, p.Name, about)
	h.Type, h.Author = "profile", s.player(p.ID, p.Name)
	h.Picture = s.picture("/api/v1/players/"+p.ID+"/preview.png", subject,
		s.say(textPlayerPicture, values{"player": p.Name})+" "+about)
	h.LinkedData = map[string]any{
		"@context": "https://schema.org", "@type": "ProfilePage", "url": h.Canonical,
		"mainEntity": map[string]any{
			// A pointer, because describeRank changes the address.
			"@type": "Person", "name": p.Name, "identifier": p.ID, "url": h.Canonical, "image": &h.Picture.URL,
		},
	}
	return description{head: h, related: []request{
		{path: apiRecords, query: url.Values{
			"player": {p.ID}, "sortBy": {"updatedAt"}, "sortDir": {"desc"}, "limit": {"5"}, "offset": {"0"},
		}},
		{path: apiStatistics, ids: []string{p.ID}},
	}}, nil
}

// rankOf returns the request for a player's row in the ranking by points.
func rankOf(ids []string) request {
	return request{path: apiRankings, query: url.Values{"by": {"points"}, "period": {"all"}, "around": {ids[0]}}}
}

// describeRank adds the rank and the points of the player whose profile a page is. The picture shows them, too, so its
// address changes with them.
func describeRank(s site, h *head, around *cache.Response) error {
	rows, err := decode[[]apitypes.RankingRow](around)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if strings.HasSuffix(h.Canonical, "/player/"+row.Player.ID) {
			points := s.locale.decimal(row.Points)
			h.About = s.say(textRankPoints, values{"rank": row.Rank, "points": points}) + " " + h.About
			h.Description = h.About
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
	about := s.say(textSetOn, values{"date": s.locale.day(r.CreatedAt)})
	if r.Rank > 0 {
		about = s.say(textRank, values{"rank": r.Rank}) + " " + about
	}
	if r.Medal != nil {
		about = s.say(textMedals[racetime.Medal(*r.Medal)], nil) + " " + about
	}
	name := s.recordTitle(r.FinishTime, r.Player, r.Map)
	h := s.head("/record/"+r.ID, name, about)
	h.Author = s.player(r.Player.ID, r.Player.Name)
	h.Picture = s.picture("/api/v1/records/"+r.ID+"/preview.png", subject,
		s.say(textRecordPicture, values{"record": name})+" "+about)
	ofMap := request{path: apiMap, ids: []string{r.Map.ID}}
	return description{
		head: h, related: []request{{path: apiVerification, ids: []string{r.ID}}, ofMap}, drawn: &ofMap,
	}, nil
}

// drawing is the picture at the top of a record's page, as RecordHead.tsx shows it: the drawing of the map, or the
// uploaded picture of one that is not drawn yet.
func drawing(ofMap *cache.Response) (*skyPicture, error) {
	m, err := decode[apitypes.ParkourMap](ofMap)
	if m.PictureURL != nil {
		return &skyPicture{URL: *m.PictureURL}, err
	}
	return &skyPicture{URL: m.ImageURL}, err
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
	name := s.say(textVersus, values{
		"player": readable.Isolate(c.Player.Name), "opponent": readable.Isolate(c.Opponent.Name),
	})
	about := s.say(textScore, values{
		"wins": c.Score.Wins, "losses": c.Score.Losses, "maps": c.Score.Wins + c.Score.Losses + c.Score.Ties,
	})
	h := s.head("/compare/"+c.Player.ID+"/"+c.Opponent.ID, name, about)
	h.Picture = s.picture(route.Fill(apiComparison, c.Player.ID, c.Opponent.ID)+"/preview.png", subject,
		name+". "+about)
	return description{head: h}, nil
}
