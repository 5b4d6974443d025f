package record

// Sort is an order of runs.
type Sort struct {
	By         SortBy
	Descending bool
}

// SortBy is what runs are sorted by. Runs that are equal in it come in the order
// of their ids.
type SortBy string

// What runs can be sorted by. Nothing of a run changes after it was accepted, so
// that the two times of that are one.
const (
	ByUpdated SortBy = "updatedAt"
	ByTime    SortBy = "finishTime,finishTimeStamp"
)

// Newest is the order of all runs where nobody says otherwise.
var Newest = Sort{By: ByUpdated, Descending: true}

// ReadSort reads the order of all runs, as the API spells it: comma-joined where
// there are two things to sort by. Empty is the usual. Returns ErrSortUnknown.
func ReadSort(by, dir string) (Sort, error) {
	switch SortBy(by) {
	case "", ByUpdated:
		descending, err := readDirection(dir, "desc", "asc", "desc")
		return Sort{ByUpdated, descending}, err
	case ByTime:
		descending, err := readDirection(dir, "asc,asc", "asc,asc", "desc,desc")
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

func readDirection(dir, usual, ascending, descending string) (bool, error) {
	if dir == "" {
		dir = usual
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
