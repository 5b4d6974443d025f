package record

import "context"

// Stats are the totals of the whole site.
type Stats struct {
	// Maps counts the maps that stand, Players those who have logged in,
	// Records the runs that stand.
	Maps, Players, Records int64
}

// Totals keeps the totals of the whole site.
type Totals interface {
	Stats(ctx context.Context) (Stats, error)
}
