package notification

import (
	"context"
	"slices"
	"strconv"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

const (
	// MaxInbox is how many notifications an inbox holds. Older ones are deleted.
	MaxInbox = 1000
	// KeptFor is how long a notification is kept.
	KeptFor = 90 * 24 * time.Hour
	// RemovalKeptFor is how long a removal and lost points are kept. A notification that they concern can be added as long
	// as the stream of facts keeps its fact, which is for less than 31 days.
	RemovalKeptFor = KeptFor + 31*24*time.Hour
	// MaxActors is how many players a group names.
	MaxActors = 3
)

// Group is the notifications of an inbox that are of one kind and about one thing, and are unread or were read at
// the same time.
type Group struct {
	// Newest is the number of the newest notification in the inbox. Later notifications have higher numbers.
	Newest int64
	Kind   Kind
	// Map is nil where no map is concerned. Its name is empty where nothing is known of it.
	Map *Map
	// Player is whom the newest decision about a report concerns, and nil for other kinds and where that is not known.
	Player *Player
	// RecordID and FinishTime, in milliseconds, are of the newest notification, or zero values.
	RecordID   string
	FinishTime int64
	// OwnFinishTime is the receiver's time that the newest one's record has passed, in milliseconds, or 0. It may be equal
	// to FinishTime: of equal times, the one that was set earlier is ahead.
	OwnFinishTime int64
	// RecordGone is true where the record of the newest notification is not public any more.
	RecordGone bool
	// DecisionID and Outcome are those of the newest notification, or empty.
	DecisionID string
	Outcome
	// From is the receiver's place before the oldest notification, and To that after the newest. Both may be 0.
	From, To int
	// PointsLost is what the receiver's records on the map are worth less since, in tenths, by the records that broke the
	// world record or passed the receiver. It is 0 until the points are computed.
	PointsLost int64
	Count      int
	// Actors are at most MaxActors of the ActorCount players whose records they are, the latest first.
	Actors     []Player
	ActorCount int
	At         time.Time
	Read       bool
	// RemovedSince is true when all that caused them was removed, or for RecordRegained was restored.
	RemovedSince bool
}

// LinkKind says what shows a group, as the API names it.
type LinkKind string

// The kinds of links.
const (
	ToRecord      LinkKind = "record"
	ToLeaderboard LinkKind = "leaderboard"
	ToPlayer      LinkKind = "player"
	ToDecision    LinkKind = "decision"
	ToWebhooks    LinkKind = "webhooks"
)

// Link is what shows a group. ID is empty for ToWebhooks.
type Link struct {
	Kind LinkKind
	ID   string
}

// Link returns what shows the group now, or a zero value where nothing does any more. A decision about the receiver is
// shown whatever has become of its subject.
func (g Group) Link() Link {
	switch {
	case g.Kind == WebhookOff:
		return Link{Kind: ToWebhooks}
	case g.DecisionID != "":
		return Link{ToDecision, g.DecisionID}
	case g.Kind != Passed && g.RecordID != "" && !g.RecordGone:
		return Link{ToRecord, g.RecordID}
	case g.Map != nil && !g.Map.Removed:
		return Link{ToLeaderboard, g.Map.ID}
	case g.Player != nil && !g.Player.Deleted:
		return Link{ToPlayer, g.Player.ID}
	}
	return Link{}
}

// Page selects groups of an inbox.
type Page struct {
	// Unread selects unread notifications alone, and Kind those of one kind unless it is empty.
	Unread bool
	Kind   Kind
	// Before is Newest of the last group of the page before, or 0.
	Before int64
	Limit  int
}

// ParseNumber returns the number of a notification in the inbox that is given as a text, or ErrUnknown.
func ParseNumber(text string) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 1 {
		return 0, ErrUnknown
	}
	return number, nil
}

// ParseRead returns what Inbox.Read is asked for: to read through a notification, or its group alone. It returns
// ErrReadAmbiguous where both are given or neither is, or ErrUnknown.
func ParseRead(through, group string) (number int64, groupOnly bool, err error) {
	if (through == "") == (group == "") {
		return 0, false, ErrReadAmbiguous
	}
	number, err = ParseNumber(through + group)
	return number, group != "", err
}

// Delivery is where a player gets notifications of a kind, as the API names it.
type Delivery string

// The deliveries.
const (
	Off     Delivery = "off"
	InInbox Delivery = "inbox"
	// InBrowser is the inbox and a notification of the browser.
	InBrowser Delivery = "browser"
)

