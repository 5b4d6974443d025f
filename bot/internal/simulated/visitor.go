package simulated

import (
	"bytes"
	"encoding/json"
	"strings"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

const (
	wantedName  = "A name has 1 to 64 characters, all of which can be seen."
	wantedLevel = "A level is a number between 0 and 10000."
	wantedSkin  = "A skin is a JSON object of at most 16 KiB."
)

// arrival is a visitor who wants to join.
type arrival struct {
	Name  string          `json:"name"`
	Level int             `json:"level"`
	Guest bool            `json:"guest"`
	Skin  json.RawMessage `json:"skin"`
}

// visitor validates the arrival. Its error names every field that is wrong.
func (a arrival) visitor() (event.Visitor, error) {
	refused := errBadArrival
	if err := playername.Check(a.Name); err != nil {
		refused = refused.WithField("name", wantedName)
	}
	if a.Level < 0 || a.Level > verification.MaxLevel {
		refused = refused.WithField("level", wantedLevel)
	}
	skin := bytes.TrimSpace(a.Skin)
	switch {
	case len(skin) == 0 || bytes.Equal(skin, []byte("null")):
		skin = nil
	case len(skin) > verification.MaxSkin || skin[0] != '{':
		refused = refused.WithField("skin", wantedSkin)
	}
	if refused != errBadArrival {
		return event.Visitor{}, refused
	}
	return event.Visitor{Name: strings.TrimSpace(a.Name), Level: a.Level, Guest: a.Guest, Skin: skin}, nil
}
