package parkourmap

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/playername"
)

// MaxReplaySize is the size of the largest accepted replay, in bytes.
const MaxReplaySize = 5 << 20

// Caller is the submitter according to the access token.
type Caller struct {
	ID, Name string
	Roles    []string
}

// mayValidate reports whether the caller may submit maps of other authors.
func (c Caller) mayValidate() bool {
	return slices.ContainsFunc(c.Roles, func(role string) bool {
		return role == "validator" || role == "moderator" || role == "admin"
	})
}

// Submission is a submitted map. A file that was not sent is empty; a file that is too large
// may be cut off one byte beyond its limit.
type Submission struct {
	By     Caller
	Replay []byte
	Image  []byte
	// UseDrawing is true where the drawing is the map's picture unless there is an image.
	UseDrawing bool
	Metadata   Metadata
}

// Images renders a map's images.
type Images interface {
	// Check returns what the size, the type and the header of an uploaded image show to be
	// wrong with it. It is cheap.
	Check(image []byte) error
	// Render returns an uploaded image as WebP in full size and as a thumbnail. Images wait
	// for each other, fairly by player. Beyond a number of waiting images it returns a
	// problem of kind unavailable at once, and for a damaged image a refusal.
	Render(ctx context.Context, playerID string, image []byte) (full, thumbnail []byte, err error)
	Painter
}

// Files stores uploaded files under the hash of their content. A file that no transaction
// claims is deleted later. The methods return a problem of kind unavailable where the storage
// is unavailable.
type Files interface {
	PutReplay(ctx context.Context, replay []byte) (objectstore.Upload, error)
	PutImages(ctx context.Context, full, thumbnail []byte) (fullFile, thumbnailFile objectstore.Upload, err error)
	DrawingFiles
}

// Creation is a new version of a game map and what is stored in the same transaction.
type Creation struct {
	Map Map
	// Uploads are the files that the map names.
	Uploads []objectstore.Upload
	// EncodedMap is the map in the game's format.
	EncodedMap string
	// Record is the submitter's first record.
	Record event.MapCreated
	// Revision is the sum of Map.Version of the versions on which the change depends.
	Revision int64
}

// Update is a changed version and what is stored in the same transaction.
type Update struct {
	Map        Map
	Uploads    []objectstore.Upload
	EncodedMap string
	Revision   int64
}

// Creator creates and updates maps. Create and Update store a map, its events and the claims of
// its uploads in one transaction. They return ErrVersionsChanged where the game map has another
// revision than expected.
type Creator interface {
	// KnownVersions returns all versions of a game map, the oldest first. SameData compares with
	// the encoded map.
	KnownVersions(ctx context.Context, gameMapID int64, encoded string) ([]KnownVersion, error)
	// Create stores a new version, which supersedes the others. It returns event.ErrPlayerMerged
	// where the author or the submitter has just been merged into another player.
	Create(ctx context.Context, c Creation) (Entry, error)
	// Update stores a version again, except for its author and its submitter. Its former pictures
	// are deleted later.
	Update(ctx context.Context, u Update) (Entry, error)
}

// Submitter creates the maps that players submit.
type Submitter struct {
	Maps    Creator
	Players *Players
	Images  Images
	Files   Files
	Now     func() time.Time
	// NewID returns a new UUIDv7.
	NewID func() string
}

// Submitted is a map after its submission.
type Submitted struct {
	Entry
	// Created is true for a new version, false for an updated one.
	Created bool
	// Superseded is the id of the version that was the newest until now, empty where there is none.
	Superseded string
}

