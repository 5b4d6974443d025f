package player

import (
	"fmt"
	"strings"

	"capzone.dev/platform/sharecard"
)

// Preview returns what the picture for a link to the player shows: the avatar, or the colour of the skin.
func (p Profile) Preview() sharecard.Preview {
	kicker := []string{"Player"}
	if p.Registered {
		kicker = append(kicker, fmt.Sprintf("Level %d", p.Level))
	}
	return sharecard.Preview{
		Kicker: strings.Join(append(kicker, p.Roles...), " · "), Title: p.Name,
		Lines:   []string{count(p.Records, "record"), count(p.Maps, "map")},
		Picture: sharecard.StoredPicture{Key: p.Avatar}, Color: p.SkinColor,
	}
}

// count returns a number with its noun.
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
