package outbox_test

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
)

// printingTx prints what is inserted instead of inserting it.
type printingTx struct{ pgx.Tx }

func (printingTx) SendBatch(_ context.Context, batch *pgx.Batch) pgx.BatchResults {
	for _, query := range batch.QueuedQueries {
		row := query.Arguments[0].(pgx.NamedArgs)
		fmt.Println(row["subject"], row["version"])
	}
	return noResults{}
}

type noResults struct{ pgx.BatchResults }

func (noResults) Close() error { return nil }

// A change and its events are written in one transaction: a state has the version that the
// change has raised, a fact has none.
func ExampleAppend() {
	ctx, tx := context.Background(), printingTx{} // in a service: postgres.InTx
	err := outbox.Append(ctx, tx,
		event.MapStats{MapID: "m1", Version: 7, Records: 42},
		event.RecordSubmitted{RecordID: "r1", MapID: "m1", PlayerID: "p1", FinishTime: 41_267})
	fmt.Println(err)
	// Output:
	// state.v1.mapstats.m1 7
	// facts.v1.record.submitted 0
	// <nil>
}
