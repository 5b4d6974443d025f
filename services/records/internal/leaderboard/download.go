package leaderboard

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/readable"
	"capzone.dev/services/records/internal/record"
)

// Download is a replay file with the name that it is saved as.
type Download struct {
	// File is closed by the caller.
	File io.ReadSeekCloser
	Name string
	// Hash is the hexadecimal SHA-256 of the file.
	Hash       string
	ModifiedAt time.Time
}

// maxNamePart is the length of a map's or a player's name in a file name, in bytes. With
// both, a file name stays below the 255 bytes of file systems.
const maxNamePart = 80

// FileName returns the file name of a record's replay: map, player and time, without the
// characters that file systems refuse.
func FileName(r record.RankedRecord) string {
	finishTime := strings.ReplaceAll(racetime.Format(r.FinishTime), ":", "-")
	return namePart(r.Map.Name) + " - " + namePart(r.Player.Name) + " - " + finishTime + ".lbReplay"
}

// namePart removes what cannot be shown, replaces the characters that file systems refuse and cuts at maxNamePart.
func namePart(name string) string {
	part := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, readable.Printable(name))
	for len(part) > maxNamePart {
		_, size := utf8.DecodeLastRuneInString(part)
		part = part[:len(part)-size]
	}
	if part = strings.Trim(part, " ."); part == "" {
		return "_"
	}
	return part
}
