package parkourmap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"capzone.dev/platform/problem"
)

// What the metadata of a submission may be.
const (
	MaxMetadataSize      = 64 << 10 // bytes
	MaxDescriptionLength = 2000     // characters
)

// metadata is what a submitter says about a map beside the replay and the picture.
type metadata struct {
	description string
	tags        []string
	medals      RequestedMedals
}

// readMetadata reads the JSON text of a submission; none at all says nothing.
// Unknown fields are ignored. Returns ErrMetadataMalformed.
func readMetadata(text []byte) (metadata, error) {
	if len(text) > MaxMetadataSize {
		return metadata{}, ErrMetadataMalformed.Wrap(fmt.Errorf("%d bytes", len(text)))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return metadata{}, nil
	}
	if !utf8.Valid(text) {
		return metadata{}, ErrMetadataMalformed.Wrap(errors.New("not UTF-8"))
	}
	var read *struct {
		Description *string          `json:"description"`
		Tags        []*string        `json:"tags"`
		MedalTimes  *RequestedMedals `json:"medalTimes"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&read); err != nil {
		return metadata{}, ErrMetadataMalformed.Wrap(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return metadata{}, ErrMetadataMalformed.Wrap(errors.New("more than one value"))
	}
	if read == nil {
		return metadata{}, ErrMetadataMalformed.Wrap(errors.New("null"))
	}
	var m metadata
	if read.Description != nil {
		m.description = *read.Description
	}
	for _, tag := range read.Tags {
		if tag == nil {
			return metadata{}, ErrMetadataMalformed.Wrap(errors.New("a tag is null"))
		}
		m.tags = append(m.tags, *tag)
	}
	if read.MedalTimes != nil {
		m.medals = *read.MedalTimes
	}
	return m, nil
}

// plainDescription trims a description and makes its line breaks one kind.
func plainDescription(text string) (string, []problem.Field) {
	text = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
	var faults []problem.Field
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		faults = append(faults, problem.Field{Field: "description", Message: "The description cannot hold control characters."})
	}
	if utf8.RuneCountInString(text) > MaxDescriptionLength {
		faults = append(faults, problem.Field{Field: "description", Message: fmt.Sprintf("The description has at most %d characters.", MaxDescriptionLength)})
	}
	return text, faults
}
