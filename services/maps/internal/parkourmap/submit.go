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
	read, err := s.read(ctx, in.By, in.Replay)
	if err != nil {
		return Entry{}, err
	}
	if err := s.checkImage(in); err != nil {
		return Entry{}, err
	}
	byAuthor := playername.OneOf(read.replay.Map.Author, read.names...)
	if !byAuthor && !in.By.mayValidate() {
		return Entry{}, ErrNotAuthorValidator
	}
	m := mapOf(read.replay.Map)
	if err := s.Maps.CheckNew(ctx, m.GameMapID); err != nil {
		return Entry{}, err
	}
	if err := in.Metadata.apply(&m, byAuthor, read.replay.FinishTime); err != nil {
		return Entry{}, err
	}
	pictures, err := s.makePictures(ctx, read, in.Image)
	if err != nil {
		return Entry{}, err
	}
	author := read.submitter
	if !byAuthor {
		if author, err = s.Players.ByName(ctx, read.replay.Map.Author); err != nil {
			return Entry{}, err
		}
	}
	m.ID, m.Version, m.MapVersion = s.NewID(), 1, 1
	m.AuthorID, m.SubmittedByID = author.ID, read.submitter.ID
	m.CreatedAt, m.UpdatedAt = read.at, read.at
	creation, err := s.storeFiles(ctx, m, in.Replay, read.replay, pictures)
	if err != nil {
		return Entry{}, err
	}
	return s.create(ctx, creation)
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

// checkImage returns what is wrong with the image of a submission, as far as that is cheap to find.
func (s *Submitter) checkImage(in Submission) error {
	switch {
	case len(in.Image) > 0:
		return s.Images.Check(in.Image)
	case !in.UseDrawing:
		return ErrImageMissing
	}
	return nil
}

// pictures are the drawing of a map and, unless they are empty, both sizes of the uploaded image.
type pictures struct {
	drawing         Drawing
	full, thumbnail []byte
}

func (s *Submitter) makePictures(ctx context.Context, read reading, image []byte) (pictures, error) {
	drawing, err := draw(ctx, s.Images, read.submitter.ID, read.replay.Map)
	if err != nil || len(image) == 0 {
		return pictures{drawing: drawing}, err
	}
	full, thumbnail, err := s.Images.Render(ctx, read.submitter.ID, image)
	return pictures{drawing, full, thumbnail}, err
}

// storeFiles stores the files of a new map and returns its creation.
func (s *Submitter) storeFiles(
	ctx context.Context, m Map, file []byte, replay *lbreplay.Replay, p pictures,
) (Creation, error) {
	keys, uploads, err := s.storePictures(ctx, p)
	if err != nil {
		return Creation{}, err
	}
	replayFile, err := s.Files.PutReplay(ctx, file)
	if err != nil {
		return Creation{}, err
	}
	keys.Replay = replayFile.Key()
	m.Files = keys
	hash := sha256.Sum256(file)
	return Creation{
		Map:        m,
		Uploads:    append(uploads, replayFile),
		EncodedMap: replay.MapData,
		Record: event.MapCreated{
			MapID:           m.ID,
			SubmittedByID:   m.SubmittedByID,
			ReplayBucket:    s.Files.Bucket(),
			ReplayKey:       keys.Replay,
			ReplayHash:      hex.EncodeToString(hash[:]),
			FinishTime:      int64(replay.FinishTime),
			FinishTimeStamp: replay.Timestamp,
		},
	}, nil
}

// storePictures stores pictures and returns their keys.
func (s *Submitter) storePictures(ctx context.Context, p pictures) (FileKeys, []objectstore.Upload, error) {
	keys, uploads, err := storeDrawing(ctx, s.Files, p.drawing)
	if err != nil || len(p.full) == 0 {
		return keys, uploads, err
	}
	full, thumbnail, err := s.Files.PutImages(ctx, p.full, p.thumbnail)
	if err != nil {
		return FileKeys{}, nil, err
	}
	keys.Image, keys.Thumbnail = full.Key(), thumbnail.Key()
	return keys, append(uploads, full, thumbnail), nil
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