// Submit creates a map, or the next version of a map, with the submitter's first record; or it
// updates the newest version where that has the same physics. Map, author and finish time are read
// from the replay. It returns the first broken rule in the order of the API's document, in which
// cheap checks come first, or a problem of kind unavailable where the author or the submitter has
// no copy and the players service cannot be asked. A refused submission leaves nothing behind.
func (s *Submitter) Submit(ctx context.Context, in Submission) (Submitted, error) {
	read, err := s.read(ctx, in.By, in.Replay)
	if err != nil {
		return Submitted{}, err
	}
	if err := s.checkImage(in); err != nil {
		return Submitted{}, err
	}
	byAuthor := playername.OneOf(read.replay.Map.Author, read.names...)
	if !byAuthor && !in.By.mayValidate() {
		return Submitted{}, ErrNotAuthorValidator
	}
	m := mapOf(read.replay.Map)
	place, err := s.place(ctx, in.By, read, m)
	if err != nil {
		return Submitted{}, err
	}
	if err := in.Metadata.apply(&m, byAuthor, read.replay.FinishTime); err != nil {
		return Submitted{}, err
	}
	pictures, err := s.makePictures(ctx, read, in.Image)
	if err != nil {
		return Submitted{}, err
	}
	author := read.submitter
	if !byAuthor {
		if author, err = s.Players.ByName(ctx, read.replay.Map.Author); err != nil {
			return Submitted{}, err
		}
	}
	m.AuthorID, m.SubmittedByID = author.ID, read.submitter.ID
	m.CreatedAt, m.UpdatedAt = read.at, read.at
	var uploads []objectstore.Upload
	if m.Files, uploads, err = s.storePictures(ctx, pictures); err != nil {
		return Submitted{}, err
	}
	for {
		submitted, err := s.store(ctx, place, m, uploads, read, in.Replay)
		switch {
		case errors.Is(err, ErrVersionsChanged):
			if place, err = s.place(ctx, in.By, read, m); err != nil {
				return Submitted{}, err
			}
		case errors.Is(err, event.ErrPlayerMerged):
			// The map belongs to the player whom the author or the submitter was merged into.
			if err := s.followMerges(ctx, &m); err != nil {
				return Submitted{}, err
			}
		default:
			return submitted, err
		}
	}
}

// reading is a replay that its submitter may submit, with a map that is fit for the site.
type reading struct {
	replay    *lbreplay.Replay
	submitter Player
	// names are those that the submitter has or had.
	names []string
	at    time.Time
}

// read parses a replay and checks it, the map in it and its submitter.
func (s *Submitter) read(ctx context.Context, by Caller, file []byte) (reading, error) {
	submitter, err := s.Players.Get(ctx, by.ID)
	if err != nil {
		return reading{}, err
	}
	if submitter.Banned {
		return reading{}, event.ErrSubmitterBanned
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	// The name in a token may be that of a player who was merged since.
	names := append([]string{by.Name, submitter.Name}, submitter.FormerNames...)
	replay, err := parseReplay(ctx, file, names, now)
	if err != nil {
		return reading{}, err
	}
	if err := checkMap(replay.Map); err != nil {
		return reading{}, err
	}
	if err := checkTimes(replay); err != nil {
		return reading{}, err
	}
	return reading{replay: replay, submitter: submitter, names: names, at: now}, nil
}

// store creates or updates a version. It returns the errors of Creator.
func (s *Submitter) store(
	ctx context.Context, place placement, m Map, uploads []objectstore.Upload, read reading, file []byte,
) (Submitted, error) {
	if place.updates != nil {
		entry, err := s.Maps.Update(ctx, Update{
			Map: place.updates.update(m), Uploads: uploads, EncodedMap: read.replay.MapData, Revision: place.revision,
		})
		return Submitted{Entry: entry}, err
	}
	replayFile, err := s.Files.PutReplay(ctx, file)
	if err != nil {
		return Submitted{}, err
	}
	m.ID, m.Version, m.MapVersion = s.NewID(), 1, place.mapVersion
	m.Files.Replay = replayFile.Key()
	hash := sha256.Sum256(file)
	entry, err := s.Maps.Create(ctx, Creation{
		Map:        m,
		Uploads:    append(slices.Clone(uploads), replayFile),
		EncodedMap: read.replay.MapData,
		Record: event.MapCreated{
			MapID:           m.ID,
			SubmittedByID:   m.SubmittedByID,
			ReplayBucket:    s.Files.Bucket(),
			ReplayKey:       m.Files.Replay,
			ReplayHash:      hex.EncodeToString(hash[:]),
			FinishTime:      int64(read.replay.FinishTime),
			FinishTimeStamp: read.replay.Timestamp,
		},
		Revision: place.revision,
	})
	return Submitted{Entry: entry, Created: true, Superseded: place.supersedes}, err
}

// followMerges replaces the author and the submitter of a map by the players whom they were
// merged into.
func (s *Submitter) followMerges(ctx context.Context, m *Map) error {
	author, err := s.Players.Get(ctx, m.AuthorID)
	if err != nil {
		return err
	}
	submitter, err := s.Players.Get(ctx, m.SubmittedByID)
	if err != nil {
		return err
	}
	m.AuthorID, m.SubmittedByID = author.ID, submitter.ID
	return nil
}
