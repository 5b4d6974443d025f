package check

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
)

// TestDatabases runs the script of PostgreSQL's image. It finds a service that reaches another one's database, an
// application that may change its tables, and passwords that do not change.
func TestDatabases(t *testing.T) {
	t.Parallel()
	psql := testdeps.Program(t, "psql", "postgresql-client") // which PostgreSQL's image has
	port, err := freeport.Pick()
	require.NoError(t, err)
	server, err := localpg.StartTemporary(t.Context(), "", port)
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop(context.Background()) })
	owners := serviceNames(t, anyService)
	setUp := func(prefix string) {
		t.Helper()
		environment := []string{"POSTGRES_PASSWORD=" + prefix + "superuser"}
		for _, owner := range owners {
			environment = append(environment, "POSTGRES_"+strings.ToUpper(owner)+"_PASSWORD="+prefix+owner)
		}
		makeDatabases(t, psql, port, environment)
	}
	setUp(`p'"\$`)
	before := passwords(t, localpg.URL(port, "postgres"))
	setUp("changed") // which is how an operator changes them
	after := passwords(t, localpg.URL(port, "postgres"))
	for _, owner := range slices.Concat([]string{localpg.Superuser}, owners, applications(owners)) {
		if !strings.HasPrefix(after[owner], "SCRAM-SHA-256$") || before[owner] == after[owner] {
			t.Errorf("the password of %s was %q and is %q", owner, before[owner], after[owner])
		}
	}

	for _, owner := range owners {
		for _, database := range append([]string{"postgres"}, owners...) {
			name := "capzone_" + database
			if database == "postgres" {
				name = database
			}
			conn, err := pgx.Connect(t.Context(), as(t, port, owner, name))
			if own := database == owner; (err == nil) != own {
				t.Errorf("%s connects to the database of %s: %v", owner, database, err)
			}
			if err != nil {
				if _, err := pgx.Connect(t.Context(), as(t, port, owner+"_app", name)); err == nil {
					t.Errorf("the application of %s connects to the database of %s", owner, database)
				}
				continue
			}
			application, applicationErr := pgx.Connect(t.Context(), as(t, port, owner+"_app", name))
			if applicationErr != nil {
				t.Errorf("the application of %s: %v", owner, applicationErr)
				continue
			}
			if _, err := application.Exec(t.Context(), "create table mine (id int)"); err == nil {
				t.Errorf("the application of %s may create a table", owner)
			}
			_ = application.Close(t.Context())
			if _, err := conn.Exec(t.Context(),
				"create table runs (id int); create schema other; drop schema other"); err != nil {
				t.Errorf("%s in its own database: %v", owner, err)
			}
			for _, forbidden := range []string{"create database mine", "create role mine", "copy runs to '/tmp/x'",
				"alter role postgres password 'x'"} {
				if _, err := conn.Exec(t.Context(), forbidden); err == nil {
					t.Errorf("%s may %s", owner, forbidden)
				}
			}
			_ = conn.Close(t.Context())
		}
	}
}

// makeDatabases runs the script with the container's environment.
func makeDatabases(t *testing.T, psql string, port int, environment []string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(root, "deploy/docker/postgres/10-databases.sh"))
	command.Env = slices.Concat(environment, []string{
		"PATH=" + filepath.Dir(psql) + ":" + os.Getenv("PATH"),
		"PGHOST=127.0.0.1", "PGPORT=" + strconv.Itoa(port), "POSTGRES_USER=" + localpg.Superuser,
	})
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// passwords are the roles' passwords as the server keeps them.
func passwords(t *testing.T, address string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	rows, _ := conn.Query(t.Context(), "select rolname, rolpassword from pg_authid where rolpassword is not null")
	kept, name, password := map[string]string{}, "", ""
	if _, err := pgx.ForEachRow(rows, []any{&name, &password}, func() error {
		kept[name] = password
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return kept
}

// applications are the roles with which services connect.
func applications(owners []string) (roles []string) {
	for _, owner := range owners {
		roles = append(roles, owner+"_app")
	}
	return roles
}

// as is the address of a database for a role. The server of the tests takes any password.
func as(t *testing.T, port int, role, database string) string {
	t.Helper()
	parsed, err := url.Parse(localpg.URL(port, database))
	require.NoError(t, err)
	parsed.User = url.User(role)
	return parsed.String()
}
