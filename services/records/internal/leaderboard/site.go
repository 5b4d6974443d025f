package leaderboard

import (
	"context"
)

// Stats are the totals of the whole site.
type Stats struct {
	// Maps counts the maps that are not removed, Players the registered ones, and
	// Records the active ones.
	Maps, Players, Records int64
}

// SiteQueries reads what is counted of the whole site.
type SiteQueries interface {
	// Stats returns the totals of the whole site.
	Stats(ctx context.Context) (Stats, error)
}

// Stats returns the totals of the whole site.
func (r *Reader) Stats(ctx context.Context) (Stats, error) { return r.Queries.Stats(ctx) }
