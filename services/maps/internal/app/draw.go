package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	// drawInterval is the time between two passes over the maps that have to be drawn.
	drawInterval = 10 * time.Second
	// drawnPerPass bounds the maps of one pass. A map takes about half a second.
	drawnPerPass = 20
)

// drawPass draws maps that are due, and returns how many. An error ends the pass.
func drawPass(ctx context.Context, drawer *parkourmap.Drawer, log *slog.Logger) (drawn int, err error) {
	for range drawnPerPass {
		found, err := drawer.DrawNext(ctx)
		switch {
		case errors.Is(err, parkourmap.ErrUndrawable):
			log.WarnContext(ctx, "a map cannot be drawn", "error", err)
		case err != nil || !found:
			return drawn, err
		default:
			drawn++
		}
	}
	return drawn, nil
}
