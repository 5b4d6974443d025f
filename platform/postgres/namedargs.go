package postgres

import (
	"context"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
)

// NamedArgs are pgx.NamedArgs for constant statements that run often. pgx translates the names of a statement to $1, $2
// and so on at each call, which costs about a quarter of a short query's time in this process. Here that is done once.
type NamedArgs map[string]any

// translation is a statement with $1, $2 and so on, and the names of these parameters.
type translation struct {
	sql   string
	names []any // strings
}

// translations holds a translation for each statement.
var translations sync.Map

// RewriteQuery implements pgx.QueryRewriter.
func (a NamedArgs) RewriteQuery(ctx context.Context, conn *pgx.Conn, sql string, _ []any) (string, []any, error) {
	known, ok := translations.Load(sql)
	if !ok {
		names := pgx.NamedArgs{}
		for name := range a {
			names[name] = name
		}
		translated, order, err := names.RewriteQuery(ctx, conn, sql, nil)
		if err != nil || slices.Contains(order, nil) { // an argument is missing here, and may be there the next time
			return pgx.NamedArgs(a).RewriteQuery(ctx, conn, sql, nil)
		}
		known, _ = translations.LoadOrStore(sql, translation{translated, order})
	}
	t := known.(translation) //nolint:forcetypeassert // nothing else is stored
	values := make([]any, len(t.names))
	for i, name := range t.names {
		values[i] = a[name.(string)] //nolint:forcetypeassert // as above
	}
	return t.sql, values, nil
}
