package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/httpget"
)

// entryStart begins each entry of the database server's log while statements are logged.
const entryStart = "statement-log "

var (
	// statement is an entry with its parameters in the next entry.
	statement = regexp.MustCompile(`(?s)LOG:  execute [^:]+: (.*?)\s*` + entryStart + `DETAIL:  [Pp]arameters: ([^\n]*)`)
	parameter = regexp.MustCompile(`\$\d+ = (NULL|'(?:[^']|'')*')`)
	inPlace   = regexp.MustCompile(`\$(\d+)`)
)

// statementsOf returns a pgbench script of the statements with a term in a parameter that a service runs for a page.
func (b *bench) statementsOf(ctx context.Context, database, term, page string) (_ string, err error) {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	defer func() {
		for _, sql := range []string{"alter system reset all", "select pg_reload_conf()"} {
			_, errReset := conn.Exec(context.WithoutCancel(ctx), sql)
			err = errors.Join(err, errReset)
		}
	}()
	for _, sql := range []string{
		"alter system set log_line_prefix = '" + entryStart + "'", "alter system set log_statement = 'all'",
		"select pg_reload_conf()",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	file := filepath.Join(b.running.DataDir, "postgres.log")
	for range 100 { // until the setting has reached all sessions
		before, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if _, err := httpget.Body(ctx, page); err != nil {
			return "", err
		}
		after, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		var script strings.Builder
		for _, found := range statement.FindAllStringSubmatch(string(after[len(before):]), -1) {
			if strings.Contains(found[2], term) {
				script.WriteString(withValues(found[1], parameter.FindAllStringSubmatch(found[2], -1)) + ";\n")
			}
		}
		if script.Len() > 0 {
			return script.String(), nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "", errors.New("the services' statements do not appear in the log")
}

// withValues puts values in the place of a statement's parameters.
func withValues(sql string, values [][]string) string {
	return inPlace.ReplaceAllStringFunc(sql, func(p string) string {
		n, err := strconv.Atoi(p[1:])
		if err != nil || n < 1 || n > len(values) {
			return p
		}
		return "(" + values[n-1][1] + ")"
	})
}
