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
	"capzone.dev/platform/problem"
)

// MaxReplaySize is how large a replay may be, in bytes.
const MaxReplaySize = 5 << 20

// Caller is who submits, as the access token says.
type Caller struct {
	ID, Name string
	Roles    []string
}

// mayValidate tells whether the caller may submit maps of others.
func (c Caller) mayValidate() bool {
	return slices.ContainsFunc(c.Roles, func(role string) bool {
		return role == "validator" || role == "moderator" || role == "admin"
	})
}

// Submission is what came in. A file that was not given is empty; of one that is
// too large it is enough to hold one byte more than the limit.
type Submission struct {
	By     Caller
	Replay []byte
	Image  []byte
	// Metadata is JSON text.
	Metadata []byte
}

// Pictures makes a map's pictures.
type Pictures interface {
	// Render returns the two sizes of an uploaded picture as WebP, or the problem of one that is not taken: too
	// large, too many pixels, no type that is taken, or broken. It waits for other pictures as long as ctx allows.
	Render(ctx context.Context, image []byte) (full, thumbnail []byte, err error)
}

// Files keeps what is uploaded, content-addressed.
type Files interface {
	// KeepReplay and KeepPictures store files that no map names yet. They return a problem of kind unavailable
	// where storage is away. What is never named is swept away.
	KeepReplay(ctx context.Context, replay []byte) (objectstore.Upload, error)
	KeepPictures(ctx context.Context, full, thumbnail []byte) (fullFile, thumbnailFile objectstore.Upload, err error)
	// Bucket is where records finds the replay.
	Bucket() string
}

// Creation is a new map with everything that commits with it.
type Creation struct {
	Map Map
	// Uploads are the files that the map names from now on.
	Uploads []objectstore.Upload
	// EncodedMap is the map as the game writes it.
	EncodedMap string
	// Run is the run in the replay.
	Run event.MapCreated
}

// Creations takes new maps in.
type Creations interface {
	// Existing returns ErrMapExists or ErrMapRemoved, with the map's _id, where the game's map is known.
	Existing(ctx context.Context, bonkDBID int64) error
	// Create stores the map, its state and the fact, and settles the uploads, in one transaction. Of several
	// at once one wins, the others get what Existing returns. Returns ErrPlayerMerged where the author or the
	// submitter has just been merged into another.
	Create(ctx context.Context, c Creation) (Entry, error)
}

// Submitter takes maps in.
type Submitter struct {
	Maps     Creations
	Players  *Players
	Pictures Pictures
	Files    Files
	Now      func() time.Time
	// NewID makes UUIDv7 strings.
	NewID func() string
}

// Submit checks a submission and makes the map, whose first run it also tells. It
// returns the first problem in the order of the API's document. The map, its
// author and the time come from the server's own reading of the replay. Where
// the author or the submitter is not known here and players cannot be asked, the
// problem is of kind unavailable. A refused submission leaves nothing behind.
func (s *Submitter) Submit(ctx context.Context, in Submission) (Entry, error) {
	submitter, err := s.Players.ByID(ctx, in.By.ID)
	if err != nil {
		return Entry{}, err
	}
	if submitter.Banned {
		return Entry{}, ErrPlayerBanned
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	// The name in a token may be that of a player who was merged since.
	names := append([]string{in.By.Name, submitter.Name}, submitter.FormerNames...)
	replay, err := readReplay(ctx, in, names, now)
	if err != nil {
		return Entry{}, err
	}
	if err := checkMap(replay.Map); err != nil {
		return Entry{}, err
	}
	if err := checkRun(replay); err != nil {
		return Entry{}, err
	}
	if len(in.Image) == 0 {
		return Entry{}, ErrImageMissing
	}
	// Whether it is a real picture shows only when it is decoded.
	full, thumbnail, err := s.Pictures.Render(ctx, in.Image)
	if err != nil {
		return Entry{}, err
	}
	byAuthor := playername.OneOf(replay.Map.Author, names...)
	if !byAuthor && !in.By.mayValidate() {
		return Entry{}, ErrNotAuthorValidator
	}
	if err := s.Maps.Existing(ctx, int64(replay.Map.ID)); err != nil {
		return Entry{}, err
	}
	draft, err := newMap(replay, in.Metadata, byAuthor)
	if err != nil {
		return Entry{}, err
	}
	author := submitter
	if !byAuthor {
		if author, err = s.Players.ByName(ctx, replay.Map.Author); err != nil {
			return Entry{}, err
		}
	}
	draft.ID, draft.Version = s.NewID(), 1
	draft.AuthorID, draft.SubmittedByID = author.ID, submitter.ID
	draft.CreatedAt, draft.UpdatedAt = now, now
	return s.store(ctx, draft, in, replay, full, thumbnail)
}

// store keeps the files and then the map that names them.
func (s *Submitter) store(ctx context.Context, m Map, in Submission, replay *lbreplay.Replay, full, thumbnail []byte) (Entry, error) {
	replayFile, err := s.Files.KeepReplay(ctx, in.Replay)
	if err != nil {
		return Entry{}, err
	}
	fullFile, thumbnailFile, err := s.Files.KeepPictures(ctx, full, thumbnail)
	if err != nil {
		return Entry{}, err
	}
	m.Files = FileKeys{Image: fullFile.Key(), Thumbnail: thumbnailFile.Key(), Replay: replayFile.Key()}
	hash := sha256.Sum256(in.Replay)
	creation := Creation{
		Map:        m,
		Uploads:    []objectstore.Upload{replayFile, fullFile, thumbnailFile},
		EncodedMap: replay.MapData,
		Run: event.MapCreated{
			MapID:           m.ID,
			SubmittedByID:   m.SubmittedByID,
			ReplayBucket:    s.Files.Bucket(),
			ReplayKey:       m.Files.Replay,
			ReplayHash:      hex.EncodeToString(hash[:]),
			FinishTime:      int64(replay.FinishTime),
			FinishTimeStamp: replay.Timestamp,
		},
	}
	for {
		entry, err := s.Maps.Create(ctx, creation)
		if !errors.Is(err, ErrPlayerMerged) {
			return entry, err
		}
		if err := s.follow(ctx, &creation); err != nil {
			return Entry{}, err
		}
	}
}

// follow makes a map theirs whom its author and submitter were merged into.
func (s *Submitter) follow(ctx context.Context, c *Creation) error {
	author, err := s.Players.ByID(ctx, c.Map.AuthorID)
	if err != nil {
		return err
	}
	submitter, err := s.Players.ByID(ctx, c.Map.SubmittedByID)
	if err != nil {
		return err
	}
	c.Map.AuthorID, c.Map.SubmittedByID, c.Run.SubmittedByID = author.ID, submitter.ID, submitter.ID
	return nil
}

// newMap drafts the map from what the game and what the submitter says of it.
func newMap(replay *lbreplay.Replay, metadataText []byte, byAuthor bool) (Map, error) {
	said, err := readMetadata(metadataText)
	if err != nil {
		return Map{}, err
	}
	if !byAuthor && !said.medals.none() {
		return Map{}, ErrMedalsNotAuthor
	}
	draft := mapOf(replay.Map)
	var faults, more []problem.Field
	draft.Description, faults = plainDescription(said.description)
	draft.Tags, more = normalTags(said.tags)
	faults = append(faults, more...)
	if byAuthor {
		medals, more := medalsByAuthor(replay.FinishTime, said.medals)
		faults = append(faults, more...)
		draft.Medals = &medals
	}
	if len(faults) > 0 {
		refused := *ErrMetadataRefused
		refused.Fields = faults
		return Map{}, &refused
	}
	return draft, nil
}
