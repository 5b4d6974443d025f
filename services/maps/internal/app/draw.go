package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/maps/internal/parkourmap"
	maps "capzone.dev/services/maps/internal/postgres"
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

// draw has a map, or all maps, drawn again.
func draw(ctx context.Context, out io.Writer, args []string) error {
	if len(args) > 1 {
		return service.ErrUsage
	}
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		drawer := &parkourmap.Drawer{Maps: maps.NewStore(pool)}
		count, err := drawer.SetDue(ctx, service.Operator(), strings.Join(args, ""))
		if err == nil {
			fmt.Fprintf(out, "Maps that the running service draws again: %d.\n", count)
		}
		return err
	})
}
