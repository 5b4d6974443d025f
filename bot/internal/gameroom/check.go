package gameroom

import (
	"context"
	"errors"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/verification"
)

// CheckSteps returns the steps at which Check can fail.
func CheckSteps() []string { return append([]string{string(StepRoom)}, bonkio.VisitSteps()...) }

// Check implements verification.Game: it opens a room, enters it over a second
// connection, reads a line there and is removed.
func (r *Rooms) Check(ctx context.Context) error {
	created, err := r.create(ctx)
	if err != nil {
		return verification.CheckError{Step: string(StepRoom), Cause: err}
	}
	defer created.Close(ctx)
	err = created.Visit(ctx)
	var failed bonkio.VisitError
	if errors.As(err, &failed) {
		return verification.CheckError{Step: failed.Step, Cause: err}
	}
	return err
}
