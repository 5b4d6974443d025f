package check

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/google/go-cmp/cmp"
)

// once are the services that do their work and end.
var once = []string{"provision", "provision-storage"}

func TestCompose_Confinement(t *testing.T) {
	t.Parallel()
	for name, s := range shared(t).project(simulated).Services {
		limits := s.Deploy.Resources.Limits
		for what, holds := range map[string]bool{
			"runs as a user of its own, by number": regexp.MustCompile(`^[1-9][0-9]*:[1-9][0-9]*$`).MatchString(s.User),
			"cannot write to its image":            s.ReadOnly,
			"has no capabilities": slices.Equal(s.CapDrop, []string{"ALL"}) && len(s.CapAdd) == 0 &&
				!s.Privileged,
			"cannot gain privileges": slices.Contains(s.SecurityOpt, "no-new-privileges:true"),
			"shares no namespace with the machine": s.NetworkMode == "" && s.Pid == "" && s.Ipc == "" &&
				s.UserNSMode == "",
			"has bounded memory, processors and pids": limits != nil && limits.MemoryBytes > 0 && limits.NanoCPUs > 0 &&
				limits.Pids > 0,
			"does not swap": limits != nil && s.MemSwapLimit == limits.MemoryBytes,
			"comes back": s.Restart == "unless-stopped" || slices.Contains(once, name) &&
				strings.HasPrefix(s.Restart, "on-failure"),
			"can be scaled": s.ContainerName == "",
			"has an image of one version": pinned(s.Image) || s.Build != nil ||
				s.PullPolicy == types.PullPolicyNever,
			"has a health check": s.HealthCheck != nil && len(s.HealthCheck.Test) > 1 ||
				slices.Contains(once, name),
			"does not see the engine's socket":          !mounts(s, "docker.sock"),
			"writes its volumes only, else into memory": onlyVolumesAreWritable(s),
			"has the collector work before the kernel": s.Environment["GOMEMLIMIT"] != nil || s.Build == nil ||
				slices.Contains(once, name) || name == "minio",
			"is stopped with time to finish, if it runs": s.StopGracePeriod != nil || slices.Contains(once, name),
		} {
			if !holds {
				t.Errorf("%s does not hold: it %s", name, what)
			}
		}
	}
}

// pinned reports whether an image's tag names a version.
func pinned(image string) bool {
	_, tag, tagged := strings.Cut(image, ":")
	return tagged && regexp.MustCompile(`^v?[0-9]+\.[0-9]+`).MatchString(tag)
}

func mounts(s types.ServiceConfig, file string) bool {
	return slices.ContainsFunc(s.Volumes, func(v types.ServiceVolumeConfig) bool {
		return strings.Contains(v.Source,
			file)
	})
}

func onlyVolumesAreWritable(s types.ServiceConfig) bool {
	return !slices.ContainsFunc(s.Volumes, func(v types.ServiceVolumeConfig) bool {
		return v.Type != "volume" &&
			!v.ReadOnly
	})
}

// TestCompose_Bot_mode expects a real bot by default: simulated rooms are for trying out only.
func TestCompose_Bot_mode(t *testing.T) {
	t.Parallel()
	for mode, overrides := range map[string][]string{"real": nil, "simulated": {simulated}} {
		if got := shared(t).project(overrides...).Services["bot"].Environment["BOT_MODE"]; got == nil || *got != mode {
			t.Errorf("with %v the bot's mode is %v, want %s", overrides, got, mode)
		}
	}
}

// TestCompose_Settings expects that what an operator writes into .env reaches its container.
func TestCompose_Settings(t *testing.T) {
	t.Parallel()
	d := shared(t)
	settings := map[string]string{
		"BOT_SITE_NAME": "bot", "BOT_ROOMS": "bot", "BOT_CONTACT": "bot", "BOT_GAME_SERVERS": "bot",
		"BOT_GAME_LOCATION": "bot", "BOT_GAME_VERSION": "bot",
		"ROOMS_PER_HOUR": "auth", "ROOMS_PER_ADDRESS": "auth",
		"DELETION_DAYS":    "players",
		"POINTS_FINISHERS": "records", "POINTS_MAPS": "records", "POINTS_AUTHORS": "records",
		"TRUSTED_PROXIES": "gateway", "REQUESTS_PER_MINUTE": "gateway", "LOGINS_PER_MINUTE": "gateway",
		"SUBMISSIONS_PER_HOUR": "gateway", "PAGE_CACHE_MB": "gateway",
		"LOG_LEVEL": "records", "PUBLIC_URL": "maps",
	}
	for _, name := range programNames(t) {
		settings[strings.ToUpper(name)+"_REPLICAS"] = ""
	}
	env := d.env()
	for variable, container := range settings {
		env[variable] = "of the operator's choice"
		if container == "" {
			env[variable] = "3"
		}
	}
	p, err := d.load(env, "docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	for variable, container := range settings {
		if container == "" {
			name := strings.ToLower(strings.TrimSuffix(variable, "_REPLICAS"))
			if got := p.Services[name].Deploy.Replicas; got == nil || *got != 3 {
				t.Errorf("%s is %v", variable, got)
			}
			continue
		}
		if got := p.Services[container].Environment[variable]; got == nil || *got != env[variable] {
			t.Errorf("%s of %s is %v", variable, container, got)
		}
	}
}

