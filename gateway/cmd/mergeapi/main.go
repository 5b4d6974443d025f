// Command mergeapi writes the services' OpenAPI documents as one.
//
//	mergeapi OUTPUT DOCUMENT...
package main

import (
	"fmt"
	"os"

	"capzone.dev/gateway/internal/apidoc"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: mergeapi OUTPUT DOCUMENT...")
		os.Exit(2)
	}
	merged, err := apidoc.MergeFiles(os.Args[2:]...)
	if err == nil {
		err = os.WriteFile(os.Args[1], merged, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mergeapi:", err)
		os.Exit(1)
	}
}
