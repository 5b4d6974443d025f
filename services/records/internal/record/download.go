package record

import (
	"context"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"capzone.dev/game/racetime"
)

// Download is a replay file under the name that it is saved as.
type Download struct {
	// File is closed by whoever asked for it.
	File io.ReadSeekCloser
	Name string
	// Hash is the hexadecimal SHA-256 of the file.
	Hash       string
	ModifiedAt time.Time
}

// ReplayFiles are read for downloads.
type ReplayFiles interface {
	// Open opens the file with the hash. Returns ErrRecordUnknown where there is none.
	Open(ctx context.Context, hash string) (io.ReadSeekCloser, error)
}

// Downloader hands out replay files.
type Downloader struct {
	Reader *Reader
	Files  ReplayFiles
}

// Download opens the replay of a run that stands. Returns ErrRecordUnknown.
func (d *Downloader) Download(ctx context.Context, id string) (Download, error) {
	entry, err := d.Reader.Get(ctx, id)
	if err != nil {
		return Download{}, err
	}
	file, err := d.Files.Open(ctx, entry.ReplayHash)
	if err != nil {
		return Download{}, err
	}
	return Download{File: file, Name: FileName(entry), Hash: entry.ReplayHash, ModifiedAt: entry.CreatedAt}, nil
}

// maxNamePart bounds what a map's or a player's name gives to a file's name, in
// bytes: with both, a file system's 255 are never reached.
const maxNamePart = 80

// FileName is what a run's replay is saved as: map, player and time. It holds
// nothing that a file system minds.
func FileName(e Entry) string {
	time := strings.ReplaceAll(racetime.Format(e.FinishTime), ":", "-")
	return namePart(e.Map.Name) + " - " + namePart(e.Player.Name) + " - " + time + ".lbReplay"
}

func namePart(name string) string {
	part := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) || strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
	for len(part) > maxNamePart {
		_, size := utf8.DecodeLastRuneInString(part)
		part = part[:len(part)-size]
	}
	if part = strings.Trim(part, " ."); part == "" {
		return "_"
	}
	return part
}
