package parkourmap

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/storedfile"
)

// MaxEdits is how many edits of a version are kept, the newest ones.
const MaxEdits = 100

// EditedValues are what an edit may change of a map.
type EditedValues struct {
	Description string           `json:"description"`
	Tags        []string         `json:"tags"`
	Medals      *racetime.Medals `json:"medals"`
	// Image and Thumbnail are the keys of the uploaded picture, empty where the picture is the drawing.
	Image     string `json:"image"`
	Thumbnail string `json:"thumbnail"`
}

// EditedField names a value that an edit may change.
type EditedField string

// The fields.
const (
	DescriptionField EditedField = "description"
	TagsField        EditedField = "tags"
	MedalsField      EditedField = "medalTimes"
	PictureField     EditedField = "picture"
)

// edited returns what an edit may change of a map.
func (m Map) edited() EditedValues {
	return EditedValues{m.Description, m.Tags, m.Medals, m.Files.Image, m.Files.Thumbnail}
}

// withEdited returns the map with other values.
func (m Map) withEdited(v EditedValues) Map {
	m.Description, m.Tags, m.Medals = v.Description, v.Tags, v.Medals
	m.Files.Image, m.Files.Thumbnail = v.Image, v.Thumbnail
	return m
}

// fieldsThatDiffer returns the fields in which the values differ from others.
func (v EditedValues) fieldsThatDiffer(others EditedValues) (fields []EditedField) {
	if v.Description != others.Description {
		fields = append(fields, DescriptionField)
	}
	if !slices.Equal(v.Tags, others.Tags) {
		fields = append(fields, TagsField)
	}
	if (v.Medals == nil) != (others.Medals == nil) || v.Medals != nil && *v.Medals != *others.Medals {
		fields = append(fields, MedalsField)
	}
	if v.Image != others.Image || v.Thumbnail != others.Thumbnail {
		fields = append(fields, PictureField)
	}
	return fields
}

// take returns the values with some fields of others.
func (v EditedValues) take(fields []EditedField, others EditedValues) EditedValues {
	for _, field := range fields {
		switch field {
		case DescriptionField:
			v.Description = others.Description
		case TagsField:
			v.Tags = others.Tags
		case MedalsField:
			v.Medals = others.Medals
		case PictureField:
			v.Image, v.Thumbnail = others.Image, others.Thumbnail
		}
	}
	return v
}

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

// RequestedEdit is what is to be changed of a map. A nil value stays as it is.
type RequestedEdit struct {
	// UpdatedAt is that of the map as the editor has read it.
	UpdatedAt   time.Time
	Description *string
	Tags        []string
	Medals      RequestedMedals
	Image       []byte
}

// PlannedEdit is an edit that is to be stored. It has no After where it undoes another one. Its EditorID is replaced by
// the player merged into.
type PlannedEdit struct {
	Edit
	// UpdatedAt is that of the map as the editor has read it. An edit that undoes another one needs none.
	UpdatedAt time.Time
	Action    access.Action
	By        access.Attribution
	// Uploads are the files of a new picture.
	Uploads []storedfile.Upload
}

// Apply returns the change of the locked versions by the edit, and the edit as it is stored. The undone edit is the one
// that Undoes names. It returns ErrMapUnknown, also for a removed map, ErrMapChanged, ErrEditOverwritten or
// ErrNothingToEdit.
func (p PlannedEdit) Apply(versions Versions, undone Edit) (Change, Edit, error) {
	i := versions.find(p.MapID)
	if i < 0 {
		return Change{}, Edit{}, ErrMapUnknown
	}
	m, edit := versions[i], p.Edit
	edit.Before = m.edited()
	var err error
	switch {
	case m.IsRemoved():
		err = ErrMapUnknown
	case edit.Undoes != "":
		edit.After, err = undone.undo(edit.Before)
	case !m.UpdatedAt.Equal(p.UpdatedAt):
		err = ErrMapChanged
	}
	if err == nil && len(edit.Fields()) == 0 {
		err = ErrNothingToEdit
	}
	if err != nil {
		return Change{}, Edit{}, err
	}
	change := Change{Versions: slices.Clone(versions), Facts: []event.Fact{event.MapEdited{
		MapID: edit.MapID, EditID: edit.ID, EditorID: edit.EditorID, Undoes: edit.Undoes, Reason: string(edit.Reason),
	}}}
	change.Versions[i] = m.withEdited(edit.After)
	change.Versions[i].UpdatedAt = later(edit.At, m.UpdatedAt)
	if p.Action != access.EditOwnMap {
		change.Entries = []access.Entry{{
			By: p.By, Action: p.Action, Target: edit.MapID,
			Before: edit.Before.auditValues(edit.Fields()), After: edit.After.auditValues(edit.Fields()),
		}}
	}
	return change, edit, nil
}

// auditValues returns what the audit log says of the fields of an edit. It has the length of a description and no text,
// because the log cannot be changed when the author's account is deleted; the edit has the text.
func (v EditedValues) auditValues(fields []EditedField) map[string]any {
	all := map[EditedField]any{
		DescriptionField: fmt.Sprintf("%d characters", utf8.RuneCountInString(v.Description)),
		TagsField:        append([]string{}, v.Tags...), MedalsField: v.Medals, PictureField: v.Image,
	}
	values := map[string]any{}
	for _, field := range fields {
		values[string(field)] = all[field]
	}
	return values
}

// values returns what the map has after the edit, but for its picture. It returns ErrMedalsNotAuthor, ErrNothingToEdit,
// or ErrMetadataRefused with all invalid fields.
func (r RequestedEdit) values(m Map, byAuthor bool) (EditedValues, error) {
	if !byAuthor && !r.Medals.isEmpty() {
		return EditedValues{}, ErrMedalsNotAuthor
	}
	if r.Description == nil && r.Tags == nil && r.Medals.isEmpty() && len(r.Image) == 0 {
		return EditedValues{}, ErrNothingToEdit
	}
	values := m.edited()
	var invalid, more []problem.Field
	if r.UpdatedAt.IsZero() {
		invalid = append(invalid, problem.Field{
			Field: "updatedAt", Code: "updated_at_missing",
			Message: "Send the updatedAt of the map as you have read it.",
		})
	}
	if r.Description != nil {
		values.Description, more = parseDescription(*r.Description)
		invalid = append(invalid, more...)
	}
	if r.Tags != nil {
		values.Tags, more = parseTags(r.Tags)
		invalid = append(invalid, more...)
	}
	if !r.Medals.isEmpty() {
		medals, more := editedMedals(m.Medals, r.Medals)
		invalid = append(invalid, more...)
		values.Medals = &medals
	}
	if len(invalid) > 0 {
		return EditedValues{}, ErrMetadataRefused.WithFields(invalid)
	}
	return values, nil
}
