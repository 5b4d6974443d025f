package outbox_test

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
)

// printingTx prints what is inserted instead of inserting it.
type printingTx struct{ pgx.Tx }

func (printingTx) Exec(_ context.Context, _ string, arguments ...any) (pgconn.CommandTag, error) {
	columns := arguments[0].(pgx.NamedArgs)
	fmt.Println(columns["subjects"], columns["versions"])
	return pgconn.CommandTag{}, nil
}

// A change and its events are written in one transaction: a state has the version that the
// change has raised, a fact has none.
func ExampleAppend() {
	ctx, tx := context.Background(), printingTx{} // in a service: postgres.InTx
	err := outbox.Append(ctx, tx,
		event.MapStats{MapID: "m1", Version: 7, Records: 42},
		event.RecordSubmitted{RecordID: "r1", MapID: "m1", PlayerID: "p1", FinishTime: 41_267})
	fmt.Println(err)
	// Output:
	// [state.v1.mapstats.m1 facts.v1.record.submitted] [7 0]
	// <nil>
}
