package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

// dockerfiles are all of the project.
var dockerfiles = []string{"deploy/docker/Dockerfile", "deploy/docker/minio.Dockerfile",
	"deploy/docker/nats.Dockerfile", backupImage, tempoImage}

// Those that add to an image which others publish.
const (
	backupImage = "deploy/docker/backup.Dockerfile"
	tempoImage  = "deploy/docker/tempo.Dockerfile"
)

func stages(t *testing.T, file string) (list []instructions.Stage) {
	t.Helper()
	parsed, err := parser.Parse(strings.NewReader(read(t, filepath.Join(root, file))))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, warning := range parsed.Warnings {
		t.Errorf("%s: %s", file, warning.Short)
	}
	list, _, err = instructions.Parse(parsed.AST, nil)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return list
}

// variables are what an ENV sets, each as name=value.
func variables(c *instructions.EnvCommand) (list []string) {
	for _, pair := range c.Env {
		list = append(list, pair.Key+"="+strings.Trim(pair.Value, `"`))
	}
	return list
}

// sent reports whether a path of the project goes to the builder.
func sent(t *testing.T) func(path string) bool {
	t.Helper()
	file, err := os.Open(filepath.Join(root, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	patterns, err := ignorefile.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	matcher, err := patternmatcher.New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	return func(path string) bool {
		ignored, err := matcher.MatchesOrParentMatches(path)
		if err != nil {
			t.Fatal(err)
		}
		return !ignored
	}
}

func TestImagesAreBuiltOfWhatIsThere(t *testing.T) {
	t.Parallel()
	isSent := sent(t)
	for _, file := range dockerfiles {
		named := map[string]bool{}
		for _, stage := range stages(t, file) {
			for _, command := range stage.Commands {
				c, is := command.(*instructions.CopyCommand)
				if !is {
					continue
				}
				if c.From != "" && !named[c.From] {
					t.Errorf("%s copies from the stage %s, which is not before it", file, c.From)
				}
				for _, source := range c.SourcePaths {
					if c.From != "" {
						continue
					}
					if _, err := os.Stat(filepath.Join(root, source)); err != nil {
						t.Errorf("%s copies %s: %v", file, source, err)
					}
					if !isSent(strings.TrimSuffix(source, "/")) {
						t.Errorf("%s copies %s, which .dockerignore keeps from it", file, source)
					}
				}
			}
			named[stage.Name] = true
		}
	}
}

// What goes to the builder ends up in its cache, and may end up in an image.
func TestSecretsAndRubbishStayOutOfTheBuilder(t *testing.T) {
	t.Parallel()
	isSent := sent(t)
	for _, path := range []string{".env", ".git/config", ".local/token-keys.pem", "deploy/docker/secrets/token_keys",
		".tools/bin/local",
		"web/node_modules/vite/package.json", "web/dist/index.html", "platform/event/party_test.go", "docker-compose.yml"} {
		if isSent(path) {
			t.Errorf("%s is sent to the builder", path)
		}
	}
	for _, path := range []string{"platform/go.mod", "platform/go.sum", "web/src/main.tsx", "web/package-lock.json",
		"services/maps/migrations/00001_maps.sql"} {
		if !isSent(path) {
			t.Errorf("%s is not sent to the builder", path)
		}
	}
}

var (
	version   = regexp.MustCompile(`:[0-9]+(\.[0-9]+)*(-[a-z0-9.]+)?$|-debian1[0-9]:nonroot$`)
	secretArg = regexp.MustCompile(`(?i)password|secret|token|key`)
)

func TestImages_size_and_user(t *testing.T) {
	t.Parallel()
	for _, file := range dockerfiles {
		all := stages(t, file)
		names := []string{}
		for _, stage := range all {
			if !slices.Contains(names, stage.BaseName) && !version.MatchString(stage.BaseName) {
				t.Errorf("%s builds on %s, which is no version", file, stage.BaseName)
			}
			names = append(names, stage.Name)
			for _, command := range stage.Commands {
				switch c := command.(type) {
				case *instructions.EnvCommand:
					for _, pair := range c.Env {
						if secretArg.MatchString(pair.Key) {
							t.Errorf("%s sets %s in an image", file, pair.Key)
						}
					}
				case *instructions.ArgCommand:
					for _, arg := range c.Args {
						if secretArg.MatchString(arg.Key) {
							t.Errorf("%s takes %s as an argument, which images remember", file, arg.Key)
						}
					}
				}
			}
		}
		for _, final := range finals(t, file, all) {
			chain := ancestors(final, all)
			base := chain[len(chain)-1].BaseName
			if !strings.HasPrefix(base, "gcr.io/distroless/static-") && file != backupImage && file != tempoImage {
				t.Errorf("%s: %s is made of %s", file, final.Name, base)
			}
			user, entrypoint := "", ""
			for _, stage := range slices.Backward(chain) {
				for _, command := range stage.Commands {
					switch c := command.(type) {
					case *instructions.UserCommand:
						user = c.User
					case *instructions.EntrypointCommand:
						entrypoint = c.CmdLine[0]
					case *instructions.RunCommand:
						t.Errorf("%s: %s runs a command, for which its image has no shell", file, final.Name)
					}
				}
			}
			// Compose names the programs of the image of all services (TestImagesHaveTheirHealthChecks).
			started := final.Name == "services" || brings(chain, entrypoint)
			if file != tempoImage && (user != "65532:65532" || !started) {
				t.Errorf("%s: %s runs %q as %q", file, final.Name, entrypoint, user)
			}
		}
	}
}

// finals are the stages that become images: those that Compose names, else the last one.
func finals(t *testing.T, file string, all []instructions.Stage) (list []instructions.Stage) {
	t.Helper()
	targets := map[string]bool{}
	for _, s := range shared(t).project(simulated).Services {
		if s.Build != nil && s.Build.Dockerfile == file && s.Build.Target != "" {
			targets[s.Build.Target] = true
		}
	}
	if len(targets) == 0 {
		return all[len(all)-1:]
	}
	for _, stage := range all {
		if targets[stage.Name] {
			list = append(list, stage)
		}
	}
	if len(list) != len(targets) {
		t.Errorf("%s lacks one of the targets %v", file, targets)
	}
	return list
}

// ancestors are a stage and those that it stands on, itself first.
func ancestors(stage instructions.Stage, all []instructions.Stage) []instructions.Stage {
	chain := []instructions.Stage{stage}
	for {
		i := slices.IndexFunc(all, func(s instructions.Stage) bool {
			return s.Name != "" &&
				s.Name == chain[len(chain)-1].BaseName
		})
		if i < 0 {
			return chain
		}
		chain = append(chain, all[i])
	}
}

// brings reports whether an image has the program at path.
func brings(chain []instructions.Stage, path string) bool {
	for _, stage := range chain {
		for _, command := range stage.Commands {
			c, is := command.(*instructions.CopyCommand)
			if !is {
				continue
			}
			if c.DestPath == path {
				return true
			}
			for _, source := range c.SourcePaths {
				if source == "/out/services/" && c.DestPath+filepath.Base(path) == path {
					return true // it has the programs of all services
				}
				if strings.HasSuffix(c.DestPath, "/") && c.DestPath+filepath.Base(source) == path {
					return true
				}
			}
		}
	}
	return false
}

// Each image has the program that its health check calls.
func TestImagesHaveTheirHealthChecks(t *testing.T) {
	t.Parallel()
	project := watched(t)
	builds := map[string]*types.BuildConfig{}
	for _, s := range project.Services {
		if s.Build != nil {
			builds[s.Image] = s.Build
		}
	}
	for name, s := range project.Services {
		build := builds[s.Image]
		if build == nil || s.HealthCheck == nil {
			continue
		}
		all := stages(t, build.Dockerfile)
		stage := all[len(all)-1]
		if i := slices.IndexFunc(all, func(st instructions.Stage) bool { return st.Name == build.Target }); i >= 0 {
			stage = all[i]
		}
		program := s.HealthCheck.Test[1]
		if s.HealthCheck.Test[0] != "CMD" || !brings(ancestors(stage, all), program) {
			t.Errorf("%s has no %s in its image", name, program)
		}
		if len(s.Entrypoint) > 0 && !brings(ancestors(stage, all), s.Entrypoint[0]) {
			t.Errorf("%s has no %s in its image", name, s.Entrypoint[0])
		}
	}
}

// The image has the NATS server that the tests have run, and so has the chart.
func TestTheNATSServerIsTheOneThatIsTested(t *testing.T) {
	t.Parallel()
	tested := regexp.MustCompile(`nats-server/v2 v(\S+)`).FindStringSubmatch(read(t, root+"/deploy/nats/go.mod"))
	built := regexp.MustCompile(`NATS_VERSION=v(\S+)`).
		FindStringSubmatch(read(t, root+"/deploy/docker/nats.Dockerfile"))
	chart := regexp.MustCompile(`tag: (\S+)-alpine`).
		FindStringSubmatch(read(t, root+"/deploy/k8s/operators/nats-values.yaml"))
	if tested == nil || built == nil || chart == nil || tested[1] != built[1] || tested[1] != chart[1] {
		t.Errorf("tested is %v, built is %v, the chart has %v", tested, built, chart)
	}
}

// PostgreSQL's tools refuse a server of another version.
func TestBackupsAreMadeByToolsOfTheServersVersion(t *testing.T) {
	t.Parallel()
	all := stages(t, backupImage)
	server := shared(t).project().Services["postgres"].Image
	if tools := all[len(all)-1].BaseName; tools != server {
		t.Errorf("the tools are those of %s, the server is %s", tools, server)
	}
}

// Images have no libraries of a system, nor what would load them. To link the
// programs shows it, too, and takes minutes (make test-images); what has a program
// linked with libraries is known before.
func TestProgramsOfImagesNeedNoLibraries(t *testing.T) {
	t.Parallel()
	const image = "deploy/docker/Dockerfile"
	all := stages(t, image)
	i := slices.IndexFunc(all, func(s instructions.Stage) bool { return s.Name == "programs" })
	if i < 0 {
		t.Fatalf("%s has no stage that builds programs", image)
	}
	environment := os.Environ()
	for _, command := range all[i].Commands {
		if c, is := command.(*instructions.EnvCommand); is {
			environment = append(environment, variables(c)...)
		}
	}
	modules := []string{"gateway", "bot", "platform"}
	for _, name := range serviceNames(t, anyService) {
		modules = append(modules, "services/"+name)
	}
	for _, module := range modules {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "./cmd/...")
		list.Dir, list.Env = filepath.Join(root, module), environment
		packages, err := list.Output()
		if err != nil {
			t.Fatalf("the packages of %s: %v", module, err)
		}
		for pkg := range strings.Lines(string(packages)) {
			if pkg = strings.TrimSpace(pkg); pkg == "runtime/cgo" ||
				strings.HasPrefix(pkg, "github.com/ebitengine/purego") {
				t.Errorf("%s is linked with libraries by %s", module, pkg)
			}
		}
	}
}

// TestNodeOfTheBuildImage shows that the build image has the newest Node that the site allows, one whose
// maintenance has not ended, down to the patch.
func TestNodeOfTheBuildImage(t *testing.T) {
	t.Parallel()
	image := regexp.MustCompile(`node:(\d+)\.\d+\.\d+-`).FindStringSubmatch(read(t, root+"/deploy/docker/Dockerfile"))
	allowed := regexp.MustCompile(`"node": ">=(\d+) <(\d+)"`).FindStringSubmatch(read(t, root+"/web/package.json"))
	if image == nil || allowed == nil {
		t.Fatalf("the image has %v, the site allows %v", image, allowed)
	}
	major, err := strconv.Atoi(image[1])
	after, errAfter := strconv.Atoi(allowed[2])
	if err != nil || errAfter != nil || major < 24 || major != after-1 {
		t.Errorf("the image has Node %s, the site is built with %s to below %s", image[1], allowed[1], allowed[2])
	}
}
