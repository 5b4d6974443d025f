// Command backup saves everything that Capzone keeps into a folder, while it
// runs, and brings it back onto empty servers.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/caarlos0/env/v11"
)

const usage = `usage: backup save FOLDER | backup restore FOLDER

  save      dump every database and mirror every bucket into the folder; again into the same one takes only what is new
  restore   bring the folder's content onto empty databases and into the buckets, while no service runs

Both read DATABASE_URL (any database of the server, as a role that may read or write all), S3_ENDPOINT, S3_ACCESS_KEY,
S3_SECRET_KEY and, where pg_dump and pg_restore of the server's version are not on the PATH, PG_BIN (their folder).`

var errUsage = errors.New("wrong arguments")

// Config is the environment.
type Config struct {
	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	Endpoint    string `env:"S3_ENDPOINT,required,notEmpty"`
	AccessKey   string `env:"S3_ACCESS_KEY,required,notEmpty"`
	SecretKey   string `env:"S3_SECRET_KEY,required,notEmpty"`
	// PGBin is where pg_dump and pg_restore lie; empty looks on the PATH.
	PGBin string `env:"PG_BIN"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if errors.Is(err, errUsage) {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "backup:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string, out io.Writer) error {
	if len(arguments) != 2 || arguments[0] != "save" && arguments[0] != "restore" {
		return errUsage
	}
	var cfg Config
	if err := env.Parse(&cfg); err != nil {
		return fmt.Errorf("the environment is wrong: %w", err)
	}
	folder, err := filepath.Abs(arguments[1])
	if err != nil {
		return err
	}
	files, err := openStorage(cfg)
	if err != nil {
		return err
	}
	b := backup{folder: folder, cfg: cfg, files: files, out: out}
	if arguments[0] == "save" {
		return b.save(ctx)
	}
	return b.restore(ctx)
}

// backup is a folder and what it is a backup of.
type backup struct {
	folder string
	cfg    Config
	files  storage
	out    io.Writer
}

func (b backup) say(format string, args ...any) { fmt.Fprintf(b.out, format+"\n", args...) }

// databases are dumped in this order: what a row names in a neighbour's database
// is in that neighbour's dump, which is the younger one.
var databases = []string{"records", "maps", "auth", "players"}

// buckets are those of the services that keep files.
var buckets = []string{"maps", "records", "players"}

func database(service string) string { return "capzone_" + service }

func bucket(service string) string { return "capzone-" + service }

// The folder's content.
func (b backup) dumps() string                 { return filepath.Join(b.folder, "databases") }
func (b backup) filesOf(service string) string { return filepath.Join(b.folder, "files", service) }
func dumpOf(folder, service string) string     { return filepath.Join(folder, service+".dump") }
func (b backup) path(service, key string) string {
	return filepath.Join(b.filesOf(service), filepath.FromSlash(key))
}
