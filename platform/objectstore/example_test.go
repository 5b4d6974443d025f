package objectstore_test

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
)

// The same bytes have the same key, so that they are stored once.
func ExampleKey() {
	fmt.Println(objectstore.Key("replays", []byte("Map Name: Skyline Run\n"), ".lbReplay"))
	// Output: replays/c5b43a9be8dcf32ec9e93659e743d260666f8161e2a81fa96305323d7925c143.lbReplay
}

// The file is stored first. The transaction of the row that names it attaches the upload; if the
// transaction fails, the sweeper removes the file.
func ExampleUploads() {
	var uploads *objectstore.Uploads // NewUploads(store, pool)
	var pool *postgres.Pool

	save := func(ctx context.Context, file []byte) error {
		upload, err := uploads.Put(ctx, objectstore.Key("replays", file, ".lbReplay"), "text/plain", file)
		if err != nil {
			return err
		}
		return postgres.InTx(ctx, pool, func(tx pgx.Tx) error {
			if err := objectstore.Attach(ctx, tx, upload); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "insert into replays (key) values ($1)", upload.Key)
			return err
		})
	}
	_ = save
}
