package gameroom

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/readable"
)

// removeTimeout bounds the removal of a visitor.
const removeTimeout = 5 * time.Second

// room is one room on a game server. It is a verification.GameRoom, and the bonkio.Events of its game room.
type room struct {
	rooms   *Rooms
	created *bonkio.Room
	log     *slog.Logger
	watcher verification.Watcher // set by Watch, before any event

	mu     sync.Mutex
	inside map[int]*visitor // by the game's number of the player
	sentAt time.Time        // when the last text was sent
}

// visitor is a player in the room.
type visitor struct {
	visit int64
	// removal removes a guest when it fires; nil for a player with an account.
	removal *time.Timer
}

func (r *room) Link() string { return r.created.Link() }

func (r *room) Watch(watcher verification.Watcher) {
	r.watcher = watcher
	r.created.Watch(r)
}

func (r *room) Done() <-chan struct{} { return r.created.Done() }

// Say implements verification.GameRoom. Guests are removed GuestReads after a text was sent.
func (r *room) Say(ctx context.Context, text string) error {
	if err := r.created.Say(ctx, text); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sentAt = time.Now()
	for _, v := range r.inside {
		if v.removal != nil {
			v.removal.Reset(r.rooms.cfg.GuestReads)
		}
	}
	return nil
}

// Close implements verification.GameRoom. The room stays open for ClosingPause after the last text,
// so that visitors can read it; new visitors are not reported any more.
func (r *room) Close(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetAll()
	r.rooms.closeAfter(r.created, time.Until(r.sentAt.Add(r.rooms.cfg.ClosingPause)))
	return nil
}

func (r *room) Joined(p bonkio.Player) {
	r.Left(p.ID) // a player with the same number must have left
	seen := visitorOf(p)
	visit := r.watcher.Joined(seen)
	if visit == 0 {
		r.remove(p.ID)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v := &visitor{visit: visit}
	if seen.Guest {
		v.removal = time.AfterFunc(r.rooms.cfg.GuestStay, func() { r.remove(p.ID) })
	}
	r.inside[p.ID] = v
}

func (r *room) Left(id int) {
	if v := r.forget(id); v != nil {
		r.watcher.Left(v.visit)
	}
}

func (r *room) Renamed(id int, name string) {
	r.mu.Lock()
	v := r.inside[id]
	r.mu.Unlock()
	if v != nil {
		r.watcher.Renamed(v.visit, presentable(name))
	}
}

func (r *room) Ended(reason error) {
	r.mu.Lock()
	r.forgetAll()
	r.mu.Unlock()
	if errors.Is(reason, bonkio.ErrHostChanged) {
		r.watcher.HostChanged(reason.Error())
		return
	}
	r.watcher.Lost(reason.Error())
}

func (r *room) forget(id int) *visitor {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.inside[id]
	if v != nil && v.removal != nil {
		v.removal.Stop()
	}
	delete(r.inside, id)
	return v
}

func (r *room) forgetAll() {
	for _, v := range r.inside {
		if v.removal != nil {
			v.removal.Stop()
		}
	}
	clear(r.inside)
}

func (r *room) remove(id int) {
	ctx, cancel := context.WithTimeout(context.Background(), removeTimeout)
	defer cancel()
	if err := r.created.Remove(ctx, id); err != nil {
		r.log.Debug("a visitor was not removed", "error", err)
	}
}

// visitorOf returns a player as the contract shows visitors. A name that no account
// can have is a guest's, whatever the game says.
func visitorOf(p bonkio.Player) event.Visitor {
	v := event.Visitor{Name: p.Name, Level: min(p.Level, verification.MaxLevel), Guest: p.Guest, Skin: p.Avatar}
	if playername.Check(p.Name) != nil || strings.ContainsRune(p.Name, utf8.RuneError) {
		v.Name, v.Guest = presentable(p.Name), true
	}
	return v
}

// presentable returns a name that can be stored and shown.
func presentable(name string) string {
	shown := readable.Printable(name)
	if runes := []rune(shown); len(runes) > playername.MaxLength {
		shown = string(runes[:playername.MaxLength])
	}
	if strings.TrimSpace(shown) == "" {
		return "?"
	}
	return strings.TrimSpace(shown)
}
