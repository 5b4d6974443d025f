package parkourmap

import (
	"context"
	"slices"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/storedfile"
)

// MaxEdits is how many edits of a version are kept, the newest ones.
const MaxEdits = 100

// Edit is one change of a map by its author or by somebody who may edit the maps of others.
type Edit struct {
	ID, MapID string
	At        time.Time
	EditorID  string
	Before    EditedValues
	After     EditedValues
	// Undoes is the id of the edit that this one undoes, or empty, and Reason why it does.
	Undoes string
	Reason access.Reason
}

// Fields are what the edit changed.
func (e Edit) Fields() []EditedField { return e.Before.fieldsThatDiffer(e.After) }

// undo returns the values after the edit was undone. It returns ErrEditOverwritten where a value is not any more as the
// edit has left it.
func (e Edit) undo(now EditedValues) (EditedValues, error) {
	fields := e.Fields()
	for _, field := range now.fieldsThatDiffer(e.After) {
		if slices.Contains(fields, field) {
			return EditedValues{}, ErrEditOverwritten
		}
	}
	return now.take(fields, e.Before), nil
}

// ListedEdit is an edit with its editor.
type ListedEdit struct {
	Edit
	Editor Player
}

// PlannedEdit is an edit that is to be made.
type PlannedEdit struct {
	ID, MapID string
	// UpdatedAt is that of the map as the editor has read it, and After what the map is to have. An edit that undoes
	// another one has neither.
	UpdatedAt time.Time
	After     EditedValues
	// Undoes is the id of the edit to undo, or empty.
	Undoes string
	// Action is access.EditOwnMap, access.EditMap or access.UndoEdit.
	Action access.Action
	By     access.Attribution
	At     time.Time
	// Uploads are the files of a new picture.
	Uploads []storedfile.Upload
}

// EditStore stores edits.
type EditStore interface {
	// ByID returns a map, removed or not, or ErrMapUnknown.
	ByID(ctx context.Context, id string) (Map, error)
	// Entry returns a map that is not removed, or ErrMapUnknown.
	Entry(ctx context.Context, id string) (Entry, error)
	// Edit locks the game map, stores what Versions.Edit returns and attaches the uploads, in one transaction. An editor
	// who was merged since is replaced by the player merged into. It also returns ErrEditUnknown for an edit to undo.
	Edit(ctx context.Context, planned PlannedEdit) error
	// Edits returns the kept edits of a map, the newest first.
	Edits(ctx context.Context, mapID string) ([]ListedEdit, error)
	// FindEdit returns an edit of a map, or ErrEditUnknown.
	FindEdit(ctx context.Context, mapID, editID string) (Edit, error)
}

// MedalCounter counts medals at the service that owns records.
type MedalCounter interface {
	// CountMedals returns a problem of kind unavailable where the owner cannot be asked.
	CountMedals(ctx context.Context, req event.CountMedals) (event.MedalCounts, error)
}

// Editor edits maps.
type Editor struct {
	Maps    EditStore
	Players *Players
	Medals  MedalCounter
	Images  Images
	Files   Files
	Now     func() time.Time
	NewID   func() string
}

// Edit changes a map for its author, or for a validator, moderator or admin. It returns access.ErrForbidden,
// ErrMapUnknown, ErrMedalsNotAuthor, ErrMetadataRefused, ErrMapChanged, ErrMedalsHeld, ErrNothingToEdit, the errors of
// Images, or a problem of kind unavailable.
func (e *Editor) Edit(ctx context.Context, by access.Attribution, id string, req RequestedEdit) (Entry, error) {
	m, err := e.authorize(ctx, by, id)
	if err != nil {
		return Entry{}, err
	}
	values, err := req.values(m.Map, m.action == access.EditOwnMap)
	if err != nil {
		return Entry{}, err
	}
	if !m.UpdatedAt.Equal(req.UpdatedAt) {
		return Entry{}, ErrMapChanged
	}
	uploads, err := e.storePicture(ctx, req.Image, &values)
	if err != nil {
		return Entry{}, err
	}
	// Pictures may have waited, and players have finished meanwhile.
	if err := e.checkMedals(ctx, m.Map, values.Medals); err != nil {
		return Entry{}, err
	}
	return e.save(ctx, PlannedEdit{
		ID: e.NewID(), MapID: m.ID, UpdatedAt: req.UpdatedAt, After: values,
		Action: m.action, By: m.by, At: event.InMillis(e.Now()), Uploads: uploads,
	})
}

// save stores an edit, and returns the map.
func (e *Editor) save(ctx context.Context, planned PlannedEdit) (Entry, error) {
	if err := e.Maps.Edit(ctx, planned); err != nil {
		return Entry{}, err
	}
	return e.Maps.Entry(ctx, planned.MapID)
}

// Undo gives a map the values that it had before an edit, also its medal times. It returns access.ErrForbidden,
// access.ErrReasonMissing, access.ErrReasonInvalid, ErrMapUnknown, ErrEditUnknown, ErrEditOverwritten, ErrMedalsHeld,
// or a problem of kind unavailable.
func (e *Editor) Undo(ctx context.Context, by access.Attribution, id, editID string) (Entry, error) {
	_, by, err := access.Authorize(ctx, by, access.UndoEdit, e.Players.Get)
	if err != nil {
		return Entry{}, err
	}
	if !event.IsID(id) {
		return Entry{}, ErrMapUnknown
	}
	if !event.IsID(editID) {
		return Entry{}, ErrEditUnknown
	}
	undone, err := e.Maps.FindEdit(ctx, id, editID)
	if err != nil {
		return Entry{}, err
	}
	if err := e.checkUndo(ctx, by.Actor.ID, id, undone); err != nil {
		return Entry{}, err
	}
	return e.save(ctx, PlannedEdit{
		ID: e.NewID(), MapID: id, Undoes: undone.ID, Action: access.UndoEdit, By: by, At: event.InMillis(e.Now()),
	})
}

