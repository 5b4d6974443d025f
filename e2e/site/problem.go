package site

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"capzone.dev/e2e/api"
)

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
