package main

import (
	"net/url"
	"testing"
)

// An address may be one that an operator took from a service, for which pgx takes
// more settings than PostgreSQL's tools, which refuse those that they do not know.
func TestTheToolsGetNoSettingThatTheyRefuse(t *testing.T) {
	for _, tt := range []struct{ name, settings, want string }{
		{"none", "", ""},
		{"a connection's", "?sslmode=disable&connect_timeout=5&target_session_attrs=any", "connect_timeout=5&sslmode=disable&target_session_attrs=any"},
		{"the pool's", "?pool_max_conns=4&sslmode=disable&pool_max_conn_lifetime=1h", "sslmode=disable"},
		{"the driver's", "?default_query_exec_mode=exec&statement_cache_capacity=0&description_cache_capacity=0", ""},
		{"a session's", "?statement_timeout=15000&plan_cache_mode=auto&timezone=UTC", ""},
		{"what the tools know by another way", "?application_name=nightly&keepalives_idle=30&options=-c%20work_mem%3D64MB", "application_name=nightly&keepalives_idle=30&options=-c%20work_mem%3D64MB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			address, err := backup{cfg: Config{DatabaseURL: "postgres://backup:secret@db:5432/postgres" + tt.settings}}.urlOf("maps")
			if err != nil {
				t.Fatal(err)
			}
			if err := dropForeignSettings(address); err != nil {
				t.Fatal(err)
			}
			want := url.URL{Scheme: "postgres", User: url.UserPassword("backup", "secret"), Host: "db:5432", Path: "/capzone_maps", RawQuery: tt.want}
			if address.String() != want.String() {
				t.Errorf("got  %s\nwant %s", address, &want)
			}
		})
	}
}

func TestAnAddressThatCannotBeReadIsNotQuoted(t *testing.T) {
	for _, address := range []string{"postgres://u:secret@db:port/x", "postgres://u:secret@db/x?sslmode=secret"} {
		b := backup{cfg: Config{DatabaseURL: address}}
		got, err := b.urlOf("maps")
		if err == nil {
			err = dropForeignSettings(got)
		}
		if err != errUnreadable { //nolint:errorlint // this very error, which quotes nothing
			t.Errorf("%s: %v", address, err)
		}
	}
}
