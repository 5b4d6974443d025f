package check

import (
	"cmp"
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"

	"capzone.dev/devstack/require"
)

// image is what a builder makes of a Dockerfile: a folder for each stage. Bases
// are left out: commands run with this machine's Go, Node and shell.
type image struct {
	t      *testing.T
	folder string
	stages []instructions.Stage
}

// buildImage does what the Dockerfile says, step by step.
func buildImage(t *testing.T, file string) image {
	t.Helper()
	b := image{t, t.TempDir(), stages(t, file)}
	for i, stage := range b.stages {
		b.stage(i, stage)
	}
	return b
}

// root is the folder of a stage, given by name or number.
func (b image) root(stage string) string {
	i := slices.IndexFunc(b.stages, func(s instructions.Stage) bool { return s.Name == stage })
	if i < 0 {
		return filepath.Join(b.folder, stage)
	}
	return filepath.Join(b.folder, fmt.Sprint(i))
}

// named returns the stage of a name.
func (b image) named(name string) (stage instructions.Stage) {
	for _, s := range b.stages {
		if s.Name == name {
			stage = s
		}
	}
	return stage
}

func (b image) stage(number int, stage instructions.Stage) {
	b.t.Helper()
	root, workdir := b.root(fmt.Sprint(number)), "/"
	require.NoError(b.t, os.MkdirAll(root, 0o750))
	if slices.ContainsFunc(b.stages[:number], func(s instructions.Stage) bool { return s.Name == stage.BaseName }) {
		require.NoError(b.t, os.CopyFS(root, os.DirFS(b.root(stage.BaseName))))
	}
	environment := append(os.Environ(), "TARGETOS="+runtime.GOOS, "TARGETARCH="+imagesArch())
	for _, command := range stage.Commands {
		switch c := command.(type) {
		case *instructions.EnvCommand:
			environment = append(environment, variables(c)...)
		case *instructions.ArgCommand:
			for _, arg := range c.Args {
				if arg.Value != nil {
					environment = append(environment, arg.Key+"="+*arg.Value)
				}
			}
		case *instructions.WorkdirCommand:
			workdir = path.Join("/", c.Path)
			require.NoError(b.t, os.MkdirAll(filepath.Join(root, workdir), 0o750))
		case *instructions.CopyCommand:
			b.copy(c, root, workdir)
		case *instructions.RunCommand:
			b.run(strings.Join(c.CmdLine, " "), root, workdir, environment)
		}
	}
}

// places are absolute paths in the commands of our Dockerfiles, which lie in the stage's folder here.
var places = regexp.MustCompile(`(^|[\s="])(/(?:out|src|build)\b)`)

func (b image) run(script, root, workdir string, environment []string) {
	b.t.Helper()
	command := exec.CommandContext(b.t.Context(), "/bin/sh", "-ec", places.ReplaceAllString(script, "${1}"+root+"${2}"))
	command.Dir = filepath.Join(root, workdir)
	command.Env = environment
	if output, err := command.CombinedOutput(); err != nil {
		b.t.Fatalf("RUN %s: %v\n%s", script, err, output)
	}
}

// copy copies files of the project that go to the builder, or of another stage.
func (b image) copy(c *instructions.CopyCommand, root, workdir string) {
	b.t.Helper()
	to := c.DestPath
	if !path.IsAbs(to) {
		to = path.Join(workdir, to)
	}
	if strings.HasSuffix(c.DestPath, "/") || len(c.SourcePaths) > 1 {
		to += "/"
	}
	if c.From != "" && len(b.named(c.From).Commands) == 0 {
		return // an image of others, whose files are not here
	}
	for _, source := range c.SourcePaths {
		from, isSent := b.project(), sent(b.t)
		if c.From != "" {
			from, isSent = b.root(c.From), func(string) bool { return true }
		}
		copyTree(b.t, from, path.Clean("/" + source)[1:], filepath.Join(root, to), strings.HasSuffix(to, "/"), isSent)
	}
}

