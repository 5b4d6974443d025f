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

// Versions are all versions of a game map, the oldest first, removed ones included. The methods that change versions
// return changed copies of all of them; who stores these raises the Version of those that differ.
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

// Change is what becomes of the versions of a game map, with its facts and its rows of the audit log.
type Change struct {
	Versions Versions
	Facts    []event.Fact
	Entries  []access.Entry
}

// entry returns the row of the audit log of a version that an action has changed or created.
func (v Versions) entry(after Versions, by access.Attribution, action access.Action, id string) access.Entry {
	return access.Entry{By: by, Action: action, Target: id, Before: v.auditValues(id), After: after.auditValues(id)}
}

// auditValues returns what the audit log says of a version, nil of one that there is not.
func (v Versions) auditValues(id string) map[string]any {
	i := v.find(id)
	if i < 0 {
		return nil
	}
	m := v[i]
	return map[string]any{
		"name": m.Name, "gameMapId": m.GameMapID, "mapVersion": m.MapVersion, "authorId": m.AuthorID,
		"removed": m.IsRemoved(), "unranked": m.Unranked,
	}
}

// ownersChange returns the change by an action about their owner, which has removed versions, or given them to another
// author.
func (v Versions) ownersChange(after Versions, by access.Attribution, action access.Action) Change {
	change := Change{Versions: after}
	for i, m := range v {
		switch {
		case after[i].IsRemoved() && !m.IsRemoved():
			change.Facts = append(change.Facts, event.MapRemoved{MapID: m.ID, Reason: string(by.Reason)})
		case after[i].AuthorID != m.AuthorID:
			change.Facts = append(change.Facts, event.MapReassigned{
				MapID: m.ID, OldAuthorID: m.AuthorID, NewAuthorID: after[i].AuthorID, Reason: string(by.Reason),
			})
		default:
			continue
		}
		change.Entries = append(change.Entries, v.entry(after, by, action, m.ID))
	}
	return change
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
			after[i].Description, after[i].UpdatedAt = "", event.Later(at, m.UpdatedAt)
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
			after[i].Contributors, after[i].UpdatedAt = contributors, event.Later(at, m.UpdatedAt)
		}
	}
	return after
}
