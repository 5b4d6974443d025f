package parkourmap

import (
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// RequestedMedals are the medal times that a submitter asks for, in milliseconds, or nil.
type RequestedMedals struct{ Author, Gold, Silver, Bronze *int64 }

// isEmpty reports whether no medal time is asked for.
func (r RequestedMedals) isEmpty() bool {
	return r.Author == nil && r.Gold == nil && r.Silver == nil && r.Bronze == nil
}

// maxMedalTime is the longest medal time, in milliseconds. It is that of a replay's finish time.
const maxMedalTime = 24 * 60 * 60 * 1000

// medalsByAuthor returns the medals of a map that its author submits, snapped to frames, and the invalid fields. The
// author time always is the replay's finish time, in milliseconds. A time that is not asked for has its default.
func medalsByAuthor(finish int, wanted RequestedMedals) (racetime.Medals, []problem.Field) {
	medals := racetime.DefaultMedals(finish)
	wanted.Author = nil
	return wantedMedals(medals, wanted)
}

// editedMedals returns the medals of a map with those that its author asks for, and the invalid fields. A map without
// medals gets the defaults for the author time.
func editedMedals(before *racetime.Medals, wanted RequestedMedals) (racetime.Medals, []problem.Field) {
	switch {
	case before != nil:
		return wantedMedals(*before, wanted)
	case wanted.Author == nil:
		return racetime.Medals{}, []problem.Field{{
			Field: "medalTimes.author", Code: "author_time_first",
			Message: "The map has no medal times yet. Give the author time first.",
		}}
	case *wanted.Author <= 0 || *wanted.Author > maxMedalTime: // wantedMedals says so
		return wantedMedals(racetime.Medals{}, wanted)
	}
	return wantedMedals(racetime.DefaultMedals(int(*wanted.Author)), wanted)
}

// wantedMedals returns medals with the times that are asked for, snapped to frames, and the invalid fields.
func wantedMedals(medals racetime.Medals, wanted RequestedMedals) (racetime.Medals, []problem.Field) {
	var invalid []problem.Field
	set := func(field string, asked *int64, medal *int) {
		switch {
		case asked == nil:
		case *asked <= 0 || *asked > maxMedalTime:
			invalid = append(invalid, problem.Field{
				Field: field, Code: "medal_time_range", Message: "A medal time is above 0 and at most 24 hours.",
			})
		default:
			*medal = int(*asked)
		}
	}
	set("medalTimes.author", wanted.Author, &medals.Author)
	set("medalTimes.gold", wanted.Gold, &medals.Gold)
	set("medalTimes.silver", wanted.Silver, &medals.Silver)
	set("medalTimes.bronze", wanted.Bronze, &medals.Bronze)
	if len(invalid) > 0 {
		return racetime.Medals{}, invalid
	}
	medals = medals.Snapped()
	return medals, outOfOrder(medals)
}

// outOfOrder returns the medals that are harder to earn than the next better one.
func outOfOrder(m racetime.Medals) []problem.Field {
	var invalid []problem.Field
	if m.Gold < m.Author {
		invalid = append(invalid, problem.Field{
			Field: "medalTimes.gold", Code: "gold_below_author", Message: "The gold time cannot be faster than the author time.",
		})
	}
	if m.Silver < m.Gold {
		invalid = append(invalid, problem.Field{
			Field: "medalTimes.silver", Code: "silver_below_gold",
			Message: "The silver time cannot be faster than the gold time.",
		})
	}
	if m.Bronze < m.Silver {
		invalid = append(invalid, problem.Field{
			Field: "medalTimes.bronze", Code: "bronze_below_silver",
			Message: "The bronze time cannot be faster than the silver time.",
		})
	}
	return invalid
}

// checkHeld returns ErrMedalsHeld with the medals whose times change and that others hold.
func checkHeld(before, after racetime.Medals, held event.MedalCounts) error {
	refused := ErrMedalsHeld
	for _, medal := range []struct {
		field         string
		before, after int
		held          int64
	}{
		{"author", before.Author, after.Author, held.Author}, {"gold", before.Gold, after.Gold, held.Gold},
		{"silver", before.Silver, after.Silver, held.Silver}, {"bronze", before.Bronze, after.Bronze, held.Bronze},
	} {
		if medal.before != medal.after && medal.held > 0 {
			refused = refused.WithField("medalTimes."+medal.field, "medal_held",
				"Another player holds this medal, so its time stays.")
		}
	}
	if len(refused.Fields) > 0 {
		return refused
	}
	return nil
}
