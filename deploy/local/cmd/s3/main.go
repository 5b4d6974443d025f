// Command s3 serves a folder as S3-compatible object storage, for development and tests. It is a process of
// its own because the library behind it (versitygw) can run only once in a process.
//
// It says "ready" on its standard output once it listens, and ends at an interrupt or when its standard
// input ends: with the process that started it, however that one ended.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
	"github.com/versity/versitygw/s3api"
)

const (
	connections   = 4096
	multipartSize = 10000 // parts of an upload, as of AWS
	healthPath    = "/health"
)

func main() {
	address := flag.String("addr", "", "where to listen, host:port")
	dir := flag.String("dir", "", "where objects and their metadata are kept")
	temporary := flag.Bool("temporary", false, "remove the folder at the end")
	flag.Parse()
	folder, err := filepath.Abs(*dir) // the library changes the working directory
	if err == nil {
		err = run(*address, folder)
	}
	if *temporary {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "s3:", err)
		os.Exit(1)
	}
}

// run serves with the keys of S3_ACCESS_KEY and S3_SECRET_KEY until it is told to stop.
func run(address, dir string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()

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
		S3Options:         []s3api.Option{s3api.WithOnListen(func() { fmt.Println("ready") })},
	})
}

// attributesOf returns where the attributes of objects are kept: with their files,
// where the file system can do that, which is the quickest; else in files of their own
// in the folder beside. Where that is there from an earlier time it goes on.
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
