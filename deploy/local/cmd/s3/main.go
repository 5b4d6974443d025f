// Command s3 serves a folder as S3-compatible object storage, for development and tests. It is a process of
// its own because the library that it uses (versitygw) can run only once in a process.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

const (
	connections   = 4096
	multipartSize = 10000 // parts of an upload, as of AWS
	healthPath    = "/health"
)

func main() {
	address := flag.String("addr", "", "host:port to listen on")
	dir := flag.String("dir", "", "folder of the objects and their metadata")
	flag.Parse()
	os.Stdout = nil                   // the library prints notices there
	folder, err := filepath.Abs(*dir) // the library changes the working directory
	if err == nil {
		err = run(*address, folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "s3:", err)
		os.Exit(1)
	}
}

// run serves with the keys of S3_ACCESS_KEY and S3_SECRET_KEY until an interrupt.
func run(address, dir string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	objects := filepath.Join(dir, "objects")
	if err := os.MkdirAll(objects, 0o700); err != nil {
		return err
	}
	attributes, beside, err := attributesOf(objects, filepath.Join(dir, "metadata"))
	if err != nil {
		return err
	}
	backend, err := posix.New(objects, attributes, posix.PosixOpts{SideCarDir: beside})
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(ctx, backend, &embedgw.Config{
		RootUserAccess:    os.Getenv("S3_ACCESS_KEY"),
		RootUserSecret:    os.Getenv("S3_SECRET_KEY"),
		Ports:             []string{address},
		MaxConnections:    connections,
		MaxRequests:       connections,
		MultipartMaxParts: multipartSize,
		HealthPath:        healthPath,
		KeepAlive:         true,
		Quiet:             true,
	})
}

// attributesOf returns the storage of the objects' attributes: extended attributes of their files, which
// are fastest, or else files in the folder beside. Where that folder exists already, it is used.
func attributesOf(objects, beside string) (storer meta.MetadataStorer, sideCarDir string, err error) {
	_, err = os.Stat(beside)
	if errors.Is(err, fs.ErrNotExist) {
		if err := (meta.XattrMeta{}).Test(objects); err == nil {
			return meta.XattrMeta{}, "", nil
		}
		err = os.MkdirAll(beside, 0o700)
	}
	if err != nil {
		return nil, "", err
	}
	files, err := meta.NewSideCar(beside)
	return files, beside, err
}
