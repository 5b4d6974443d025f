package stack

import (
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
)

func TestReadSettings(t *testing.T) {
	kinds := realKinds(t)
	for _, c := range []struct {
		sentence    string
		environment map[string]string
		mistakes    []string
	}{
		{"nothing needs to be set", nil, nil},
		{"several of a service", map[string]string{"REPLICAS": "records=3 maps=2"}, nil},
		{"commas do as well", map[string]string{"REPLICAS": "records=3,maps=2"}, nil},
		{"an unknown service", map[string]string{"REPLICAS": "recods=3"},
			[]string{`REPLICAS names "recods": there can be several of bot, auth, `}},
		{"the gateway is one", map[string]string{"REPLICAS": "gateway=2"}, []string{`REPLICAS names "gateway"`}},
		{"no number", map[string]string{"REPLICAS": "records"}, []string{`REPLICAS contains "records"`}},
		{"none of a service", map[string]string{"REPLICAS": "records=0"}, []string{`REPLICAS contains "records=0"`}},
		{"every mistake at once", map[string]string{"PORT": "0", "REPLICAS": "x", "S3_ENDPOINT": "minio:9000"}, []string{
			`PORT is "0"`, `REPLICAS names "x"`, "S3_ENDPOINT needs S3_ACCESS_KEY", "S3_ENDPOINT is not a URL",
		}},
		{"a port that is no number", map[string]string{"PORT": "http"}, []string{`PORT is "http"`}},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			_, err := ReadSettings(c.environment, kinds)
			if (err == nil) != (c.mistakes == nil) {
				t.Fatalf("mistakes: %v", err)
			}
			for _, mistake := range c.mistakes {
				if !strings.Contains(err.Error(), mistake) {
					t.Errorf("no word of %q in: %v", mistake, err)
				}
			}
		})
	}
}

// realKinds returns the programs of the source tree.
func realKinds(t *testing.T) []Kind {
	t.Helper()
	kinds, err := Kinds("../../../..")
	require.NoError(t, err)
	return kinds
}

func TestReadReplicas(t *testing.T) {
	kinds := realKinds(t)
	settings, err := ReadSettings(map[string]string{"REPLICAS": "records=3 maps=2", "PORT": "8081"}, kinds)
	require.NoError(t, err)
	got, want := map[string]int{}, map[string]int{}
	for _, kind := range kinds {
		got[kind.Name], want[kind.Name] = settings.replicas(kind.Name), 1
	}
	want["records"], want["maps"] = 3, 2
	assert.Equal(t, "settings", want, got)
	if settings.PublicURL != "http://localhost:8081" {
		t.Errorf("the site's address is %s", settings.PublicURL)
	}
}
