package record

// Sort is an order of records.
type Sort struct {
	By         SortBy
	Descending bool
}

// SortBy is what records are sorted by. Records that are equal in it are ordered by id.
type SortBy string

// What records can be sorted by. The time of the last update is that of the creation,
// because an accepted record never changes.
const (
	ByUpdated SortBy = "updatedAt"
	ByTime    SortBy = "finishTime,finishTimeStamp"
)

// Newest is the default order.
var Newest = Sort{By: ByUpdated, Descending: true}

// ParseSort parses the order of all records as the API writes it, comma-joined for two
// fields. Empty is the default. It returns ErrSortUnknown.
func ParseSort(by, dir string) (Sort, error) {
	switch SortBy(by) {
	case "", ByUpdated:
		descending, err := parseDirection(dir, "desc", "asc", "desc")
		return Sort{ByUpdated, descending}, err
	case ByTime:
		descending, err := parseDirection(dir, "asc,asc", "asc,asc", "desc,desc")
		return Sort{ByTime, descending}, err
	default:
		return Sort{}, ErrSortUnknown.WithField("sortBy", "must be updatedAt or finishTime,finishTimeStamp")
	}
}

// CheckLeaderboardSort returns ErrSortUnknown for anything but the one order of
// leaderboards.
func CheckLeaderboardSort(by, dir string) error {
	if by != "" && SortBy(by) != ByTime {
		return ErrSortUnknown.WithField("sortBy", "must be finishTime,finishTimeStamp for a map")
	}
	if dir != "" && dir != "asc,asc" {
		return ErrSortUnknown.WithField("sortDir", "must be asc,asc for a map")
	}
	return nil
}

func parseDirection(dir, byDefault, ascending, descending string) (isDescending bool, err error) {
	if dir == "" {
		dir = byDefault
	}
	switch dir {
	case ascending:
		return false, nil
	case descending:
		return true, nil
	default:
		return false, ErrSortUnknown.WithField("sortDir", "must be "+ascending+" or "+descending)
	}
}
