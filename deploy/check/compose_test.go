package check

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/google/go-cmp/cmp"
)

// once are the services that do their work and end.
var once = []string{"provision", "provision-storage"}

func TestEveryContainerIsConfined(t *testing.T) {
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

// TestCompose_ProvisionStorage expects that one service builds the image of MinIO (two builds of one tag exclude each
// other), and that the command has the memory that MinIO's administration client needs.
func TestCompose_ProvisionStorage(t *testing.T) {
	t.Parallel()
	p := shared(t).project()
	builders := map[string][]string{}
	for name, s := range p.Services {
		if s.Build != nil {
			builders[s.Image] = append(builders[s.Image], name)
		}
	}
	for image, names := range builders {
		if len(names) > 1 {
			t.Errorf("%v build %s", names, image)
		}
	}
	s := p.Services["provision-storage"]
	if s.Image != p.Services["minio"].Image || s.PullPolicy != types.PullPolicyNever {
		t.Errorf("provision-storage has image %s with pull policy %q", s.Image, s.PullPolicy)
	}
	if got := int64(s.Deploy.Resources.Limits.MemoryBytes); got < 256<<20 {
		t.Errorf("provision-storage has %d bytes of memory", got)
	}
}

// TestCompose_Replicas expects that the numbers of replicas in .env survive an upgrade.
func TestCompose_Replicas(t *testing.T) {
	t.Parallel()
	d := shared(t)
	for _, name := range programNames(t) {
		env := d.env()
		for want, value := range map[int]string{1: "", 3: "3"} {
			env[strings.ToUpper(name)+"_REPLICAS"] = value
			p, err := d.load(env, "docker-compose.yml")
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Services[name].Deploy.Replicas; got == nil || *got != want {
				t.Errorf("%s_REPLICAS=%q: %v replicas", strings.ToUpper(name), value, got)
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

// The simulated room is for trying out only.
func TestTheBotIsRealUnlessSaidOtherwise(t *testing.T) {
	t.Parallel()
	for mode, overrides := range map[string][]string{"real": nil, "simulated": {simulated}} {
		if got := shared(t).project(overrides...).Services["bot"].Environment["BOT_MODE"]; got == nil || *got != mode {
			t.Errorf("with %v the bot's mode is %v, want %s", overrides, got, mode)
		}
	}
}

// What an operator writes into .env reaches the container that it is for.
func TestWhatAnOperatorSetsReachesItsContainer(t *testing.T) {
	t.Parallel()
	d := shared(t)
	for variable, container := range map[string]string{
		"BOT_SITE_NAME": "bot", "BOT_ROOMS": "bot", "BOT_CONTACT": "bot", "BOT_GAME_SERVERS": "bot",
		"BOT_GAME_LOCATION": "bot", "BOT_GAME_VERSION": "bot",
		"ROOMS_PER_HOUR": "auth", "ROOMS_PER_ADDRESS": "auth",
		"DELETION_DAYS":    "players",
		"POINTS_FINISHERS": "records", "POINTS_MAPS": "records", "POINTS_AUTHORS": "records",
		"TRUSTED_PROXIES": "gateway", "REQUESTS_PER_MINUTE": "gateway", "LOGINS_PER_MINUTE": "gateway",
		"SUBMISSIONS_PER_HOUR": "gateway", "PAGE_CACHE_MB": "gateway",
		"LOG_LEVEL": "records", "PUBLIC_URL": "maps",
	} {
		env := d.env()
		env[variable] = "of the operator's choice"
		p, err := d.load(env, "docker-compose.yml")
		if err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
		if got := p.Services[container].Environment[variable]; got == nil || *got != "of the operator's choice" {
			t.Errorf("%s of %s is %v", variable, container, got)
		}
	}
}

// Only the gateway can be reached, and on this machine only unless BIND is another address.
func TestOnlyTheGatewayIsPublished(t *testing.T) {
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

// Who shares a network with whom is who can talk to whom.
func TestNetworksLetTalkWhoHasTo(t *testing.T) {
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
		t.Errorf("who shares a network (-want +got):\n%s", diff)
	}
	for name, network := range p.Networks {
		if outward := name == "edge" || name == "outside" || name == "receivers"; network.Internal == outward {
			t.Errorf("network %s: internal is %v", name, network.Internal)
		}
	}
}

// Each container knows the passwords that it needs and no others.
func TestPasswordsAreKnownToWhomTheyConcern(t *testing.T) {
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
		t.Errorf("who knows which password (-want +got):\n%s", diff)
	}
	known := slices.Sorted(maps.Keys(env))
	for _, secret := range known {
		if !slices.ContainsFunc(slices.Collect(maps.Values(got)),
			func(s []string) bool { return slices.Contains(s, secret) }) && secret != "PUBLIC_URL" {
			t.Errorf("no service uses %s", secret)
		}
	}
}

func TestSecretFilesAreMountedWhereTheyAreRead(t *testing.T) {
	t.Parallel()
	want := map[string][]string{"bot": {"bot_account"}, "valkey": {"valkey_users"}}
	for _, s := range services(t) {
		if len(s.Secrets) > 0 {
			want[s.Name] = slices.Sorted(maps.Values(s.Secrets))
		}
	}
	got := map[string][]string{}
	for name, s := range shared(t).project(simulated).Services {
		for _, secret := range s.Secrets {
			got[name] = append(got[name], secret.Source)
		}
		slices.Sort(got[name])
	}
	maps.DeleteFunc(got, func(_ string, secrets []string) bool { return len(secrets) == 0 })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("who has which secret file (-want +got):\n%s", diff)
	}
}

// Without its secrets nothing starts, least of all with a default password.
func TestNothingStartsWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	d := shared(t)
	for secret := range d.env() {
		env := d.env()
		for _, value := range []string{"absent", "empty"} {
			if delete(env, secret); value == "empty" {
				env[secret] = ""
			}
			if _, err := d.load(env, "docker-compose.yml", simulated); err == nil ||
				!strings.Contains(err.Error(), secret) {
				t.Errorf("with %s %s: %v", secret, value, err)
			}
		}
	}
}

// The literal text has no secret in it.
func TestSecretsAreVariables(t *testing.T) {
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

// "docker compose up --scale records=3" gives a name with several addresses, which the gateway looks up.
func TestTheGatewayFindsServicesByName(t *testing.T) {
	t.Parallel()
	p := shared(t).project()
	gateway := p.Services["gateway"]
	for _, service := range serviceNames(t, anyService) {
		variable := strings.ToUpper(service) + "_ADDR"
		if got := gateway.Environment[variable]; got == nil || *got != service+":8080" {
			t.Errorf("%s is %v", variable, got)
		}
		s := p.Services[service]
		if len(s.Ports) > 0 || s.ContainerName != "" || s.Hostname != "" {
			t.Errorf("%s cannot be scaled", service)
		}
	}
}