// Setting is where a player gets notifications of a kind. Without a choice that is the inbox.
type Setting struct {
	Kind     Kind
	Delivery Delivery
}

func (s Setting) isValid() bool {
	return slices.Contains(Kinds, s.Kind) && slices.Contains([]Delivery{Off, InInbox, InBrowser}, s.Delivery)
}

// withDefaults returns a setting for each kind: the chosen one, or the default.
func withDefaults(chosen []Setting) []Setting {
	settings := make([]Setting, len(Kinds))
	for i, kind := range Kinds {
		settings[i] = Setting{kind, InInbox}
		for _, c := range chosen {
			if c.Kind == kind {
				settings[i] = c
			}
		}
	}
	return settings
}

// InboxStore reads and changes inboxes.
type InboxStore interface {
	// Groups returns one page of groups, the newest first. The actors and maps have what the copies know.
	Groups(ctx context.Context, playerID string, page Page) ([]Group, error)
	// CountUnread returns the number of unread groups.
	CountUnread(ctx context.Context, playerID string) (int, error)
	// Read marks the notifications up to a number as read at a time, or of these those alone that are of the same kind and
	// about the same thing as the one with the number. It returns ErrUnknown for a number that the inbox has not given
	// yet, and for a group also where there is no notification with the number any more.
	Read(ctx context.Context, by access.Attribution, number int64, groupOnly bool, at time.Time) error
	// Settings returns what a player has chosen.
	Settings(ctx context.Context, playerID string) ([]Setting, error)
	UpdateSettings(ctx context.Context, by access.Attribution, settings []Setting) error
}

// Inbox answers and changes the own inbox of an actor. Its methods return access.ErrForbidden for a banned player,
// access.ErrDeleted, or a problem of kind unavailable.
type Inbox struct {
	Store   InboxStore
	Players Players
	Now     func() time.Time
}

// Groups returns one page of groups, the newest first, and reports whether there may be another page.
func (i *Inbox) Groups(ctx context.Context, by access.Actor, page Page) (groups []Group, more bool, err error) {
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadInbox, i.Players.Get)
	if err != nil {
		return nil, false, err
	}
	limit := page.Limit
	page.Limit++
	groups, err = i.Store.Groups(ctx, reader.Actor.ID, page)
	if len(groups) > limit {
		return groups[:limit], true, err
	}
	return groups, false, err
}

// CountUnread returns the number of unread groups.
func (i *Inbox) CountUnread(ctx context.Context, by access.Actor) (int, error) {
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadInbox, i.Players.Get)
	if err != nil {
		return 0, err
	}
	return i.Store.CountUnread(ctx, reader.Actor.ID)
}

// Read marks everything that is not newer than a notification as read, or its group alone, and returns how many groups
// are unread. It returns ErrUnknown for a number above the newest one, and for a group that there is not, or an error
// of all methods.
func (i *Inbox) Read(ctx context.Context, by access.Attribution, number int64, groupOnly bool) (unread int, err error) {
	_, by, err = access.Authorize(ctx, by, access.ReadInbox, i.Players.Get)
	if err != nil {
		return 0, err
	}
	if err := i.Store.Read(ctx, by, number, groupOnly, event.InMillis(i.Now())); err != nil {
		return 0, err
	}
	return i.Store.CountUnread(ctx, by.Actor.ID)
}

// Settings returns a setting for each kind.
func (i *Inbox) Settings(ctx context.Context, by access.Actor) ([]Setting, error) {
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ChangeInboxSettings, i.Players.Get)
	if err != nil {
		return nil, err
	}
	chosen, err := i.Store.Settings(ctx, reader.Actor.ID)
	return withDefaults(chosen), err
}

// UpdateSettings stores settings, of which each kind is given once at most, and returns the setting of each kind. It
// returns ErrSettingsMalformed, or an error of all methods.
func (i *Inbox) UpdateSettings(ctx context.Context, by access.Attribution, settings []Setting) ([]Setting, error) {
	_, by, err := access.Authorize(ctx, by, access.ChangeInboxSettings, i.Players.Get)
	if err != nil {
		return nil, err
	}
	seen := map[Kind]bool{}
	for _, s := range settings {
		if !s.isValid() || seen[s.Kind] {
			return nil, ErrSettingsMalformed
		}
		seen[s.Kind] = true
	}
	if err := i.Store.UpdateSettings(ctx, by, settings); err != nil {
		return nil, err
	}
	chosen, err := i.Store.Settings(ctx, by.Actor.ID)
	return withDefaults(chosen), err
}
