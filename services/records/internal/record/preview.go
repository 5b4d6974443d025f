package record

import (
	"fmt"
	"strings"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/sharecard"
)

// Preview returns what the picture for a link to the record shows.
func (d Details) Preview() sharecard.Preview {
	p := sharecard.Preview{
		Kicker: "Record", Title: d.Player.Name, Feature: racetime.Format(d.FinishTime), Lines: []string{d.Map.Name},
		Picture: sharecard.StoredPicture(d.Map.Picture),
	}
	switch {
	case d.ID == d.WorldRecord.ID:
		p.Kicker = "World record"
	case d.PersonalBest:
		p.Kicker = "Personal best"
	}
	var earned []string
	if d.Rank > 0 {
		earned = append(earned, fmt.Sprintf("Rank %d", d.Rank))
	}
	if medal := d.Medal(); medal != racetime.NoMedal {
		earned = append(earned, medal.Title())
	}
	if len(earned) > 0 {
		p.Lines = append(p.Lines, strings.Join(earned, " · "))
	}
	return p
}
