package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"capzone.dev/gateway/internal/cache"
)

// document is the application's index.html, in the parts between which a page writes: a head, and the picture and the
// text that its frame shows until the application is drawn.
type document struct {
	start, head, middle, text, rest, end []byte
	// siteName and description are the title and the description of the general head.
	siteName, description string
	// english is the description in English.
	english string
}

// generalHead matches what the head of a page replaces.
var generalHead = regexp.MustCompile(`<title>([^<]*)</title>\s*<meta name="description" content="([^"]*)"\s*/?>`)

// generalText matches what the text of a page replaces.
var generalText = regexp.MustCompile(`<p class="frame-title">[^<]*</p><p>[^<]*</p>`)

var errForeignIndex = errors.New(
	"index.html has no title with a description after it, no frame with them, or no end of its body")

func parseDocument(index []byte) (document, error) {
	at, end := generalHead.FindSubmatchIndex(index), bytes.LastIndex(index, []byte("</body>"))
	text := generalText.FindIndex(index)
	if at == nil || text == nil || text[0] < at[1] || end < text[1] {
		return document{}, errForeignIndex
	}
	return document{
		start: index[:at[0]], head: index[at[0]:at[1]],
		middle: index[at[1]:text[0]], text: index[text[0]:text[1]],
		rest: index[text[1]:end], end: index[end:],
		siteName:    html.UnescapeString(string(index[at[2]:at[3]])),
		description: html.UnescapeString(string(index[at[4]:at[5]])),
		english:     html.UnescapeString(string(index[at[4]:at[5]])),
	}, nil
}

// noScript matches textNoScript in English.
var noScript = regexp.MustCompile(`<noscript>([^<]*) needs JavaScript\. Questions: ([^<]*)`)

// in returns the document in a language, whose catalogue the browser loads together with the page's scripts.
func (d document) in(l locale, catalogue string) document {
	if l == english {
		return d
	}
	d.start = bytes.Replace(d.start, []byte(`<html lang="en"`), []byte(`<html lang="`+string(l)+`"`), 1)
	loading := []byte(`role="status">` + textLoading.english + "<")
	d.rest = bytes.Replace(d.rest, loading, []byte(`role="status">`+l.say(textLoading, nil)+"<"), 1)
	d.rest = noScript.ReplaceAllFunc(d.rest, func(text []byte) []byte {
		parts := noScript.FindSubmatch(text)
		return []byte("<noscript>" + l.say(textNoScript, values{"site": string(parts[1]), "contact": string(parts[2])}))
	})
	d.description = l.say(textDescription, nil)
	d.head = fmt.Appendf(nil, `<title>%s</title>
    <meta name="description" content="%s" />`, html.EscapeString(d.siteName), html.EscapeString(d.description))
	d.text = frameText(d.siteName, d.description)
	if catalogue != "" {
		d.middle = slices.Concat([]byte("\n    "+`<link rel="modulepreload" crossorigin href="`+catalogue+`" />`), d.middle)
	}
	return d
}

// site returns what heads in a language share. Those of previews may have another language than the document.
func (d document) site(origin string, l locale) site {
	s := site{origin, d.siteName, d.english, l}
	if l != english {
		s.description = l.say(textDescription, nil)
	}
	return s
}

// generalHead returns the head of a page about which nothing is known. The canonical address is empty for an id that
// the API does not know.
func (d document) generalHead(canonical string) head {
	return head{
		Title: d.siteName, Description: d.description, Name: d.siteName, About: d.english, SiteName: d.siteName,
		Canonical: canonical,
		Type:      "website",
	}
}

// head is the content of a page's head. Addresses are absolute.
type head struct {
	// Title and Description are those of the page, in the visitor's language. Name and About are those of its preview.
	Title, Description, Name, About, SiteName string
	// Canonical is empty for a page that search engines must not list.
	Canonical string
	// Type is the type of OpenGraph, og:type.
	Type    string
	Picture *picture
	// LinkedData is described by schema.org, or nil.
	LinkedData map[string]any
	OEmbed     string
	Feeds      []link
	// Sky is the picture behind the page's title, or nil.
	Sky *skyPicture
	// Shown are the addresses of other pictures that the page shows at first.
	Shown []string
	// Author is for oEmbed, and empty for a page without an author.
	Author link
}

// picture is a PNG of sharecard's size.
type picture struct {
	URL, Alt      string
	Width, Height int
}

// skyPicture is a picture that the frame of a page shows until the application is drawn. The fields are those of the
// application's own <img>, or the browser would load another one: MapPicture.tsx. SrcSet and Sizes may be empty.
type skyPicture struct{ URL, SrcSet, Sizes string }

