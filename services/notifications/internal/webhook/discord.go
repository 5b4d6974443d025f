package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/publicevent"
	"capzone.dev/platform/readable"
	"capzone.dev/services/notifications/internal/notification"
)

const (
	// MaxEmbeds is how many embeds a message of Discord has at most.
	MaxEmbeds = 10
	// maxName is how long a name is shown, so that a message stays below Discord's limit of 6,000 characters.
	maxName = 64
)

// Names knows what players and maps are called.
type Names interface {
	// Player and Map return copies, also of what was removed, or notification.ErrPlayerUnknown and ErrMapUnknown.
	Player(ctx context.Context, id string) (notification.Player, error)
	Map(ctx context.Context, id string) (notification.Map, error)
}

// Embeds makes messages for Discord.
type Embeds struct {
	Names Names
	// Site is the address of the site, without a slash at its end.
	Site string
}

// The parts of a message, as https://discord.com/developers/docs/resources/webhook#execute-webhook describes them.
type (
	discordMessage struct {
		Embeds          []embed         `json:"embeds"`
		AllowedMentions allowedMentions `json:"allowed_mentions"`
	}
	allowedMentions struct {
		Parse []string `json:"parse"`
	}
	embed struct {
		Title     string       `json:"title"`
		URL       string       `json:"url,omitempty"`
		Color     int          `json:"color,omitempty"`
		Timestamp string       `json:"timestamp"`
		Fields    []embedField `json:"fields,omitempty"`
		Image     *embedImage  `json:"image,omitempty"`
	}
	embedField struct {
		Name   string `json:"name"`
		Value  string `json:"value"`
		Inline bool   `json:"inline"`
	}
	embedImage struct {
		URL string `json:"url"`
	}
)

// message returns the message of deliveries. Nobody is mentioned by it.
func (e *Embeds) message(ctx context.Context, deliveries []Delivery) ([]byte, error) {
	m := discordMessage{AllowedMentions: allowedMentions{Parse: []string{}}}
	for _, d := range deliveries {
		embed, err := e.embed(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("delivery %s: %w", d.ID, err)
		}
		m.Embeds = append(m.Embeds, embed)
	}
	return json.Marshal(m)
}

func (e *Embeds) embed(ctx context.Context, d Delivery) (embed, error) {
	var raw struct {
		Timestamp string
		Data      json.RawMessage
	}
	if err := json.Unmarshal(d.Body, &raw); err != nil {
		return embed{}, err
	}
	made, err := e.describe(ctx, publicevent.Kind(d.Type), raw.Data)
	made.Timestamp = raw.Timestamp
	return made, err
}

// describe returns an embed of what an event says, but for its time.
func (e *Embeds) describe(ctx context.Context, kind publicevent.Kind, data json.RawMessage) (embed, error) {
	switch kind {
	case TestType:
		return embed{Title: "A test of this webhook", URL: e.Site}, nil
	case publicevent.KindRecord, publicevent.KindRecordRemoved, publicevent.KindRecordRestored:
		return e.describeRecord(ctx, kind, data)
	case publicevent.KindMap, publicevent.KindMapUpdated, publicevent.KindMapRemoved, publicevent.KindMapRestored:
		return e.describeMap(ctx, kind, data)
	default:
		return e.describePlayer(ctx, kind, data)
	}
}

// titles are what an embed begins with, before a name.
var titles = map[publicevent.Kind]string{
	publicevent.KindRecordRemoved: "Record removed on ", publicevent.KindRecordRestored: "Record restored on ",
	publicevent.KindMap: "New map: ", publicevent.KindMapUpdated: "Map changed: ",
	publicevent.KindMapRemoved: "Map removed: ", publicevent.KindMapRestored: "Map restored: ",
	publicevent.KindPlayerRegistered: "New player: ", publicevent.KindPlayerMerged: "Player merged: ",
	publicevent.KindPlayerDeleted: "Account deleted: ",
	publicevent.KindRecordsHidden: "Records hidden of ", publicevent.KindRecordsShown: "Records shown again of ",
}

// medalColors are the colours of medals by night (web/src/ui/theme/theme.ts).
var medalColors = map[racetime.Medal]int{
	racetime.Author: 0x86efac, racetime.Gold: 0xffd24a, racetime.Silver: 0xc3ced5, racetime.Bronze: 0xf0954f,
}

