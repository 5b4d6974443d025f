package gameroom

import (
	"context"
	"errors"

	"capzone.dev/bot/internal/bonkio"
)

// CheckSteps returns the steps at which Check can fail.
func CheckSteps() []string { return append([]string{string(StepRoom)}, bonkio.VisitSteps()...) }

// Check implements verification.Game: it opens a room, enters it over a second
// connection, reads a line there and is removed.
func (r *Rooms) Check(ctx context.Context) (failedStep string, err error) {
	created, err := r.create(ctx)
	if err != nil {
		return string(StepRoom), err
	}
	defer created.Close(ctx)
	err = created.Visit(ctx)
	var failed bonkio.VisitError
	_ = errors.As(err, &failed)
	return failed.Step, err
}
