// Package storedfile has what domains know of files in the object storage, which package objectstore stores.
package storedfile

import (
	"github.com/google/uuid"

	"capzone.dev/platform/problem"
)

// ErrUnknown is returned for a file that does not exist.
var ErrUnknown = problem.NotFound("file_unknown", "There is no such file.")

// Upload is a stored file that no row names yet. The zero value is none. Domains pass it from the storage
// adapter to the store, which calls objectstore.Attach in the transaction of the row that names the key.
type Upload struct {
	// ID is that of the row in pending_uploads.
	ID uuid.UUID
	// Key is where the file lies in the bucket.
	Key string
}
