package parkourmap

import (
	"slices"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/storedfile"
)

// Candidate is a submitted map of which everything is checked but what depends on the other
// versions of its game map, with all that is stored with it.
type Candidate struct {
	// Map is the map as the first version of its game map.
	Map Map
	// EncodedMap is the map in the game's format.
	EncodedMap string
	// Metadata are those that Map is made with. An update keeps what they leave out.
	Metadata Metadata
	// By is the submitter.
	By access.Attribution
	// WrongOwnerReason is why the versions by other players than the map's author are wrong, or empty.
	WrongOwnerReason access.Reason
	// Replay is the submitter's, without the ids that the rule sets.
	Replay event.MapCreated
	// Uploads are the files that the map and the replay name.
	Uploads []storedfile.Upload
}

// KnownVersions are the versions of a candidate's game map.
type KnownVersions struct {
	Versions
	// SameData is the id of the version that has exactly the candidate's map data, or empty.
	SameData string
	// OwnerID is the owner, or whom the owner was merged into, or empty.
	OwnerID string
}

// SubmitResult is what a submission does with a game map.
type SubmitResult struct {
	Change
	// MapID is the version that is created or updated.
	MapID string
	// Created is true for a new version, false for an updated one.
	Created bool
	// Superseded is the id of the version that was the newest until now, empty where there is none.
	Superseded string
}

// Submit returns what a submission does. A map with the physics of the newest version updates that
// version; a map with new physics becomes the next version. It returns ErrMapExists or ErrMapRemoved
// with the _id, ErrVersionsFull, ErrNotAuthorValidator where the game map is not the submitter's, or ErrGameModeDiffers
// where the version to update has another mode.
func (k KnownVersions) Submit(c Candidate) (SubmitResult, error) {
	r, err := c.place(k)
	if err != nil {
		return SubmitResult{}, err
	}
	replacer := c.By
	replacer.Reason = c.WrongOwnerReason
	owners := k.ownersChange(r.Versions, replacer, access.ReplaceOwner)
	r.Facts, r.Entries = append(owners.Facts, r.Facts...), owners.Entries
	if action := c.action(k); action == access.SubmitMap {
		r.Entries = append(r.Entries, k.entry(r.Versions, c.By, action, r.MapID))
	}
	return r, nil
}

// place is KnownVersions.Submit with the submission's own fact alone, and without entries.
func (c Candidate) place(known KnownVersions) (SubmitResult, error) {
	replaces := c.WrongOwnerReason != ""
	if replaces {
		known.Versions = c.replaceOwner(known.Versions)
	}
	if len(known.Versions) == 0 {
		return c.create(nil), nil
	}
	last, newest := known.Versions[len(known.Versions)-1], known.newest()
	i := slices.IndexFunc(known.Versions, func(m Map) bool { return m.Fingerprint == c.Map.Fingerprint })
	switch {
	case i >= 0 && known.Versions[i].IsRemoved():
		return SubmitResult{}, ErrMapRemoved.WithData("_id", known.Versions[i].ID)
	case newest == nil && (!replaces || !c.isByOthers(known.Versions)):
		return SubmitResult{}, ErrMapRemoved.WithData("_id", last.ID)
	case i >= 0 && (known.Versions[i].ID == known.SameData || known.Versions[i].Superseded):
		return SubmitResult{}, ErrMapExists.WithData("_id", known.Versions[i].ID)
	case i < 0 && len(known.Versions) >= MaxVersions:
		return SubmitResult{}, ErrVersionsFull
	case !c.By.Actor.Can(c.action(known)):
		return SubmitResult{}, ErrNotAuthorValidator
	case i >= 0 && known.Versions[i].Mode != c.Map.Mode:
		return SubmitResult{}, modeDiffers(c.Map.Mode, known.Versions[i].Mode)
	case i >= 0:
		return c.update(known.Versions, i), nil
	}
	return c.create(known.Versions), nil
}

// replaceOwner returns the versions after the author of the map has replaced its owner: of the versions by other
// players that are not removed, those with the physics of the candidate are the author's, and all others are removed.
func (c Candidate) replaceOwner(known Versions) Versions {
	after := slices.Clone(known)
	for i, m := range known {
		switch {
		case m.IsRemoved() || m.AuthorID == c.Map.AuthorID:
		case m.Fingerprint == c.Map.Fingerprint:
			after[i].AuthorID, after[i].UpdatedAt = c.Map.AuthorID, event.Later(c.Map.UpdatedAt, m.UpdatedAt)
		default:
			after[i].RemovedAt = c.Map.CreatedAt
		}
	}
	after.supersede()
	return after
}

// isByOthers reports whether no version is by the map's author.
func (c Candidate) isByOthers(known Versions) bool {
	return !slices.ContainsFunc(known, func(m Map) bool { return m.AuthorID == c.Map.AuthorID })
}

// action returns access.SubmitMap where the map or its game map belongs to another player than the submitter, and
// access.SubmitOwnMap otherwise.
func (c Candidate) action(known KnownVersions) access.Action {
	if c.Map.AuthorID != c.Map.SubmittedByID || known.OwnerID != "" && known.OwnerID != c.Map.SubmittedByID {
		return access.SubmitMap
	}
	return access.SubmitOwnMap
}

// create adds the candidate to the versions of its game map as the newest one.
func (c Candidate) create(known Versions) SubmitResult {
	m := c.Map
	r := SubmitResult{MapID: m.ID, Created: true}
	if len(known) > 0 {
		m.MapVersion = known[len(known)-1].MapVersion + 1
	}
	if newest := known.newest(); newest != nil {
		r.Superseded = newest.ID
	}
	r.Versions = append(slices.Clone(known), m)
	r.Versions.supersede()
	c.Replay.MapID, c.Replay.SupersededID, c.Replay.SubmittedByID = m.ID, r.Superseded, m.SubmittedByID
	r.Facts = []event.Fact{c.Replay}
	return r
}

// update replaces what is submitted of a version again. Its author, whom an operator may have
// corrected, its submitter, its first replay, its medal times and whether it is unranked stay.
func (c Candidate) update(known Versions, i int) SubmitResult {
	before, m := known[i], c.Map
	m.ID, m.Version, m.MapVersion, m.Superseded = before.ID, before.Version, before.MapVersion, before.Superseded
	m.AuthorID, m.SubmittedByID, m.CreatedAt = before.AuthorID, before.SubmittedByID, before.CreatedAt
	m.UpdatedAt = event.Later(m.UpdatedAt, before.UpdatedAt)
	m.Unranked, m.UnrankedReason = before.Unranked, before.UnrankedReason
	m.Medals, m.Files.Replay = before.Medals, before.Files.Replay
	if c.Metadata.Description == nil {
		m.Description = before.Description
	}
	if c.Metadata.Tags == nil {
		m.Tags = before.Tags
	}
	after := slices.Clone(known)
	after[i] = m
	c.Replay.MapID, c.Replay.SubmittedByID = m.ID, c.Map.SubmittedByID
	return SubmitResult{Change: Change{Versions: after, Facts: []event.Fact{event.MapUpdated(c.Replay)}}, MapID: m.ID}
}