func (b image) project() string {
	b.t.Helper()
	folder, err := filepath.Abs(root)
	require.NoError(b.t, err)
	return folder
}

// copyTree copies a file, or what is in a folder, as COPY does.
func copyTree(t *testing.T, from, source, to string, intoFolder bool, wanted func(path string) bool) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(from, source), func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		if !wanted(filepath.ToSlash(inside)) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		below, err := filepath.Rel(filepath.Join(from, source), file)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		if below == "." && !entry.IsDir() && intoFolder {
			target = filepath.Join(to, filepath.Base(file))
		}
		if entry.IsDir() {
			return os.MkdirAll(target, 0o750)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o750); err != nil {
			return err
		}
		return os.WriteFile(target, data, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every step of every Dockerfile is done, from the files that go to the builder,
// and what comes out runs without anything beside it. It takes minutes, so it has
// a target of its own: make test-images.
func TestTheStepsOfEveryDockerfile(t *testing.T) {
	t.Parallel()
	if os.Getenv("IMAGES") == "" || runtime.GOOS != "linux" {
		t.Skip("only make test-images builds the images, on Linux")
	}
	d := deploy(t)
	d.fillBotAccount()
	compose := d.project().Services
	for _, file := range dockerfiles {
		t.Run(filepath.Base(file), func(t *testing.T) {
			built := buildImage(t, file)
			for _, final := range finals(t, file, built.stages) {
				name := final.Name
				if name == "" {
					name = fmt.Sprint(len(built.stages) - 1)
				}
				root := built.root(name)
				size, found := int64(0), 0
				require.NoError(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
					if err != nil || entry.IsDir() {
						return err
					}
					info, err := entry.Info()
					size += info.Size()
					if filepath.Dir(file) == root {
						found++
						standsAlone(t, file)
					}
					return err
				}))
				t.Logf(
					"%s %s: %d programs, %.1f MB above its base",
					filepath.Base(file),
					final.Name,
					found,
					float64(size)/1e6,
				)
				if found == 0 {
					t.Errorf("the image %s has no program", name)
				}
				runsHere := imagesArch() == runtime.GOARCH
				for _, program := range programNames(t) {
					if _, err := os.Stat(filepath.Join(root, program)); err != nil || !runsHere {
						continue
					}
					check := exec.CommandContext(t.Context(), filepath.Join(root, program), "check-env")
					check.Env = d.inContainer(compose[program])
					if output, err := check.CombinedOutput(); err != nil {
						t.Errorf("%s: %v\n%s", program, err, output)
					}
				}
				if final.Name == "gateway" {
					if page := read(t, filepath.Join(root, "web", "index.html")); !strings.Contains(page, "/assets/") {
						t.Errorf("the gateway's image has no built site: %.200s", page)
					}
				}
			}
		})
	}
}

// imagesArch is the processor that images are built for.
func imagesArch() string { return cmp.Or(os.Getenv("IMAGES_ARCH"), runtime.GOARCH) }

// standsAlone checks that a program is for the right processor and needs no library and no shell.
func standsAlone(t *testing.T, file string) {
	t.Helper()
	if strings.HasPrefix(read(t, file), "#!") && strings.HasSuffix(file, "backup") {
		return // a script for the shell of its base
	}
	program, err := elf.Open(file)
	if err != nil {
		t.Errorf("%s is no program: %v", file, err)
		return
	}
	defer program.Close()
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	if want := machines[imagesArch()]; program.Machine != want {
		t.Errorf("%s is for %s, want %s", file, program.Machine, want)
	}
	if slices.ContainsFunc(program.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Errorf("%s is linked with libraries, which its image does not have", file)
	}
	info, err := os.Stat(file)
	require.NoError(t, err)
	if info.Mode()&0o111 == 0 {
		t.Errorf("%s cannot be run", file)
	}
}
