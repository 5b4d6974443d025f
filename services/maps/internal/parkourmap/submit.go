package parkourmap

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/storedfile"
)

// MaxReplaySize is the size of the largest accepted replay, in bytes.
const MaxReplaySize = 5 << 20

// MaxImageSize is the size of the largest accepted image, in bytes.
const MaxImageSize = 1 << 20

// Submission is a submitted map. A file that was not sent is empty; a file that is too large
// may be cut off one byte beyond its limit.
type Submission struct {
	Replay []byte
	Image  []byte
	// UseDrawing is true where the drawing is the map's picture unless there is an image.
	UseDrawing bool
	Metadata   Metadata
}

// Images renders a map's images.
type Images interface {
	// Check returns what the size, the type and the header of an uploaded image show to be wrong with it. It is cheap.
	Check(image []byte) error
	// Render returns an uploaded image as WebP in full size and as a thumbnail. Images wait for each other. After too long
	// a wait it returns a problem of kind unavailable, and for a damaged image a refusal.
	Render(ctx context.Context, image []byte) (full, thumbnail []byte, err error)
	Painter
}

// Files stores uploaded files under the hash of their content. A file that no transaction attaches is deleted later.
// The methods return a problem of kind unavailable where the storage is unavailable.
type Files interface {
	PutReplay(ctx context.Context, replay []byte) (storedfile.Upload, error)
	PutImages(ctx context.Context, full, thumbnail []byte) (fullFile, thumbnailFile storedfile.Upload, err error)
	DrawingFiles
}

// SubmissionStore stores submitted maps.
type SubmissionStore interface {
	// KnownVersions returns the versions of the candidate's game map.
	KnownVersions(ctx context.Context, c Candidate) (KnownVersions, error)
	// Submit locks the game map, stores what KnownVersions.Submit returns for its versions, and attaches the uploads, in
	// one transaction. A player who was merged since is replaced by the player merged into.
	Submit(ctx context.Context, c Candidate) (SubmitResult, error)
	// Entry returns a map that is not removed, or ErrMapUnknown.
	Entry(ctx context.Context, id string) (Entry, error)
}

// Records finds records at the service that owns them.
type Records interface {
	// FindFinish returns the id of the record of a finish on any version of a game map, removed or not,
	// or an empty text. It returns a problem of kind unavailable where the owner cannot be asked.
	FindFinish(ctx context.Context, finish event.FindFinish) (recordID string, err error)
}

// Submitter creates the maps that players submit.
type Submitter struct {
	Maps    SubmissionStore
	Players *Players
	Records Records
	Parser  *Parser
	Images  Images
	Files   Files
	Now     func() time.Time
	NewID   func() string
}

// Submitted is a map after its submission.
type Submitted struct {
	Entry
	// Created is true for a new version, false for an updated one.
	Created bool
	// Superseded is the id of the version that was the newest until now, empty where there is none.
	Superseded string
}

