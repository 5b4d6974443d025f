package parkourmap

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"capzone.dev/game/racetime"
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
