package page

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/game/racetime"
	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/gateway/internal/cache"
)

const atomType = "application/atom+xml; charset=utf-8"

// feed is an Atom feed (RFC 4287) of a list of the API.
type feed struct {
	path    string
	title   text
	list    request
	entries func(s site, list *cache.Response) ([]atomEntry, error)
}

var feeds = []feed{
	{"/feeds/world-records.atom", textNewWorldRecords, request{
		path: apiWorldRecords, query: url.Values{"limit": {"50"}},
	}, worldRecordEntries},
	{"/feeds/maps.atom", textNewMaps, request{
		path: apiMaps, query: url.Values{"sortBy": {"createdAt"}, "sortDir": {"desc"}, "limit": {"50"}},
	}, mapEntries},
}

// feeds returns the links to the feeds.
func (s site) feeds() []link {
	links := make([]link, len(feeds))
	for i, f := range feeds {
		links[i] = link{s.say(f.title, nil), s.origin + f.path}
	}
	return links
}

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Author  atomPerson  `xml:"author"`
	Entries []atomEntry `xml:"entry"`
}

type atomEntry struct {
	ID        string     `xml:"id"`
	Title     string     `xml:"title"`
	Updated   string     `xml:"updated"`
	Published string     `xml:"published"`
	Link      atomLink   `xml:"link"`
	Author    atomPerson `xml:"author"`
	Summary   string     `xml:"summary"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	URL  string `xml:"href,attr"`
}

type atomPerson struct {
	Name string `xml:"name"`
	URL  string `xml:"uri,omitempty"`
}

func (h *Handler) serveFeed(f feed) gin.HandlerFunc {
	return func(c *gin.Context) {
		l := audienceOf(c.Request).preview
		h.serveOrFail(c, f.path+" "+string(l), func(ctx context.Context) (*cache.Response, error) {
			return h.makeFeed(ctx, f, l)
		})
	}
}

func (h *Handler) makeFeed(ctx context.Context, f feed, l locale) (*cache.Response, error) {
	doc, err := h.document(l)
	if err != nil {
		return nil, err
	}
	list, read, err := h.fetchOne(ctx, f.list)
	if err != nil {
		return nil, err
	}
	s := doc.site(h.Origin, l)
	entries, err := f.entries(s, list)
	if err != nil {
		return nil, err
	}
	address := h.Origin + f.path
	body, err := xml.Marshal(atomFeed{
		ID: address, Title: s.name + ": " + s.say(f.title, nil), Updated: lastUpdate(entries),
		Links: []atomLink{
			{"self", "application/atom+xml", address}, {"alternate", "text/html", h.Origin + "/"},
		},
		Author: atomPerson{s.name, h.Origin + "/"}, Entries: entries,
	})
	if err != nil {
		return nil, fmt.Errorf("write a feed: %w", err)
	}
	return read.respond(http.StatusOK, atomType, append([]byte(xml.Header), body...), pageMaxAge), nil
}

// lastUpdate returns when the last entry was updated. Atom requires a time of feeds without entries too.
func lastUpdate(entries []atomEntry) string {
	last := time.Unix(0, 0).UTC().Format(time.RFC3339)
	for _, e := range entries {
		last = max(last, e.Updated) // as texts, times in UTC have the same order
	}
	return last
}

func worldRecordEntries(s site, list *cache.Response) ([]atomEntry, error) {
	records, err := decode[[]apitypes.ListedWorldRecord](list)
	if err != nil {
		return nil, err
	}
	entries := make([]atomEntry, len(records))
	for i, r := range records {
		summary := s.say(textFirstRecord, nil)
		if r.PreviousWorldRecord > 0 {
			summary = s.say(textRecordBefore, values{"time": racetime.Format(r.PreviousWorldRecord)})
		}
		switch {
		case r.Rank > 0 && r.Points > 0:
			summary += " " + s.say(textPlacePoints, values{"place": r.Rank, "points": s.locale.decimal(r.Points)})
		case r.Rank > 0:
			summary += " " + s.say(textPlace, values{"place": r.Rank})
		}
		title := s.recordTitle(r.FinishTime, r.Player, r.Map)
		entries[i] = s.entry(r.ID, "/record/"+r.ID, title, summary, r.Player, r.CreatedAt, r.CreatedAt)
	}
	return entries, nil
}

func mapEntries(s site, list *cache.Response) ([]atomEntry, error) {
	maps, err := decode[[]apitypes.ParkourMap](list)
	if err != nil {
		return nil, err
	}
	entries := make([]atomEntry, len(maps))
	for i, m := range maps {
		entries[i] = s.entry(m.ID, "/leaderboard/"+m.ID, m.Name, m.Description, m.Author, m.CreatedAt, m.UpdatedAt)
	}
	return entries, nil
}

func (s site) entry(
	id, path, title, summary string, author apitypes.PlayerRef, published, updated time.Time,
) atomEntry {
	return atomEntry{
		ID: "urn:uuid:" + id, Title: title, Summary: summary,
		Published: published.UTC().Format(time.RFC3339), Updated: updated.UTC().Format(time.RFC3339),
		Link:   atomLink{"alternate", "text/html", s.origin + path},
		Author: atomPerson{author.Name, s.player(author.ID, author.Name).URL},
	}
}