// Submit creates a map, or the next version of a map, or updates the newest version where that has the same physics.
// The replay becomes the submitter's record in each case. Map, author and finish time are read from it. Submit returns
// the first broken rule in the order of the API's document, in which cheap checks come first, or a problem of kind
// unavailable where the author or the submitter has no copy and the players service cannot be asked, or where the
// records service cannot be asked about the finish of a new version. A refused submission leaves nothing behind.
func (s *Submitter) Submit(ctx context.Context, by access.Attribution, in Submission) (Submitted, error) {
	parsed, err := s.parse(ctx, by, access.SubmitOwnMap, in.Replay, in.Metadata.Mode)
	if err != nil {
		return Submitted{}, err
	}
	if err := s.checkImage(in); err != nil {
		return Submitted{}, err
	}
	byAuthor := playername.OneOf(parsed.replay.Map.Author, parsed.names...)
	if !byAuthor && !parsed.by.Actor.Can(access.SubmitMap) {
		return Submitted{}, ErrNotAuthorValidator
	}
	candidate := Candidate{
		Map: newMap(s.NewID(), parsed), EncodedMap: parsed.replay.MapData, By: parsed.by, Metadata: in.Metadata,
	}
	if reason := in.Metadata.WrongOwnerReason; reason != "" {
		replacer := access.Attribution{Actor: parsed.by.Actor, Reason: reason}
		if replacer, err = access.Permit(replacer, access.ReplaceOwner, parsed.submitter); err != nil {
			return Submitted{}, err
		}
		candidate.WrongOwnerReason = replacer.Reason
	}
	if err := s.checkVersion(ctx, candidate, parsed.replay); err != nil {
		return Submitted{}, err
	}
	setsMedals := byAuthor && parsed.by.Actor.Can(access.SetMedalTimes)
	if err := in.Metadata.apply(&candidate.Map, setsMedals, parsed.replay.FinishTime); err != nil {
		return Submitted{}, err
	}
	pictures, err := s.makePictures(ctx, parsed, in.Image)
	if err != nil {
		return Submitted{}, err
	}
	if !byAuthor {
		author, err := s.Players.ByName(ctx, parsed.replay.Map.Author)
		if err != nil {
			return Submitted{}, err
		}
		candidate.Map.AuthorID = author.ID
	}
	if err := s.storeFiles(ctx, &candidate, pictures, parsed.replay, in.Replay); err != nil {
		return Submitted{}, err
	}
	result, err := s.Maps.Submit(ctx, candidate)
	if err != nil {
		return Submitted{}, err
	}
	entry, err := s.Maps.Entry(ctx, result.MapID)
	return Submitted{Entry: entry, Created: result.Created, Superseded: result.Superseded}, err
}

// checkVersion returns the errors of KnownVersions.Submit, before pictures are made for nothing, and ErrFinishExists
// where the first record of a new version would be refused: its finish is a record on an older version.
func (s *Submitter) checkVersion(ctx context.Context, c Candidate, replay *lbreplay.Replay) error {
	known, err := s.Maps.KnownVersions(ctx, c)
	if err != nil {
		return err
	}
	result, err := known.Submit(c)
	if err != nil {
		return err
	}
	if !result.Created || len(known.Versions) == 0 || replay.TimestampMissing {
		return nil
	}
	recordID, err := s.Records.FindFinish(ctx, event.FindFinish{
		GameMapID: c.Map.GameMapID, FinishTime: int64(replay.FinishTime), FinishTimeStamp: replay.Timestamp,
	})
	if err != nil {
		return err
	}
	if recordID != "" {
		return ErrFinishExists.WithData("_id", recordID)
	}
	return nil
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

func (s *Submitter) makePictures(ctx context.Context, parsed parsedReplay, image []byte) (pictures, error) {
	drawing, err := s.Parser.draw(ctx, s.Images, parsed.drawn())
	if err != nil || len(image) == 0 {
		return pictures{drawing: drawing}, err
	}
	full, thumbnail, err := s.Images.Render(ctx, image)
	return pictures{drawing, full, thumbnail}, err
}

// storeFiles stores the pictures and the replay, and completes the candidate with them.
func (s *Submitter) storeFiles(
	ctx context.Context, c *Candidate, p pictures, replay *lbreplay.Replay, file []byte,
) (err error) {
	if c.Map.Files, c.Uploads, err = storeDrawing(ctx, s.Files, p.drawing); err != nil {
		return err
	}
	if len(p.full) > 0 {
		full, thumbnail, err := s.Files.PutImages(ctx, p.full, p.thumbnail)
		if err != nil {
			return err
		}
		c.Map.Files.Image, c.Map.Files.Thumbnail = full.Key, thumbnail.Key
		c.Uploads = append(c.Uploads, full, thumbnail)
	}
	upload, err := s.Files.PutReplay(ctx, file)
	if err != nil {
		return err
	}
	c.Map.Files.Replay = upload.Key
	c.Uploads = append(c.Uploads, upload)
	hash := sha256.Sum256(file)
	c.Replay = event.MapCreated{
		ReplayBucket: s.Files.Bucket(), ReplayKey: upload.Key, ReplayHash: hex.EncodeToString(hash[:]),
		FinishTime: int64(replay.FinishTime), FinishTimeStamp: replay.Timestamp,
	}
	return nil
}
