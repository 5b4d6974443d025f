package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/access"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

const maxMetadata = 64 << 10 // bytes

// contract returns the service's contract, which is parsed at the first form.
var contract = sync.OnceValues(GetSpec)

// readMetadata parses the JSON text of a form's field and checks it against the schema of a name in the contract; an
// empty text is an empty object. Unknown fields are ignored. It returns parkourmap.ErrMetadataMalformed, or
// parkourmap.ErrMetadataRefused with the fields that are out of their ranges.
func readMetadata(schema string, text []byte) (parkourmap.Metadata, error) {
	if len(text) > maxMetadata {
		err := fmt.Errorf("more than %d bytes", maxMetadata)
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return parkourmap.Metadata{}, nil
	}
	invalid, err := httpserve.CheckSchema(contract, schema, text)
	if err != nil {
		malformed := parkourmap.ErrMetadataMalformed.Wrap(err)
		if len(invalid) > 0 {
			malformed = malformed.WithFields(invalid)
		}
		return parkourmap.Metadata{}, malformed
	}
	if len(invalid) > 0 {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataRefused.WithFields(invalid)
	}
	var read MapSubmissionMetadata
	if err := json.Unmarshal(text, &read); err != nil {
		return parkourmap.Metadata{}, parkourmap.ErrMetadataMalformed.Wrap(err)
	}
	metadata := parkourmap.Metadata{Description: read.Description, Tags: httpserve.OrZero(read.Tags)}
	metadata.Mode, _ = bonkmap.ModeNamed(string(httpserve.OrZero(read.GameMode)))
	metadata.WrongOwnerReason = access.Reason(httpserve.OrZero(read.WrongOwnerReason))
	if times := read.MedalTimes; times != nil {
		metadata.Medals = parkourmap.RequestedMedals{
			Author: times.Author, Gold: times.Gold, Silver: times.Silver, Bronze: times.Bronze,
		}
	}
	return metadata, nil
}
