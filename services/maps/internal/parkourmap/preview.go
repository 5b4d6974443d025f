package parkourmap

import (
	"cmp"
	"fmt"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/sharecard"
)

// Preview returns what the picture for a link to the map shows.
func (e Entry) Preview() sharecard.Preview {
	p := sharecard.Preview{
		Kicker: e.Mode.String(), Title: e.Name, Lines: []string{"by " + e.Author.Name, "No records yet"},
		Picture: sharecard.StoredPicture{Key: cmp.Or(e.Files.Picture, e.Files.Image)},
	}
	if e.MapVersion > 1 || e.Superseded {
		p.Kicker += fmt.Sprintf(" · Version %d", e.MapVersion)
	}
	if w := e.WorldRecord; w != nil {
		p.Lines[1] = "World record by " + w.Player.Name
		p.Feature = racetime.Format(int(w.FinishTime))
	}
	return p
}