// checkUndo returns ErrMedalsHeld where the author of the map, or who has made the edit, would take a medal from
// another player by undoing it, which no edit of theirs can. Another moderator may.
func (e *Editor) checkUndo(ctx context.Context, undoerID, mapID string, undone Edit) error {
	m, err := e.find(ctx, mapID)
	if err != nil || undoerID != m.AuthorID && undoerID != undone.EditorID {
		return err
	}
	after, err := undone.undo(m.edited())
	if err != nil {
		return err
	}
	return e.checkMedals(ctx, m, after.Medals)
}

// List returns the edits of a map to those who may edit it, the newest first. It returns access.ErrForbidden or
// ErrMapUnknown.
func (e *Editor) List(ctx context.Context, by access.Actor, id string) ([]ListedEdit, error) {
	if _, err := e.authorize(ctx, access.Attribution{Actor: by}, id); err != nil {
		return nil, err
	}
	return e.Maps.Edits(ctx, id)
}

// editable is a map with who may edit it.
type editable struct {
	Map
	action access.Action
	by     access.Attribution
}

// authorize returns the map with an id for who may edit it. It returns access.ErrForbidden or ErrMapUnknown.
func (e *Editor) authorize(ctx context.Context, by access.Attribution, id string) (editable, error) {
	editor, own, err := access.Authorize(ctx, by, access.EditOwnMap, e.Players.Get)
	if err != nil {
		return editable{}, err
	}
	m, err := e.find(ctx, id)
	if err != nil || m.AuthorID == editor.ID {
		return editable{m, access.EditOwnMap, own}, err
	}
	by, err = access.Permit(by, access.EditMap, editor)
	return editable{m, access.EditMap, by}, err
}

// find returns a map that is not removed, or ErrMapUnknown.
func (e *Editor) find(ctx context.Context, id string) (Map, error) {
	if !event.IsID(id) {
		return Map{}, ErrMapUnknown
	}
	m, err := e.Maps.ByID(ctx, id)
	if err == nil && m.IsRemoved() {
		err = ErrMapUnknown
	}
	return m, err
}

// Edit returns the change of the versions by an edit, and the edit as it is stored. The undone edit is the one that
// Undoes names. It returns ErrMapUnknown, also for a removed map, ErrMapChanged, ErrEditOverwritten or
// ErrNothingToEdit.
func (v Versions) Edit(planned PlannedEdit, undone Edit) (Change, Edit, error) {
	i := v.find(planned.MapID)
	if i < 0 || v[i].IsRemoved() {
		return Change{}, Edit{}, ErrMapUnknown
	}
	m, by, after := v[i], planned.By, planned.After
	if planned.Undoes != "" {
		var err error
		if after, err = undone.undo(m.edited()); err != nil {
			return Change{}, Edit{}, err
		}
	} else if !m.UpdatedAt.Equal(planned.UpdatedAt) {
		return Change{}, Edit{}, ErrMapChanged
	}
	edit := Edit{
		ID: planned.ID, MapID: m.ID, At: planned.At, EditorID: by.Actor.ID, Before: m.edited(), After: after,
		Undoes: planned.Undoes, Reason: by.Reason,
	}
	fields := edit.Fields()
	if len(fields) == 0 {
		return Change{}, Edit{}, ErrNothingToEdit
	}
	change := Change{Versions: slices.Clone(v), Facts: []event.Fact{event.MapEdited{
		MapID: m.ID, EditID: edit.ID, EditorID: edit.EditorID, Undoes: edit.Undoes, Reason: string(edit.Reason),
	}}}
	change.Versions[i] = m.withEdited(after)
	change.Versions[i].UpdatedAt = event.Later(edit.At, m.UpdatedAt)
	if planned.Action != access.EditOwnMap {
		change.Entries = []access.Entry{{
			By: by, Action: planned.Action, Target: m.ID,
			Before: edit.Before.auditValues(fields), After: after.auditValues(fields),
		}}
	}
	return change, edit, nil
}

// checkMedals returns ErrMedalsHeld where another player than the author holds a medal whose time is to change.
func (e *Editor) checkMedals(ctx context.Context, m Map, after *racetime.Medals) error {
	before := m.Medals
	if before == nil || after != nil && *before == *after {
		return nil
	}
	if after == nil { // the edit that is undone was the first with medals
		after = &racetime.Medals{}
	}
	held, err := e.Medals.CountMedals(ctx, event.CountMedals{
		MapID: m.ID, WithoutPlayerID: m.AuthorID, Medals: event.Medals(*before),
	})
	if err != nil {
		return err
	}
	return checkHeld(*before, *after, held)
}

// storePicture renders and stores an image, unless it is empty, and sets its keys in the values.
func (e *Editor) storePicture(ctx context.Context, image []byte, values *EditedValues) ([]storedfile.Upload, error) {
	if len(image) == 0 {
		return nil, nil
	}
	if err := e.Images.Check(image); err != nil {
		return nil, err
	}
	full, thumbnail, err := e.Images.Render(ctx, image)
	if err != nil {
		return nil, err
	}
	fullFile, thumbnailFile, err := e.Files.PutImages(ctx, full, thumbnail)
	values.Image, values.Thumbnail = fullFile.Key, thumbnailFile.Key
	return []storedfile.Upload{fullFile, thumbnailFile}, err
}
