package simulated

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/problem"
)

// maxBody bounds what a request may say: a skin and a little more.
const maxBody = 20 << 10

type handler struct {
	rooms *Rooms
	log   *slog.Logger
}

// Handler serves the rooms: the page for people and the same for scripts. What
// a browser sends from another site's page is refused.
func (r *Rooms) Handler(log *slog.Logger) http.Handler {
	h := &handler{rooms: r, log: log}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rooms/{room}", h.page)
	mux.HandleFunc("GET /rooms/{room}/messages", h.messages)
	mux.HandleFunc("POST /rooms/{room}/join", answering(h.join))
	mux.HandleFunc("POST /rooms/{room}/leave", answering(h.leave))
	mux.HandleFunc("POST /rooms/{room}/rename", answering(h.rename))
	mux.Handle("GET /assets/{file}", assets())
	return secured(http.NewCrossOriginProtection().Handler(mux))
}

func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", pagePolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
}

// visitRequest names a visit. Number 0, and a request without a body, mean the newest visitor.
type visitRequest struct {
	Visit int64  `json:"visit"`
	Name  string `json:"name,omitempty"`
}

func (h *handler) join(w http.ResponseWriter, r *http.Request) (any, error) {
	room, err := h.rooms.find(r.PathValue("room"))
	if err != nil {
		return nil, err
	}
	var a arrival
	if err := read(w, r, &a); err != nil {
		return nil, err
	}
	v, err := a.visitor()
	if err != nil {
		return nil, err
	}
	visit, err := room.enter(v)
	if err != nil {
		return nil, err
	}
	return visitRequest{Visit: visit}, nil
}

func (h *handler) leave(w http.ResponseWriter, r *http.Request) (any, error) {
	room, err := h.rooms.find(r.PathValue("room"))
	if err != nil {
		return nil, err
	}
	var req visitRequest
	if err := read(w, r, &req); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return struct{}{}, room.leave(req.Visit)
}

func (h *handler) rename(w http.ResponseWriter, r *http.Request) (any, error) {
	room, err := h.rooms.find(r.PathValue("room"))
	if err != nil {
		return nil, err
	}
	var req visitRequest
	if err := read(w, r, &req); err != nil {
		return nil, err
	}
	if playername.Check(req.Name) != nil {
		return nil, errBadArrival.WithField("name", wantedName)
	}
	return struct{}{}, room.rename(req.Visit, strings.TrimSpace(req.Name))
}

// messages answers with the bare list; the header Room-State says whether the
// room is open.
func (h *handler) messages(w http.ResponseWriter, r *http.Request) {
	room, err := h.rooms.find(r.PathValue("room"))
	if err != nil {
		fail(w, err)
		return
	}
	chat, open := room.messages()
	state := "closed"
	if open {
		state = "open"
	}
	w.Header().Set("Room-State", state)
	send(w, http.StatusOK, chat)
}

// read decodes the body. It returns io.EOF within the error when there is none.
func read(w http.ResponseWriter, r *http.Request, into any) error {
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

func answering(handle func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := handle(w, r)
		if err != nil {
			fail(w, err)
			return
		}
		send(w, http.StatusOK, answer)
	}
}

// failure is the envelope of the site's API, without a request id.
type failure struct {
	Success bool            `json:"success"`
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Errors  []problem.Field `json:"errors,omitempty"`
}

func fail(w http.ResponseWriter, err error) {
	p := problem.From(err)
	send(w, p.Kind.Status(), failure{Code: p.Code, Message: p.Message, Errors: p.Fields})
}

func send(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only when the client is gone
}
