package site

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"time"
)

// Account is a player's account in the game.
type Account struct {
	Name  string          `json:"name"`
	Level int             `json:"level"`
	Guest bool            `json:"guest"`
	Skin  json.RawMessage `json:"skin,omitempty"`
}

// Room is a simulated verification room, as docs/bot.md describes it.
type Room struct {
	link string
	http *http.Client
}

// Room returns the room behind a link.
func (s *Site) Room(link string) Room {
	return Room{link: link, http: &http.Client{Transport: s.transport, Timeout: 10 * time.Second}}
}

// Message is a line of a room's chat.
type Message struct {
	From string    `json:"from"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// Join enters the room and returns the number of the visit.
func (r Room) Join(ctx context.Context, account Account) (visit int64, err error) {
	var into struct {
		Visit int64 `json:"visit"`
	}
	err = r.call(ctx, http.MethodPost, "/join", account, &into)
	return into.Visit, err
}

// Leave ends a visit; 0 is the latest visit.
func (r Room) Leave(ctx context.Context, visit int64) error {
	return r.call(ctx, http.MethodPost, "/leave", map[string]int64{"visit": visit}, nil)
}

// Rename changes the name of a visit; 0 is the latest visit.
func (r Room) Rename(ctx context.Context, visit int64, name string) error {
	return r.call(ctx, http.MethodPost, "/rename", map[string]any{"visit": visit, "name": name}, nil)
}

// Messages returns the chat so far.
func (r Room) Messages(ctx context.Context) ([]Message, error) {
	var messages []Message
	err := r.call(ctx, http.MethodGet, "/messages", nil, &messages)
	return messages, err
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// AwaitCode waits until the bot sends a code.
func (r Room) AwaitCode(ctx context.Context) (string, error) {
	message, err := r.AwaitMessage(ctx, sixDigits)
	if err != nil {
		return "", err
	}
	return sixDigits.FindString(message.Text), nil
}

// AwaitMessage waits for a message that matches.
func (r Room) AwaitMessage(ctx context.Context, pattern *regexp.Regexp) (Message, error) {
	ctx, cancel := context.WithTimeout(ctx, awaitTimeout)
	defer cancel()
	for {
		messages, err := r.Messages(ctx)
		if err != nil {
			return Message{}, err
		}
		for _, m := range messages {
			if pattern.MatchString(m.Text) {
				return m, nil
			}
		}
		if err := pause(ctx, pollEvery); err != nil {
			return Message{}, fmt.Errorf("no message like %q in %d messages: %w", pattern, len(messages), err)
		}
	}
}

const awaitTimeout = 30 * time.Second

func (r Room) call(ctx context.Context, method, what string, body, into any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, r.link+what, sent)
	if err != nil {
		return err
	}
	resp, err := r.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if err := (Answer{Status: resp.StatusCode, Header: resp.Header, Body: text}).Problem(); err != nil || into == nil {
		return err
	}
	return json.Unmarshal(text, into)
}