// describeRecord describes a record, or what became of one. A removed one has no page and no picture.
func (e *Embeds) describeRecord(ctx context.Context, kind publicevent.Kind, data json.RawMessage) (embed, error) {
	var r publicevent.RecordEvent
	if err := json.Unmarshal(data, &r); err != nil {
		return embed{}, err
	}
	mapName, err := e.mapName(ctx, r.MapID)
	if err != nil {
		return embed{}, err
	}
	player, err := e.playerName(ctx, r.PlayerID)
	if err != nil {
		return embed{}, err
	}
	made := embed{URL: e.Site + "/leaderboard/" + r.MapID, Fields: []embedField{
		{Name: "Player", Value: player, Inline: true},
		{Name: "Time", Value: racetime.Format(int(r.FinishTime)), Inline: true},
	}}
	switch {
	case kind != publicevent.KindRecord:
		made.Title = titles[kind] + mapName
	case r.WorldRecord:
		made.Title = "World record on " + mapName
	case r.PersonalBest:
		made.Title = "Personal best on " + mapName
	default:
		made.Title = "Record on " + mapName
	}
	if r.Medal != nil {
		made.Color = medalColors[racetime.Medal(*r.Medal)]
	}
	if r.Rank != nil {
		made.Fields = append(made.Fields, embedField{Name: "Rank", Value: strconv.FormatInt(*r.Rank, 10), Inline: true})
	}
	if kind != publicevent.KindRecordRemoved {
		made.URL = e.Site + "/record/" + r.RecordID
		made.Image = &embedImage{e.Site + "/api/v1/records/" + r.RecordID + "/preview.png"}
	}
	return made, nil
}

func (e *Embeds) describeMap(ctx context.Context, kind publicevent.Kind, data json.RawMessage) (embed, error) {
	var m publicevent.MapEvent
	if err := json.Unmarshal(data, &m); err != nil {
		return embed{}, err
	}
	name, err := e.mapName(ctx, m.MapID)
	made := embed{Title: titles[kind] + name, URL: e.Site + "/leaderboard/" + m.MapID}
	if kind != publicevent.KindMapRemoved {
		made.Image = &embedImage{e.Site + "/api/v1/maps/" + m.MapID + "/preview.png"}
	}
	return made, err
}

func (e *Embeds) describePlayer(ctx context.Context, kind publicevent.Kind, data json.RawMessage) (embed, error) {
	var p struct {
		publicevent.PlayerMergedEvent

		// Name is that of a player whose account was deleted. The copy may have the old one still.
		Name string
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return embed{}, err
	}
	name := readable.Isolate(escapeMarkdown(p.Name))
	if kind != publicevent.KindPlayerDeleted {
		var err error
		if name, err = e.playerName(ctx, p.PlayerID); err != nil {
			return embed{}, err
		}
	}
	made := embed{Title: titles[kind] + name, URL: e.Site + "/player/" + p.PlayerID}
	if p.IntoID != "" {
		into, err := e.playerName(ctx, p.IntoID)
		made.Fields = []embedField{{Name: "Into", Value: into, Inline: true}}
		return made, err
	}
	return made, nil
}

// playerName and mapName return a name as text of an embed, or what stands for a name that is not known.
func (e *Embeds) playerName(ctx context.Context, id string) (string, error) {
	p, err := e.Names.Player(ctx, id)
	if err != nil && !errors.Is(err, notification.ErrPlayerUnknown) {
		return "", err
	}
	return cmp.Or(readable.Isolate(escapeMarkdown(p.Name)), "a player"), nil
}

func (e *Embeds) mapName(ctx context.Context, id string) (string, error) {
	m, err := e.Names.Map(ctx, id)
	if err != nil && !errors.Is(err, notification.ErrMapUnknown) {
		return "", err
	}
	return cmp.Or(readable.Isolate(escapeMarkdown(m.Name)), "a map"), nil
}

// escapeMarkdown returns a name of which Discord shows every character as it is. Discord takes a backslash before any
// punctuation as an escape. That also keeps addresses from becoming links.
func escapeMarkdown(name string) string {
	var escaped strings.Builder
	for i, r := range []rune(name) {
		if i == maxName {
			escaped.WriteRune('…')
			break
		}
		switch {
		case unicode.IsControl(r):
			escaped.WriteRune(' ')
			continue
		case r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
			escaped.WriteRune('\\')
		}
		escaped.WriteRune(r)
	}
	return escaped.String()
}
