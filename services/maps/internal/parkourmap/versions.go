package parkourmap

import (
	"cmp"
	"context"
	"errors"
)

// MaxVersions is the largest number of versions of a game map, removed ones included.
const MaxVersions = 100

// ErrVersionsChanged is returned where another change of the game map came between the reading
// of its versions and the change that depends on them.
var ErrVersionsChanged = errors.New("the versions of the map have changed")

// KnownVersion is a version of a game map in the catalogue, removed or not.
type KnownVersion struct {
	Map
	// SameData is true where the version has exactly the submitted map data.
	SameData bool
}

// placement is what a submission does with a game map.
type placement struct {
	// updates is the version that is updated, nil where a version is created.
	updates *Map
	// mapVersion is the number of the version that is created.
	mapVersion int
	// supersedes is the id of the version that is the newest so far, empty where there is none.
	supersedes string
	// revision changes with every change of the game map's versions.
	revision int64
}

// place decides what the submission of a map does. A map with the physics of the newest version
// updates that version; a map with new physics becomes the next version. It returns ErrMapExists or
// ErrMapRemoved with the _id, ErrVersionsFull, or ErrNotAuthorValidator where the game map is not
// the submitter's. It belongs to the author of its oldest version that is not removed.
func (s *Submitter) place(ctx context.Context, by Caller, read reading, m Map) (placement, error) {
	known, err := s.Maps.KnownVersions(ctx, m.GameMapID, read.replay.MapData)
	if err != nil {
		return placement{}, err
	}
	if len(known) == 0 {
		return placement{mapVersion: 1}, nil
	}
	place := placement{mapVersion: known[len(known)-1].MapVersion + 1}
	var oldest, same *KnownVersion // the oldest one that is not removed, and the one with the same physics
	for i, v := range known {
		place.revision += v.Version
		if !v.Removed {
			place.supersedes = v.ID
			oldest = cmp.Or(oldest, &known[i])
		}
		if v.Fingerprint == m.Fingerprint {
			same = &known[i]
		}
	}
	switch {
	case same != nil && same.Removed:
		return placement{}, ErrMapRemoved.WithData("_id", same.ID)
	case oldest == nil:
		return placement{}, ErrMapRemoved.WithData("_id", known[len(known)-1].ID)
	case same != nil && (same.SameData || same.Superseded):
		return placement{}, ErrMapExists.WithData("_id", same.ID)
	case same == nil && len(known) >= MaxVersions:
		return placement{}, ErrVersionsFull
	}
	if !by.mayValidate() {
		owner, err := s.Players.Get(ctx, oldest.AuthorID)
		if err != nil {
			return placement{}, err
		}
		if owner.ID != read.submitter.ID {
			return placement{}, ErrNotAuthorValidator
		}
	}
	if same != nil {
		place.updates = &same.Map
	}
	return place, nil
}

// update returns a version with what is submitted of it again. Its author, whom an operator may
// have corrected, its submitter and its first replay stay, and so do the author's medal times where
// a validator submits it.
func (m Map) update(submitted Map) Map {
	submitted.ID, submitted.Version, submitted.MapVersion = m.ID, m.Version+1, m.MapVersion
	submitted.AuthorID, submitted.SubmittedByID, submitted.CreatedAt = m.AuthorID, m.SubmittedByID, m.CreatedAt
	submitted.Files.Replay = m.Files.Replay
	if submitted.Medals == nil {
		submitted.Medals = m.Medals
	}
	return submitted
}
