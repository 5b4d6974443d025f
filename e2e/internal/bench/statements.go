package bench

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/search"
)

// statementLog finds out which statements a service runs, from the log of the
// database server, so that pgbench runs the very same.
type statementLog struct {
	file     string
	database string // an address
}

// entryStart begins each entry of the log, and keeps other lines apart.
const entryStart = "statement-log "

// script returns the statements that do makes a service run for a term, as a
// script of pgbench. Statements without the term are others'.
func (l statementLog) script(ctx context.Context, term string, do func() error) (string, error) {
	conn, err := pgx.Connect(ctx, l.database)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := alter(ctx, conn, "log_line_prefix = '"+entryStart+"'", "log_statement = 'all'"); err != nil {
		return "", err
	}
	defer func() {
		_ = alter(context.WithoutCancel(ctx), conn, "log_statement to default", "log_line_prefix to default")
	}()

	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	key := search.Key(term)
	for {
		before, err := os.ReadFile(l.file)
		if err != nil {
			return "", err
		}
		if err := do(); err != nil {
			return "", err
		}
		after, err := os.ReadFile(l.file)
		if err != nil {
			return "", err
		}
		if found := statements(string(after[len(before):]), key); len(found) > 0 {
			return strings.Join(found, ";\n") + ";\n", nil
		}
		select {
		case <-ctx.Done():
			return "", errors.New("the services' statements do not appear in the log")
		case <-time.After(20 * time.Millisecond): // until the setting has reached all sessions
		}
	}
}

func alter(ctx context.Context, conn *pgx.Conn, settings ...string) error {
	for _, setting := range settings {
		statement := "alter system set " + setting
		if name, ok := strings.CutSuffix(setting, " to default"); ok {
			statement = "alter system reset " + name
		}
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	_, err := conn.Exec(ctx, "select pg_reload_conf()")
	return err
}

var (
	executed   = regexp.MustCompile(`^LOG:\s+(?:execute [^:]+|statement): ((?s).*)$`)
	parameters = regexp.MustCompile(`^DETAIL:\s+[Pp]arameters: ((?s).*)$`)
	parameter  = regexp.MustCompile(`\$(\d+) = (NULL|'(?:[^']|'')*')`)
)

// statements are those in a log that ask for a key, with their values in place.
func statements(log, key string) []string {
	var found []string
	sql := ""
	for entry := range strings.SplitSeq(log, entryStart) {
		entry = strings.TrimSpace(entry)
		if m := executed.FindStringSubmatch(entry); m != nil {
			sql = strings.TrimSpace(strings.ReplaceAll(m[1], "\n\t", "\n"))
			// Of the simple protocol, which has its values in place.
			if strings.Contains(sql, "'"+key+"'") {
				found, sql = append(found, sql), ""
			}
		}
		if m := parameters.FindStringSubmatch(entry); m != nil && sql != "" && strings.Contains(m[1], key) {
			var values []string
			for _, p := range parameter.FindAllStringSubmatch(m[1], -1) {
				values = append(values, literal(p[2]))
			}
			found, sql = append(found, inline(sql, values)), ""
		}
	}
	return found
}

// literal hides the colons of a value, which pgbench would take for its variables.
func literal(value string) string {
	if !strings.Contains(value, ":") {
		return value
	}
	return "E" + strings.ReplaceAll(strings.ReplaceAll(value, `\`, `\\`), ":", `\x3a`)
}

var placeholder = regexp.MustCompile(`\$(\d+)`)

// inline puts values in the place of a statement's parameters.
func inline(sql string, values []string) string {
	return placeholder.ReplaceAllStringFunc(sql, func(p string) string {
		n, err := strconv.Atoi(p[1:])
		if err != nil || n < 1 || n > len(values) {
			return p
		}
		return "(" + values[n-1] + ")"
	})
}
