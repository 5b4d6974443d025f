package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/postgres"
)

// insufficientPrivilege is PostgreSQL's code for a statement that the role may not run.
const insufficientPrivilege = "42501"

func TestGrant(t *testing.T) {
	t.Parallel()
	owned := pgtest.OpenPlatform(t).Config()
	owner, ownerRole := owned.ConnString(), owned.ConnConfig.User
	application := pgtest.Application(t, owner)
	for range 2 { // each replica does it when it starts
		require.NoError(t, postgres.Grant(t.Context(), owner, application))
	}
	pool, err := postgres.Open(t.Context(), application)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	const audit = `insert into audit (actor, action, subject, reason) values ('root', 'ban player', 'p1', 'two accounts')`
	for _, allowed := range []string{
		audit,
		`select * from audit`,
		`insert into inbox (consumer, id) values ('a', '1')`,
		`update inbox set id = '2'`,
		`delete from inbox`,
		`select * from goose_platform_version`,
		`grant update on audit to current_user`, // answered with a warning: nothing is granted
	} {
		if _, err := pool.Exec(t.Context(), allowed); err != nil {
			t.Errorf("%s: %v", allowed, err)
		}
	}
	for _, refused := range []string{
		`update audit set reason = 'none'`,
		`delete from audit`,
		`truncate audit`,
		`drop table audit`,
		`alter table audit disable trigger all`,
		`alter table audit owner to current_user`,
		`insert into audit (actor, action, subject, reason) values ('a', 'b', 'c', 'd')
			on conflict (id) do update set reason = 'none'`,
		`merge into audit using (select 1 as id) as s on audit.id = s.id when matched then delete`,
		`select * from audit for update`,
		`delete from goose_platform_version`,
		`create table other (id int)`,
		`set role ` + pgx.Identifier{ownerRole}.Sanitize(),
	} {
		_, err := pool.Exec(t.Context(), refused)
		var refusal *pgconn.PgError
		if !errors.As(err, &refusal) || refusal.Code != insufficientPrivilege {
			t.Errorf("%s: %v", refused, err)
		}
	}
	if n := pgtest.Value[int](t, pool, `select count(*) from audit where reason = 'two accounts'`); n != 1 {
		t.Errorf("%d rows in the audit log, want 1", n)
	}
}