// TestCompose_Ports expects that only the gateway can be reached, and on this machine only unless BIND is another
// address.
func TestCompose_Ports(t *testing.T) {
	t.Parallel()
	for name, s := range shared(t).project().Services {
		if name == "gateway" {
			if len(s.Ports) != 1 || s.Ports[0].HostIP != "127.0.0.1" || s.Ports[0].Published != "8080" {
				t.Errorf("the gateway is published as %+v", s.Ports)
			}
			continue
		}
		if len(s.Ports) > 0 {
			t.Errorf("%s is published: %+v", name, s.Ports)
		}
	}
}

// TestCompose_Networks expects that only containers which talk to each other share a network.
func TestCompose_Networks(t *testing.T) {
	t.Parallel()
	p := shared(t).project(simulated)
	got := map[string][]string{}
	for name, s := range p.Services {
		for network := range s.Networks {
			got[network] = append(got[network], name)
		}
	}
	for network := range got {
		slices.Sort(got[network])
	}
	want := map[string][]string{
		"edge":    {"gateway"},
		"outside": {"bot"}, // to the game's servers, and for simulated rooms from this machine
		// To the receivers of webhooks.
		"receivers": serviceNames(t, usesInternet),
		"site":      append(serviceNames(t, anyService), "gateway"),
		"database":  append(serviceNames(t, anyService), "postgres"),
		"bus":       append(serviceNames(t, anyService), "gateway", "nats", "provision"),
		"rooms":     {"bot", "nats"},
		"cache":     append(serviceNames(t, usesValkey), "gateway", "valkey"),
		"storage":   append(serviceNames(t, hasBucket), "minio", "provision-storage"),
	}
	for network := range want {
		slices.Sort(want[network])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("members of networks (-want +got):\n%s", diff)
	}
	for name, network := range p.Networks {
		if outward := name == "edge" || name == "outside" || name == "receivers"; network.Internal == outward {
			t.Errorf("network %s: internal is %v", name, network.Internal)
		}
	}
}

// TestCompose_Passwords expects that each container has the passwords that it needs and no others.
func TestCompose_Passwords(t *testing.T) {
	t.Parallel()
	d := shared(t)
	env := d.env()
	want := map[string][]string{
		"gateway":           {"NATS_GATEWAY_PASSWORD", "VALKEY_GATEWAY_PASSWORD"},
		"bot":               {"NATS_BOT_PASSWORD"},
		"provision":         {"NATS_PROVISION_PASSWORD"},
		"provision-storage": {"MINIO_ROOT_PASSWORD"},
		"postgres":          {"POSTGRES_PASSWORD"},
		"nats":              {"NATS_BOT_PASSWORD", "NATS_GATEWAY_PASSWORD", "NATS_PROVISION_PASSWORD"},
		"minio":             {"MINIO_ROOT_PASSWORD"},
	}
	share := func(service, server, prefix string) {
		password := prefix + "_" + strings.ToUpper(service) + "_PASSWORD"
		want[service] = append(want[service], password)
		if server != "valkey" { // which knows hashes
			want[server] = append(want[server], password)
		}
	}
	for _, s := range services(t) {
		share(s.Name, "postgres", "POSTGRES")
		share(s.Name, "nats", "NATS")
		if s.Bucket {
			share(s.Name, "provision-storage", "MINIO")
		}
		if s.Valkey {
			share(s.Name, "valkey", "VALKEY")
		}
	}
	for name := range want {
		slices.Sort(want[name])
	}
	got := map[string][]string{}
	for name, s := range d.project(simulated).Services {
		for secret, value := range env {
			if secret != "PUBLIC_URL" && strings.Contains(strings.Join(environment(s), "\n"), value) {
				got[name] = append(got[name], secret)
			}
		}
		slices.Sort(got[name])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("passwords of containers (-want +got):\n%s", diff)
	}
	known := slices.Sorted(maps.Keys(env))
	for _, secret := range known {
		if !slices.ContainsFunc(slices.Collect(maps.Values(got)),
			func(s []string) bool { return slices.Contains(s, secret) }) && secret != "PUBLIC_URL" {
			t.Errorf("no service uses %s", secret)
		}
	}
}

// TestCompose_Secrets_required expects that Compose refuses to start anything where a secret is absent or empty.
func TestCompose_Secrets_required(t *testing.T) {
	t.Parallel()
	d := shared(t)
	text := read(t, filepath.Join(root, "docker-compose.yml")) + read(t, filepath.Join(root, simulated))
	for secret := range d.env() {
		uses := regexp.MustCompile(`\$\{`+secret+`\b[^}]*`).FindAllString(text, -1)
		if len(uses) == 0 {
			t.Errorf("%s is not used", secret)
		}
		for _, use := range uses {
			if !strings.HasPrefix(use, "${"+secret+":?") {
				t.Errorf("%s} may be empty", use)
			}
		}
	}
	if _, err := d.load(nil, "docker-compose.yml"); err == nil || !strings.Contains(err.Error(), "is missing a value") {
		t.Errorf("without secrets: %v", err)
	}
}

// TestCompose_Secrets_literal expects no secret in the text itself.
func TestCompose_Secrets_literal(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"docker-compose.yml", simulated} {
		for line := range strings.Lines(read(t, root+"/"+file)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			value = strings.TrimSpace(value)
			secret := strings.HasSuffix(name, "PASSWORD") || strings.HasSuffix(name, "SECRET_KEY")
			if secret && !strings.HasPrefix(value, "${") {
				t.Errorf("%s: %s", file, line)
			}
			if _, rest, is := strings.Cut(value, "://"); is && strings.Contains(rest, "@") {
				if _, password, _ := strings.Cut(rest, ":"); !strings.HasPrefix(password, "${") {
					t.Errorf("%s: %s", file, line)
				}
			}
		}
	}
}
