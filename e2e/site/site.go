// Package site uses a running Capzone as a visitor does: through its public API, with a browser's cookies, logging in
// through a simulated room.
//
//	visitor := site.New("http://localhost:8080").Visitor()
//	player, err := visitor.Login(ctx, site.Account{Name: "cloudstep", Level: 57})
//	outcome, err := visitor.SubmitRecord(ctx, site.RecordSubmission{Replay: file})
//
// What the site refuses is returned as a *Problem.
package site

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"time"

	"capzone.dev/e2e/api"
)

// basePath is where the API begins.
const basePath = "/api/v1"

// Site is a running site.
type Site struct {
	address   string
	transport *http.Transport
}

// New returns the site at an address, such as http://localhost:8080.
func New(address string) *Site {
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is, by its documentation
	transport.MaxIdleConnsPerHost = 64
	return &Site{address: strings.TrimRight(address, "/"), transport: transport}
}

// From returns the same site as a client of another address of this machine meets it, such as 127.1.0.1.
func (s *Site) From(address string) *Site {
	from := New(s.address)
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	from.transport.DialContext = dialer.DialContext
	return from
}

// Address is the site's address, without a slash at its end.
func (s *Site) Address() string { return s.address }

// Visitor returns a new visitor with an empty cookie jar.
func (s *Site) Visitor() *Visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // only options can be wrong, and there are none
	}
	return &Visitor{
		site: s,
		http: &http.Client{
			Transport: s.transport, Jar: jar, Timeout: time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Visitor is a browser with its cookies and, once logged in, its access token. It is not safe for concurrent use.
type Visitor struct {
	site *Site
	http *http.Client

	// Token is the access token in use; empty while logged out.
	Token string
	// Player is the player who is logged in.
	Player *api.LoggedInPlayer
	// Header goes with every request to the site.
	Header http.Header
}

// Cookies are what the browser holds for the API's calls under /auth.
func (v *Visitor) Cookies() []*http.Cookie {
	address, err := url.Parse(v.site.address + basePath + "/auth/")
	if err != nil {
		return nil
	}
	return v.http.Jar.Cookies(address)
}

// Request is one call of the API, or of anything else at the site.
type Request struct {
	Method string // GET where empty
	// Path begins with a slash and is below /api/v1, or anywhere at the site with AtRoot.
	Path   string
	AtRoot bool
	Query  url.Values
	Header http.Header // wins over what the visitor would send
	Body   io.Reader
}

// Answer is what came back, whatever its status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Send sends a request. An error means that no answer came.
func (v *Visitor) Send(ctx context.Context, r Request) (Answer, error) {
	address := v.site.address
	if !r.AtRoot {
		address += basePath
	}
	address += r.Path
	if len(r.Query) > 0 {
		address += "?" + r.Query.Encode()
	}
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, address, r.Body)
	if err != nil {
		return Answer{}, err
	}
	if v.Token != "" {
		req.Header.Set("Authorization", "Bearer "+v.Token)
	}
	maps.Copy(req.Header, v.Header)
	maps.Copy(req.Header, r.Header)
	response, err := v.http.Do(req)
	if err != nil {
		return Answer{}, err
	}
	return answerOf(response)
}

// answerOf reads a response to its end.
func answerOf(response *http.Response) (Answer, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", response.Request.Method, response.Request.URL.Path, err)
	}
	return Answer{Status: response.StatusCode, Header: response.Header, Body: body}, nil
}

// SetJar replaces the cookies.
func (v *Visitor) SetJar(jar http.CookieJar) { v.http.Jar = jar }

// Problem is a failure that the site answered with.
type Problem struct {
	api.Failure
	Status     int
	RetryAfter time.Duration
}

// Error implements error.
func (p *Problem) Error() string {
	return fmt.Sprintf("%d %s: %s (request %s)", p.Status, p.Code, p.Message, p.RequestID)
}

// ID is the _id that a problem names, as of a thing that exists already.
func (p *Problem) ID() string {
	id, _ := p.Data["_id"].(string)
	return id
}

// Problem returns the failure that an answer is, as a *Problem, or nil for a success.
func (a Answer) Problem() error {
	if a.Status < http.StatusBadRequest {
		return nil
	}
	p := &Problem{Status: a.Status}
	if err := json.Unmarshal(a.Body, &p.Failure); err != nil {
		p.Message = fmt.Sprintf("the answer is no envelope: %.200s", a.Body)
	}
	if seconds, err := strconv.Atoi(a.Header.Get("Retry-After")); err == nil {
		p.RetryAfter = time.Duration(seconds) * time.Second
	}
	return p
}

// NewestEvent returns the number of the newest live event.
func (s *Site) NewestEvent(ctx context.Context) (uint64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+basePath+"/events", http.NoBody)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			return strconv.ParseUint(id, 10, 64)
		}
	}
	return 0, fmt.Errorf("no live events: %s", response.Status)
}
