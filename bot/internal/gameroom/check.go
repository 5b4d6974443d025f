package gameroom

import (
	"context"
	"crypto/rand"
	"errors"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/verification"
)

// Check implements verification.Game: it opens a room, enters it over a second
// connection, reads a line there and is removed again.
func (r *Rooms) Check(ctx context.Context) error {
	created, err := r.create(ctx)
	if err != nil {
		return err
	}
	defer created.Close(ctx)
	err = VisitOwnRoom(ctx, created)
	var failed bonkio.VisitError
	if errors.As(err, &failed) {
		return verification.CheckError{Step: string(failed.Step), Cause: err}
	}
	return err
}

// VisitOwnRoom enters a room as a player's client does, reads a line of the host's,
// and is removed. Nothing else may watch the room. It returns bonkio.VisitError.
func VisitOwnRoom(ctx context.Context, created *bonkio.Room) error {
	host := checkedHost{joined: make(chan int, 1)}
	created.Watch(host)
	visit, err := created.Enter(ctx, "check"+rand.Text()[:6])
	if err != nil {
		return err
	}
	defer visit.Leave()
	var visitor int
	select {
	case visitor = <-host.joined: // about when the visitor got the first data
	case <-visit.Over():
		return bonkio.VisitError{Step: bonkio.VisitJoin, Cause: bonkio.ErrRoomOver}
	case <-ctx.Done():
		return bonkio.VisitError{Step: bonkio.VisitJoin, Cause: ctx.Err()}
	}
	line := "Check " + rand.Text()
	if err := created.Say(ctx, line); err != nil {
		return bonkio.VisitError{Step: bonkio.VisitChat, Cause: err}
	}
	if err := visit.AwaitLine(ctx, line); err != nil {
		return err
	}
	if err := created.Remove(ctx, visitor); err != nil {
		return bonkio.VisitError{Step: bonkio.VisitRemoval, Cause: err}
	}
	return visit.AwaitRemoval(ctx)
}

// checkedHost receives what happens in a room that the bot checks.
type checkedHost struct{ joined chan int }

// Joined implements bonkio.Events.
func (h checkedHost) Joined(p bonkio.Player) {
	select {
	case h.joined <- p.ID:
	default:
	}
}

// Left implements bonkio.Events.
func (checkedHost) Left(int) {}

// Renamed implements bonkio.Events.
func (checkedHost) Renamed(int, string) {}

// Ended implements bonkio.Events. The visit fails by itself.
func (checkedHost) Ended(error) {}
