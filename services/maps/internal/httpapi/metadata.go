package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

// maxMetadata is the size of the largest metadata, in bytes.
const maxMetadata = 64 << 10

// readMetadata parses the JSON text of a form's field and checks it against its schema in the
// contract; an empty text is an empty object. Unknown fields are ignored. It returns
// parkourmap.ErrMetadataMalformed, or parkourmap.ErrMetadataRefused with the fields that are
// out of their ranges.
func readMetadata(text []byte) (parkourmap.Metadata, error) {
	if len(text) > maxMetadata {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(fmt.Errorf("more than %d bytes", maxMetadata))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return parkourmap.Metadata{}, nil
	}
	invalid, err := httpserve.CheckSchema(GetSpec, "MapMetadata", text)
	if err != nil {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	if len(invalid) > 0 {
		refused := *parkourmap.ErrMetadataRefused
		refused.Fields = invalid
		return parkourmap.Metadata{}, &refused
	}
	var read MapMetadata
	if err := json.Unmarshal(text, &read); err != nil {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	metadata := parkourmap.Metadata{Description: orZero(read.Description), Tags: orZero(read.Tags)}
	if times := read.MedalTimes; times != nil {
		metadata.Medals = parkourmap.RequestedMedals{
			Author: times.Author, Gold: times.Gold, Silver: times.Silver, Bronze: times.Bronze,
		}
	}
	return metadata, nil
}
