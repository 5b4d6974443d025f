// Command samples writes the sample files for trying the site: the image of one map and replays of
// several players on it, with an index. Run it as go generate ./... in the module's folder after a
// change of the packages that make them.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
)

//go:generate go run . -out ../../../docs/samples

func main() {
	out := flag.String("out", ".", "the folder to write to")
	flag.Parse()
	if err := write(*out); err != nil {
		log.Fatal(err)
	}
}

func write(folder string) error {
	files, err := samples()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
