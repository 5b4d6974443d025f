package check

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
)

// once are the services that do their work and end.
var once = []string{"provision", "provision-storage"}

// watched is the deployment with simulated rooms and its profile "observability".
func watched(t *testing.T) *types.Project {
	t.Helper()
	d := shared(t)
	env := d.env()
	env["GRAFANA_PASSWORD"] = "of the operator's choice"
	p, err := d.load(env, "docker-compose.yml", simulated, watching)
	if err == nil {
		p, err = p.WithProfiles([]string{"observability"})
	}
	require.NoError(t, err)
	return p
}

const watching = "deploy/observability/compose.yml"

// TestCompose_Confinement finds a container that may do more than it needs, or that nothing bounds.
func TestCompose_Confinement(t *testing.T) {
	t.Parallel()
	user := regexp.MustCompile(`^[1-9][0-9]*:[0-9]+$`)
	for name, s := range watched(t).Services {
		limits, ends, ours := s.Deploy.Resources.Limits, slices.Contains(once, name), len(s.Profiles) == 0
		if limits == nil {
			t.Errorf("%s has no limits", name)
			continue
		}
		for what, holds := range map[string]bool{
			"runs as a user of its own, by number": user.MatchString(s.User),
			"cannot write to its image":            s.ReadOnly,
			"has no capabilities":                  slices.Equal(s.CapDrop, []string{"ALL"}) && s.CapAdd == nil && !s.Privileged,
			"cannot gain privileges":               slices.Contains(s.SecurityOpt, "no-new-privileges:true"),
			"shares no namespace":                  s.NetworkMode+s.Pid+s.Ipc+s.UserNSMode == "",
			"has bounded memory, processors, pids": limits.MemoryBytes > 0 && limits.NanoCPUs > 0 && limits.Pids > 0,
			"does not swap":                        s.MemSwapLimit == limits.MemoryBytes || !ours,
			"comes back": s.Restart == "unless-stopped" ||
				ends && strings.HasPrefix(s.Restart, "on-failure"),
			"can be scaled":               s.ContainerName == "",
			"has an image of one version": pinned(s.Image) || s.Build != nil || s.PullPolicy == types.PullPolicyNever,
			"has a health check":          s.HealthCheck != nil && len(s.HealthCheck.Test) > 1 || ends,
			"writes its volumes only":     onlyVolumesAreWritable(s),
			"aims below its limit of memory": s.Environment["GOMEMLIMIT"] != nil || s.Build == nil || ends ||
				name == "minio" || !ours,
			"is stopped with time to finish": s.StopGracePeriod != nil || ends,
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

// onlyVolumesAreWritable is false for a container with the engine's socket, too.
func onlyVolumesAreWritable(s types.ServiceConfig) bool {
	return !slices.ContainsFunc(s.Volumes, func(v types.ServiceVolumeConfig) bool {
		return v.Type != types.VolumeTypeVolume && !v.ReadOnly || strings.Contains(v.Source, "docker.sock")
	})
}

// TestCompose_Bot_mode finds a simulated bot by default, with which anybody could log in as anybody.
func TestCompose_Bot_mode(t *testing.T) {
	t.Parallel()
	for mode, overrides := range map[string][]string{"real": nil, "simulated": {simulated}} {
		if got := shared(t).project(overrides...).Services["bot"].Environment["BOT_MODE"]; got == nil || *got != mode {
			t.Errorf("with %v the bot's mode is %v, want %s", overrides, got, mode)
		}
	}
}

// TestCompose_Settings finds settings in .env that never reach a container.
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
	require.NoError(t, err)
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

// TestCompose_Ports finds a published server. Only the gateway and Grafana can be reached, from this machine only
// unless BIND is another address.
func TestCompose_Ports(t *testing.T) {
	t.Parallel()
	want := map[string]string{"gateway": "8080", "grafana": "3000"}
	for name, s := range watched(t).Services {
		for _, port := range s.Ports {
			if name == "bot" { // its simulated rooms
				continue
			}
			if port.Published != want[name] || port.HostIP != "127.0.0.1" {
				t.Errorf("%s is published as %+v", name, port)
			}
		}
	}
}

// TestCompose_Passwords finds a container with the password of another one, and passwords written as literals.
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
	assert.Equal(t, "passwords of containers", want, got)
	known := slices.Sorted(maps.Keys(env))
	for _, secret := range known {
		if !slices.ContainsFunc(slices.Collect(maps.Values(got)),
			func(s []string) bool { return slices.Contains(s, secret) }) && secret != "PUBLIC_URL" {
			t.Errorf("no service uses %s", secret)
		}
	}
}

// TestCompose_Secrets_required finds a secret without which Compose would start servers, with an empty password.
func TestCompose_Secrets_required(t *testing.T) {
	t.Parallel()
	d := shared(t)
	env := d.env()
	env["GRAFANA_PASSWORD"] = ""
	var text string
	for _, file := range []string{"docker-compose.yml", simulated, watching} {
		text += read(t, filepath.Join(root, file))
	}
	for secret := range env {
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
