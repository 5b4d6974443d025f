package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/semaphore"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/replayproblem"
)

const (
	// MaxReplaySize is the largest replay that a player may submit, in bytes.
	MaxReplaySize = 1 << 20
	// maxMapReplaySize is the largest replay that a map may have been submitted with.
	maxMapReplaySize = 5 << 20
	// maxConcurrentParses bounds the memory of parsing: a map of a few kilobytes may decompress to tens of megabytes.
	maxConcurrentParses = 2
	// maxCachedMaps bounds the memory of a Parser.
	maxCachedMaps = 1000
	// maxCachedNames bounds the names of a cached map and its author together, in bytes.
	maxCachedNames = 500
)

// Parser parses replays. It remembers what was decoded of maps, because most replays are of maps that were decoded
// before, and decoding is most of the work of parsing. It may be used concurrently.
type Parser struct {
	maps  *expirable.LRU[[sha256.Size]byte, *replaycheck.Map]
	slots *semaphore.Weighted
}

// NewParser returns a parser that remembers no maps yet.
func NewParser() *Parser {
	return &Parser{
		maps:  expirable.NewLRU[[sha256.Size]byte, *replaycheck.Map](maxCachedMaps, nil, 0),
		slots: semaphore.NewWeighted(maxConcurrentParses),
	}
}

// parsedReplay is a replay whose map data was read.
type parsedReplay struct {
	*lbreplay.Replay
	inFile *replaycheck.Map
	// checks are those of the file alone.
	checks replaycheck.List
	// hash is the hexadecimal SHA-256 of the file.
	hash string
}

// parse parses a file of at most maxSize bytes. It returns the first problem that the file alone shows, as far as
// no map needs to be known. It waits until another replay is parsed or ctx ends.
func (p *Parser) parse(ctx context.Context, file []byte, maxSize int, now time.Time) (parsedReplay, error) {
	switch {
	case len(file) == 0:
		return parsedReplay{}, ErrReplayMissing
	case len(file) > maxSize:
		return parsedReplay{}, ErrReplayTooLarge
	}
	if err := p.slots.Acquire(ctx, 1); err != nil {
		return parsedReplay{}, err
	}
	defer p.slots.Release(1)
	header, err := lbreplay.ParseHeader(file)
	if err != nil {
		return parsedReplay{}, ErrReplayInvalid.Wrap(err)
	}
	m, err := p.decode(header.MapData())
	if err != nil {
		return parsedReplay{}, ErrReplayInvalid.Wrap(err)
	}
	var labels *lbreplay.MapLabels
	if m != nil {
		labels = &m.MapLabels
	}
	replay, err := header.Replay(labels, now)
	if err != nil {
		return parsedReplay{}, ErrReplayInvalid.Wrap(err)
	}
	checks := replaycheck.OfFile(replay, m)
	err = problemOf(checks, replaycheck.Validated, replaycheck.LabelsAgree, replaycheck.ReadByServer)
	switch {
	case errors.Is(err, ErrReplayDisagrees):
		return parsedReplay{}, disagreementProblem(replay.Disagreements)
	case err != nil:
		return parsedReplay{}, err
	}
	sum := sha256.Sum256(file)
	return parsedReplay{Replay: replay, inFile: m, checks: checks, hash: hex.EncodeToString(sum[:])}, nil
}

// FileFacts is what a replay says beside what its record is ranked by. Moderators compare it with other replays.
type FileFacts struct {
	// MapDataHash is the SHA-256 of the map data.
	MapDataHash [sha256.Size]byte
	// Versions are empty where the file has none that can be compared.
	Versions event.ReplayVersions
}

func (r parsedReplay) fileFacts() FileFacts {
	return FileFacts{
		MapDataHash: sha256.Sum256([]byte(r.MapData)),
		Versions:    event.ReplayVersions{Mod: comparableVersion(r.ReplayVersion), Game: comparableVersion(r.GameVersion)},
	}
}

// versionPattern is that of versions that can be compared: one to four numbers.
var versionPattern = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,9}){0,3}$`)

// comparableVersion returns a version of a file without the letter before it, or an empty text for anything else than
// numbers.
func comparableVersion(label string) string {
	version := strings.TrimPrefix(strings.ToLower(label), "v")
	if !versionPattern.MatchString(version) {
		return ""
	}
	return version
}

// decode returns what the checks need of a map, and nil for an empty map string.
func (p *Parser) decode(mapString string) (*replaycheck.Map, error) {
	if mapString == "" {
		return nil, nil
	}
	key := sha256.Sum256([]byte(mapString))
	if known, ok := p.maps.Get(key); ok {
		return known, nil
	}
	decoded, err := bonkmap.Decode(mapString)
	if err != nil {
		return nil, err
	}
	m := replaycheck.MapOf(decoded)
	if len(m.Name)+len(m.Author) <= maxCachedNames {
		p.maps.Add(key, m)
	}
	return m, nil
}

// failures are the problems of checks that are none of the file alone.
var failures = map[string]*problem.Problem{
	string(replaycheck.OtherPhysics):    ErrMapVersionDiffers,
	string(replaycheck.GameModeDiffers): ErrGameModeDiffers,
	string(replaycheck.FinishAmbiguous): ErrFinishAmbiguous,
}

// problemOf returns the problem of the first of the named checks that failed, or nil.
func problemOf(checks replaycheck.List, names ...replaycheck.Name) error {
	return replayproblem.Of(string(checks.Failure(names...)), failures)
}

// disagreementProblem names the labels that contradict the map data.
func disagreementProblem(all []lbreplay.Disagreement) error {
	err := ErrReplayDisagrees
	for _, d := range all {
		err = err.WithField("replayFile", "label_disagrees", "The "+string(d.Subject)+" is not that of the map data.")
	}
	return err
}

// replayFolder and replaySuffix are around the hash in the key of a replay.
const (
	replayFolder = "replays/"
	replaySuffix = ".lbReplay"
)

// ReplayKey returns the key under which the replay with a hash is stored.
func ReplayKey(hash string) string { return replayFolder + hash + replaySuffix }

// ReplayHash returns the hash in the key of a replay, and an empty text for any other key.
func ReplayHash(key string) string {
	hash, inFolder := strings.CutPrefix(key, replayFolder)
	hash, hasSuffix := strings.CutSuffix(hash, replaySuffix)
	if !inFolder || !hasSuffix {
		return ""
	}
	return hash
}
