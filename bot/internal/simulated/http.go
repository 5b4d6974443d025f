package simulated

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/problem"
)

// The errors that the page and scripts get.
var (
	errRoomUnknown = problem.NotFound("room_unknown",
		"There is no such room, or it was closed more than a minute ago.")
	errRoomClosed     = problem.Conflict("room_closed", "The room is closed.")
	errRoomFull       = problem.Conflict("room_full", "The room is full.")
	errNotInside      = problem.Conflict("not_inside", "No visitor of that number is in the room.")
	errNoJSON         = problem.InvalidArgument("malformed_request", "The request is not the expected JSON.")
	errTooLarge       = problem.TooLarge("request_too_large", "The request is too large.")
	errInvalidVisitor = problem.Unprocessable("visitor_refused", "A visitor like that cannot join.")
)

// maxBody bounds a request in bytes: a skin and a little more.
const maxBody = 20 << 10

// pagePolicy allows the page its own script, style and calls, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

var (
	//go:embed page/room.html
	pageText     string
	pageTemplate = template.Must(template.New("room").Parse(pageText))

	//go:embed page/room.css page/room.js
	assets embed.FS
)

// Handler serves the rooms: the page for people and the calls for scripts. Requests that a browser
// sends from another site's page are refused.
func (r *Rooms) Handler(log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rooms/{room}", func(w http.ResponseWriter, req *http.Request) { r.page(w, req, log) })
	mux.HandleFunc("GET /rooms/{room}/messages", r.answer(messages))
	mux.HandleFunc("POST /rooms/{room}/join", r.answer(join))
	mux.HandleFunc("POST /rooms/{room}/leave", r.answer(leave))
	mux.HandleFunc("POST /rooms/{room}/rename", r.answer(rename))
	for _, file := range []string{"room.css", "room.js"} {
		mux.HandleFunc("GET /assets/"+file, func(w http.ResponseWriter, req *http.Request) {
			http.ServeFileFS(w, req, assets, "page/"+file)
		})
	}
	checked := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Security-Policy", pagePolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		checked.ServeHTTP(w, req)
	})
}

func (r *Rooms) page(w http.ResponseWriter, req *http.Request, log *slog.Logger) {
	view := struct {
		Title, Link string
		Known       bool
	}{Title: "No such room"}
	status := http.StatusNotFound
	if room, err := r.find(req.PathValue("room")); err == nil {
		view.Title, view.Link, view.Known, status = "Verification room", room.link, true, http.StatusOK
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := pageTemplate.Execute(w, view); err != nil {
		log.WarnContext(req.Context(), "page was not sent", "error", err)
	}
}

// answer serves a call to a room with the result of handle as JSON.
func (r *Rooms) answer(handle func(*room, http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		found, err := r.find(req.PathValue("room"))
		var result any
		if err == nil {
			result, err = handle(found, w, req)
		}
		if err != nil {
			httpserve.WriteProblem(w, "", problem.From(err))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(result) // fails only when the client is gone
	}
}

// messages answers with the list alone; the header Room-State is "open" or "closed".
func messages(r *room, w http.ResponseWriter, _ *http.Request) (any, error) {
	chat, open := r.messages()
	w.Header().Set("Room-State", map[bool]string{true: "open", false: "closed"}[open])
	return chat, nil
}

// visitRequest names a visit. Number 0, and a request without a body, mean the newest visitor.
type visitRequest struct {
	Visit int64  `json:"visit"`
	Name  string `json:"name,omitempty"`
}

func join(r *room, w http.ResponseWriter, req *http.Request) (any, error) {
	var a arrival
	if err := readJSON(w, req, &a); err != nil {
		return nil, err
	}
	v, err := a.visitor()
	if err != nil {
		return nil, err
	}
	visit, err := r.enter(v)
	return visitRequest{Visit: visit}, err
}

func leave(r *room, w http.ResponseWriter, req *http.Request) (any, error) {
	var v visitRequest
	if err := readJSON(w, req, &v); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return struct{}{}, r.leave(v.Visit)
}

func rename(r *room, w http.ResponseWriter, req *http.Request) (any, error) {
	var v visitRequest
	if err := readJSON(w, req, &v); err != nil {
		return nil, err
	}
	if playername.Check(v.Name) != nil {
		return nil, errInvalidVisitor.WithField("name", "name_invalid", playername.ErrInvalid.Message)
	}
	return struct{}{}, r.rename(v.Visit, strings.TrimSpace(v.Name))
}

// arrival is a visitor who wants to join.
type arrival struct {
	Name  string          `json:"name"`
	Level int             `json:"level"`
	Guest bool            `json:"guest"`
	Skin  json.RawMessage `json:"skin"`
}

// visitor validates the arrival. Its error names every field that is wrong.
func (a arrival) visitor() (event.Visitor, error) {
	refused := errInvalidVisitor
	if err := playername.Check(a.Name); err != nil {
		refused = refused.WithField("name", "name_invalid", playername.ErrInvalid.Message)
	}
	if a.Level < 0 || a.Level > verification.MaxLevel {
		refused = refused.WithField("level", "level_range", "A level is a number between 0 and 10000.")
	}
	skin := bytes.TrimSpace(a.Skin)
	switch {
	case len(skin) == 0 || bytes.Equal(skin, []byte("null")):
		skin = nil
	case len(skin) > verification.MaxSkin || skin[0] != '{':
		refused = refused.WithField("skin", "skin_size", "A skin is a JSON object of at most 16 KiB.")
	}
	if refused != errInvalidVisitor {
		return event.Visitor{}, refused
	}
	return event.Visitor{Name: strings.TrimSpace(a.Name), Level: a.Level, Guest: a.Guest, Skin: skin}, nil
}

// readJSON decodes the body. Its error wraps io.EOF when there is none.
func readJSON(w http.ResponseWriter, r *http.Request, into any) error {
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(into)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return errTooLarge
	case err != nil:
		return errNoJSON.Wrap(err)
	}
	return nil
}
