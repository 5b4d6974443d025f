package parkourmap

import (
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// MaxVersions is the largest number of versions of a game map, removed ones included.
const MaxVersions = 100

// Versions are all versions of a game map, the oldest first, removed ones included. The methods
// that change versions return changed copies of all of them; who stores these raises the Version
// of those that differ.
type Versions []Map

// find returns the index of the version with the id, or -1.
func (v Versions) find(id string) int {
	return slices.IndexFunc(v, func(m Map) bool { return m.ID == id })
}

// newest returns the newest version that is not removed, or nil.
func (v Versions) newest() *Map {
	for i := range slices.Backward(v) {
		if !v[i].IsRemoved() {
			return &v[i]
		}
	}
	return nil
}

// Owner returns the author of the oldest version that is not removed, to whom the game map belongs. It
// is empty where there is none.
func (v Versions) Owner() string {
	for _, m := range v {
		if !m.IsRemoved() {
			return m.AuthorID
		}
	}
	return ""
}

// supersede sets which versions are superseded by a newer one that is not removed.
func (v Versions) supersede() {
	newest := v.newest()
	for i := range v {
		v[i].Superseded = newest != nil && v[i].MapVersion < newest.MapVersion
	}
}

// Moderation is a change of one version by moderators.
type Moderation struct {
	// Action is access.RemoveMap, access.RestoreMap, access.UnrankMap or access.RankMap.
	Action access.Action
	MapID  string
	By     access.Attribution
	At     time.Time
}

// errUnchanged are the errors of changes that have been made already.
var errUnchanged = map[access.Action]error{
	access.RemoveMap: ErrAlreadyRemoved, access.RestoreMap: ErrNotRemoved,
	access.UnrankMap: ErrAlreadyUnranked, access.RankMap: ErrNotUnranked,
}

// Moderate returns the versions after a change of one, and its fact. A removed version can be ranked and
// unranked too. It returns ErrMapUnknown, ErrAlreadyRemoved, ErrNotRemoved, ErrAlreadyUnranked or ErrNotUnranked.
func (v Versions) Moderate(change Moderation) (after Versions, fact event.Fact, err error) {
	i := v.find(change.MapID)
	if i < 0 {
		return nil, nil, ErrMapUnknown
	}
	after = slices.Clone(v)
	m, by := &after[i], change.By
	done := event.MapRemoved{MapID: m.ID, Reason: string(by.Reason), DecisionID: by.DecisionID}
	switch {
	case change.Action == access.RemoveMap && !m.IsRemoved():
		m.RemovedAt, fact = change.At.UTC().Truncate(time.Millisecond), done
	case change.Action == access.RestoreMap && m.IsRemoved():
		m.RemovedAt, fact = time.Time{}, event.MapRestored(done)
	case change.Action == access.UnrankMap && !m.Unranked:
		m.Unranked, m.UnrankedReason, fact = true, by.PublicReason, event.MapUnranked(done)
	case change.Action == access.RankMap && m.Unranked:
		m.Unranked, m.UnrankedReason, fact = false, "", event.MapRanked(done)
	default:
		return nil, nil, errUnchanged[change.Action]
	}
	after.supersede()
	return after, fact, nil
}

// Reassign returns the versions after one and all others by the same author have got another author.
// It returns ErrMapUnknown, also for a removed version, or ErrAlreadyAuthor.
func (v Versions) Reassign(id, authorID string, at time.Time) (Versions, error) {
	i := v.find(id)
	switch {
	case i < 0 || v[i].IsRemoved():
		return nil, ErrMapUnknown
	case v[i].AuthorID == authorID:
		return nil, ErrAlreadyAuthor
	}
	after := slices.Clone(v)
	for j := range after {
		if v[j].AuthorID == v[i].AuthorID {
			after[j].AuthorID, after[j].UpdatedAt = authorID, later(at, v[j].UpdatedAt)
		}
	}
	return after, nil
}

// Merge returns the versions after a player was merged into another.
func (v Versions) Merge(playerID, intoID string) Versions {
	after := slices.Clone(v)
	for i := range after {
		if after[i].AuthorID == playerID {
			after[i].AuthorID = intoID
		}
		if after[i].SubmittedByID == playerID {
			after[i].SubmittedByID = intoID
		}
	}
	return after
}

// WithoutTextsOf returns the versions after the account of a player, who had the names, was deleted: those that the
// player made are without a description, and without the player among the contributors.
func (v Versions) WithoutTextsOf(playerID string, names []string, at time.Time) Versions {
	after := v.WithoutNamesOf(playerID, names, at)
	for i, m := range v {
		if m.AuthorID == playerID && m.Description != "" {
			after[i].Description, after[i].UpdatedAt = "", later(at, m.UpdatedAt)
		}
	}
	return after
}

// WithoutNamesOf returns the versions with those that a player made without the player's names among the contributors.
func (v Versions) WithoutNamesOf(playerID string, names []string, at time.Time) Versions {
	after := slices.Clone(v)
	for i, m := range v {
		contributors := slices.DeleteFunc(slices.Clone(m.Contributors),
			func(name string) bool { return playername.OneOf(name, names...) })
		if m.AuthorID == playerID && len(contributors) < len(m.Contributors) {
			after[i].Contributors, after[i].UpdatedAt = contributors, later(at, m.UpdatedAt)
		}
	}
	return after
}

// SetDrawing returns the versions after the one with the id was drawn.
func (v Versions) SetDrawing(id string, drawing FileKeys) Versions {
	after := slices.Clone(v)
	if i := after.find(id); i >= 0 {
		m := &after[i]
		m.Files.Drawing, m.Files.Picture = drawing.Drawing, drawing.Picture
		m.Files.PictureThumbnail, m.Files.PictureBucket = drawing.PictureThumbnail, drawing.PictureBucket
		m.DrawingDue = false
	}
	return after
}
