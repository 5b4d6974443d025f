package parkourmap

import (
	"capzone.dev/game/racetime"
	"capzone.dev/platform/problem"
)

// RequestedMedals is what a submitter asks the medal times to be, in milliseconds; nil
// where nothing is asked.
type RequestedMedals struct{ Author, Gold, Silver, Bronze *int64 }

// none tells whether nothing is asked at all.
func (r RequestedMedals) none() bool {
	return r.Author == nil && r.Gold == nil && r.Silver == nil && r.Bronze == nil
}

const longestMedal = 24 * 60 * 60 * 1000 // milliseconds, as of a replay's finish time

// medalsByAuthor are the medals of a map that its author submits, snapped to
// frames. The author time is the replay's finish time, whatever is asked; what is
// not asked gets its default.
func medalsByAuthor(finish int, wanted RequestedMedals) (racetime.Medals, []problem.Field) {
	medals := racetime.DefaultMedals(finish)
	var faults []problem.Field
	take := func(field string, asked *int64, medal *int) {
		switch {
		case asked == nil:
		case *asked <= 0 || *asked > longestMedal:
			faults = append(faults, problem.Field{Field: field, Message: "A medal time is above 0 and at most 24 hours."})
		default:
			*medal = int(*asked)
		}
	}
	take("medalTimes.gold", wanted.Gold, &medals.Gold)
	take("medalTimes.silver", wanted.Silver, &medals.Silver)
	take("medalTimes.bronze", wanted.Bronze, &medals.Bronze)
	if len(faults) > 0 {
		return racetime.Medals{}, faults
	}
	medals = medals.Snapped()
	return medals, outOfOrder(medals)
}

// outOfOrder says which medal is harder to earn than the one above it.
func outOfOrder(m racetime.Medals) []problem.Field {
	var faults []problem.Field
	if m.Gold < m.Author {
		faults = append(faults, problem.Field{Field: "medalTimes.gold", Message: "The gold time cannot be faster than the author time."})
	}
	if m.Silver < m.Gold {
		faults = append(faults, problem.Field{Field: "medalTimes.silver", Message: "The silver time cannot be faster than the gold time."})
	}
	if m.Bronze < m.Silver {
		faults = append(faults, problem.Field{Field: "medalTimes.bronze", Message: "The bronze time cannot be faster than the silver time."})
	}
	return faults
}