type link struct{ Title, URL string }

var headTemplate = template.Must(template.New("head").Parse(`<title>{{.Title}}</title>
    <meta name="description" content="{{.Description}}" />
    {{- if .Canonical}}
    <link rel="canonical" href="{{.Canonical}}" />
    <meta property="og:url" content="{{.Canonical}}" />
    <meta property="og:type" content="{{.Type}}" />
    {{- else}}
    <meta name="robots" content="noindex" />
    {{- end}}
    <meta property="og:site_name" content="{{.SiteName}}" />
    <meta property="og:title" content="{{.Name}}" />
    <meta property="og:description" content="{{.About}}" />
    <meta name="twitter:title" content="{{.Name}}" />
    <meta name="twitter:description" content="{{.About}}" />
    {{- with .Picture}}
    <meta property="og:image" content="{{.URL}}" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="{{.Width}}" />
    <meta property="og:image:height" content="{{.Height}}" />
    <meta property="og:image:alt" content="{{.Alt}}" />
    <meta name="twitter:card" content="summary_large_image" />
    <meta name="twitter:image" content="{{.URL}}" />
    <meta name="twitter:image:alt" content="{{.Alt}}" />
    {{- else}}
    <meta name="twitter:card" content="summary" />
    {{- end}}
    {{- if .OEmbed}}
    <link rel="alternate" type="application/json+oembed" href="{{.OEmbed}}" title="{{.Name}}" />
    {{- end}}
    {{- range .Feeds}}
    <link rel="alternate" type="application/atom+xml" href="{{.URL}}" title="{{.Title}}" />
    {{- end}}
    {{- range .Shown}}
    <link rel="preload" as="image" href="{{.}}" fetchpriority="high" />
    {{- end}}
    {{- with .LinkedData}}
    <script type="application/ld+json">{{.}}</script>
    {{- end}}`))

// skyTemplate is the picture in the frame of a page, before the text.
var skyTemplate = template.Must(template.New("sky").Parse(`<img class="frame-picture" alt="" src="{{.URL}}"` +
	`{{with .SrcSet}} srcset="{{.}}"{{end}}{{with .Sizes}} sizes="{{.}}"{{end}} fetchpriority="high" />`))

// frameText returns the text that the frame of a page shows until the application is drawn.
func frameText(title, description string) []byte {
	return fmt.Appendf(nil, `<p class="frame-title">%s</p><p>%s</p>`,
		html.EscapeString(title), html.EscapeString(description))
}

// pageData is what the application needs to begin with a page.
type pageData struct {
	// Responses are the bodies of the responses that it shows, by their keys.
	Responses map[string]json.RawMessage
	// Position is the number of an event: those after it may be missing in the responses. It is nil where none is known.
	Position *uint64
}

// dataTemplate is a block of data, which a browser does not run.
var dataTemplate = template.Must(template.New("data").Parse(`<script type="application/json" id="page-data"` +
	`{{with .Position}} data-position="{{.}}"{{end}}>{{.Responses}}</script>` + "\n  "))

// respond returns the application with the head and the frame of a page and, unless there are none, its data.
func (d document) respond(status int, h head, data pageData, read apiResponses) (*cache.Response, error) {
	var written, picture bytes.Buffer
	if err := headTemplate.Execute(&written, h); err != nil {
		return nil, fmt.Errorf("write the head of a page: %w", err)
	}
	if h.Sky != nil {
		if err := skyTemplate.Execute(&picture, h.Sky); err != nil {
			return nil, fmt.Errorf("write the picture of a page: %w", err)
		}
	}
	d.head = written.Bytes()
	d.text = append(picture.Bytes(), frameText(strings.TrimSuffix(h.Title, " · "+h.SiteName), h.Description)...)
	return d.respondWith(status, data, read)
}

// respondPlain returns the application with its own head.
func (d document) respondPlain(data pageData) (*cache.Response, error) {
	return d.respondWith(http.StatusOK, data, apiResponses{})
}

func (d document) respondWith(status int, data pageData, read apiResponses) (*cache.Response, error) {
	body := bytes.NewBuffer(slices.Concat(d.start, d.head, d.middle, d.text, d.rest))
	if data.Position != nil && data.Responses == nil {
		data.Responses = map[string]json.RawMessage{}
	}
	if data.Responses != nil {
		if err := dataTemplate.Execute(body, data); err != nil {
			return nil, fmt.Errorf("write the data of a page: %w", err)
		}
	}
	body.Write(d.end)
	return read.respond(status, htmlType, body.Bytes(), pageMaxAge), nil
}

const htmlType = "text/html; charset=utf-8"
