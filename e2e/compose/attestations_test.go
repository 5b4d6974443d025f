package compose

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"capzone.dev/e2e/internal/engine"
)

// TestImages_Attestations builds all images with provenance and SBOMs, by the command of docs/operations.md. The
// scanner takes minutes to build, so that it is a part of make verify.
func TestImages_Attestations(t *testing.T) {
	if os.Getenv("SBOMS") == "" {
		t.Skip("SBOMS is not set: only make verify builds images with attestations")
	}
	build := running.inSite(t.Context(), "docker", "compose", "--profile", "backup", "build",
		"--provenance", "mode=max", "--sbom", "true")
	build.Env = append(build.Env, "CAPZONE_VERSION=attested")
	if _, err := engine.Output(build); err != nil {
		t.Fatal(err)
	}
	for image, want := range map[string]struct{ base, program string }{
		"services":  {"golang", "capzone.dev/services/records"},
		"gateway":   {"node", "capzone.dev/gateway"},
		"bot":       {"golang", "capzone.dev/bot"},
		"provision": {"golang", "capzone.dev/platform"},
		"nats":      {"golang", "github.com/nats-io/nats-server/v2"},
		"minio":     {"golang", "github.com/minio/minio"},
		"backup":    {"postgres", "ca-certificates"},
	} {
		got := readAttestations(t, "capzone/"+image+":attested")
		if !slices.Contains(got.packages, want.program) {
			t.Errorf("the SBOM of %s has no %s among %v", image, want.program, got.packages)
		}
		isBase := func(material string) bool { return strings.HasPrefix(material, "pkg:docker/"+want.base+"@") }
		if !slices.ContainsFunc(got.materials, isBase) {
			t.Errorf("the provenance of %s has no %s among %v", image, want.base, got.materials)
		}
		if image == "gateway" && !slices.Contains(got.packages, "react") {
			t.Errorf("the SBOM of the gateway has no packages of the web application: %v", got.packages)
		}
		t.Logf("%s has %d packages and is made of %v", image, len(got.packages), got.materials)
	}
}

// attestations are the SBOMs and the provenance of an image.
type attestations struct {
	packages  []string // names of what the SBOMs list
	materials []string // package URLs of what the image was made of, in the provenance
}

// readAttestations reads the in-toto statements of an image, which are files of the archive that the engine saves.
func readAttestations(t *testing.T, image string) (found attestations) {
	t.Helper()
	save := running.Command(t.Context(), "docker", "save", image)
	archive, err := save.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := save.Start(); err != nil {
		t.Fatal(err)
	}
	files := tar.NewReader(archive)
	for {
		_, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var statement struct {
			PredicateType string
			Predicate     struct {
				Packages  []struct{ Name string }
				Materials []struct{ URI string }
			}
		}
		if json.NewDecoder(files).Decode(&statement) != nil || statement.PredicateType == "" {
			continue // a layer, a manifest or a configuration
		}
		for _, p := range statement.Predicate.Packages {
			found.packages = append(found.packages, p.Name)
		}
		for _, m := range statement.Predicate.Materials {
			found.materials = append(found.materials, m.URI)
		}
	}
	if _, err := io.Copy(io.Discard, archive); err != nil {
		t.Fatal(err)
	}
	if err := save.Wait(); err != nil {
		t.Fatal(err)
	}
	return found
}
