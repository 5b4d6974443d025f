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
	By       Caller
	Replay   []byte
	Image    []byte
	Metadata Metadata
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
}

// Files stores uploaded files under the hash of their content. A file that no transaction
// claims is deleted later. The methods return a problem of kind unavailable where the storage
// is unavailable.
type Files interface {
	PutReplay(ctx context.Context, replay []byte) (objectstore.Upload, error)
	PutImages(ctx context.Context, full, thumbnail []byte) (fullFile, thumbnailFile objectstore.Upload, err error)
	// Bucket is where the records service reads the replay.
	Bucket() string
}

// Creation is a new map and what is stored in the same transaction.
type Creation struct {
	Map Map
	// Uploads are the files that the map names.
	Uploads []objectstore.Upload
	// EncodedMap is the map in the game's format.
	EncodedMap string
	// Record is the submitter's first record.
	Record event.MapCreated
}

// Creator creates maps.
type Creator interface {
	// CheckNew returns ErrMapExists or ErrMapRemoved, with the map's _id, where the game map
	// id is known.
	CheckNew(ctx context.Context, gameMapID int64) error
	// Create stores a map, its events and the claims of its uploads in one transaction. Of
	// several creations with one game map id one succeeds, the others get the errors of
	// CheckNew. It returns event.ErrPlayerMerged where the author or the submitter has just been
	// merged into another player.
	Create(ctx context.Context, c Creation) (Entry, error)
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

// Submit creates a map with the submitter's first record. Map, author and finish time are
// read from the replay. It returns the first broken rule in the order of the API's document,
// in which cheap checks come first, or a problem of kind unavailable where the author or the
// submitter has no copy and the players service cannot be asked. A refused submission leaves
// nothing behind.
func (s *Submitter) Submit(ctx context.Context, in Submission) (Entry, error) {
	submitter, err := s.Players.Get(ctx, in.By.ID)
	if err != nil {
		return Entry{}, err
	}
	if submitter.Banned {
		return Entry{}, event.ErrSubmitterBanned
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	// The name in a token may be that of a player who was merged since.
	names := append([]string{in.By.Name, submitter.Name}, submitter.FormerNames...)
	replay, err := parseReplay(ctx, in, names, now)
	if err != nil {
		return Entry{}, err
	}
	if err := checkMap(replay.Map); err != nil {
		return Entry{}, err
	}
	if err := checkTimes(replay); err != nil {
		return Entry{}, err
	}
	if len(in.Image) == 0 {
		return Entry{}, ErrImageMissing
	}
	if err := s.Images.Check(in.Image); err != nil {
		return Entry{}, err
	}
	byAuthor := playername.OneOf(replay.Map.Author, names...)
	if !byAuthor && !in.By.mayValidate() {
		return Entry{}, ErrNotAuthorValidator
	}
	m := mapOf(replay.Map)
	if err := s.Maps.CheckNew(ctx, m.GameMapID); err != nil {
		return Entry{}, err
	}
	if err := in.Metadata.apply(&m, byAuthor, replay.FinishTime); err != nil {
		return Entry{}, err
	}
	full, thumbnail, err := s.Images.Render(ctx, submitter.ID, in.Image)
	if err != nil {
		return Entry{}, err
	}
	author := submitter
	if !byAuthor {
		if author, err = s.Players.ByName(ctx, replay.Map.Author); err != nil {
			return Entry{}, err
		}
	}
	m.ID, m.Version = s.NewID(), 1
	m.AuthorID, m.SubmittedByID = author.ID, submitter.ID
	m.CreatedAt, m.UpdatedAt = now, now
	creation, err := s.storeFiles(ctx, m, in.Replay, replay, full, thumbnail)
	if err != nil {
		return Entry{}, err
	}
	return s.create(ctx, creation)
}

// storeFiles stores the files of a new map and returns its creation.
func (s *Submitter) storeFiles(
	ctx context.Context, m Map, file []byte, replay *lbreplay.Replay, full, thumbnail []byte,
) (Creation, error) {
	replayFile, err := s.Files.PutReplay(ctx, file)
	if err != nil {
		return Creation{}, err
	}
	fullFile, thumbnailFile, err := s.Files.PutImages(ctx, full, thumbnail)
	if err != nil {
		return Creation{}, err
	}
	m.Files = FileKeys{Image: fullFile.Key(), Thumbnail: thumbnailFile.Key(), Replay: replayFile.Key()}
	hash := sha256.Sum256(file)
	return Creation{
		Map:        m,
		Uploads:    []objectstore.Upload{replayFile, fullFile, thumbnailFile},
		EncodedMap: replay.MapData,
		Record: event.MapCreated{
			MapID:           m.ID,
			SubmittedByID:   m.SubmittedByID,
			ReplayBucket:    s.Files.Bucket(),
			ReplayKey:       m.Files.Replay,
			ReplayHash:      hex.EncodeToString(hash[:]),
			FinishTime:      int64(replay.FinishTime),
			FinishTimeStamp: replay.Timestamp,
		},
	}, nil
}

// create creates the map. Where the author or the submitter is merged at the same time, it
// belongs to the player they were merged into.
func (s *Submitter) create(ctx context.Context, c Creation) (Entry, error) {
	for {
		entry, err := s.Maps.Create(ctx, c)
		if !errors.Is(err, event.ErrPlayerMerged) {
			return entry, err
		}
		author, err := s.Players.Get(ctx, c.Map.AuthorID)
		if err != nil {
			return Entry{}, err
		}
		submitter, err := s.Players.Get(ctx, c.Map.SubmittedByID)
		if err != nil {
			return Entry{}, err
		}
		c.Map.AuthorID, c.Map.SubmittedByID, c.Record.SubmittedByID = author.ID, submitter.ID, submitter.ID
	}
}
