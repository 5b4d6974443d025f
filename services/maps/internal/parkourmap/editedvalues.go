package parkourmap

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/problem"
)

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

// RequestedEdit is what is to be changed of a map. A nil value stays as it is.
type RequestedEdit struct {
	// UpdatedAt is that of the map as the editor has read it.
	UpdatedAt   time.Time
	Description *string
	Tags        []string
	Medals      RequestedMedals
	Image       []byte
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
