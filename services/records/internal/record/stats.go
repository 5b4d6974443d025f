package record

import "context"

// Stats are the totals of the whole site.
type Stats struct {
	// Maps counts the maps that are not removed, Players the registered ones, and
	// Records the active ones.
	Maps, Players, Records int64
}

// StatsQuery reads the totals of the whole site.
type StatsQuery interface {
	Stats(ctx context.Context) (Stats, error)
}
