package postgres_test

import (
	"context"
	"net/url"
	"testing"
	"testing/fstest"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/postgres"
)

// As the Compose file and the manifests set it.
func TestMigrate_URL_with_a_pool_size(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t, "empty", func(context.Context, string) error { return nil })
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	query := parsed.Query()
	query.Set("pool_max_conns", "3")
	parsed.RawQuery = query.Encode()
	sized := parsed.String()

	if err := postgres.Migrate(t.Context(), sized,
		fstest.MapFS{"00001_one.sql": {Data: []byte("-- +goose Up\ncreate table one (id int);\n")}}); err != nil {
		t.Fatal(err)
	}
	pool, err := postgres.Open(t.Context(), sized)
	require.NoError(t, err)
	defer pool.Close()
	if got := pool.Config().MaxConns; got != 3 {
		t.Errorf("the pool has %d connections, want 3", got)
	}
	if _, err := pool.Exec(t.Context(), "insert into one values (1)"); err != nil {
		t.Error(err)
	}
}
