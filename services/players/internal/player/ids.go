package player

import (
	"context"
	"time"
)

// IDsPerPage is the number of ids on a page of the list of all players.
const IDsPerPage = 10_000

// ListedID is a registered player in the list of all players.
type ListedID struct {
	ID        string
	UpdatedAt time.Time
}

// IDLister lists all registered players.
type IDLister interface {
	// ListIDs returns one page of the registered players in the order of their ids, and the number of all of them.
	ListIDs(ctx context.Context, limit, offset int) (page []ListedID, total int64, err error)
}
