// Package httpapi serves the records' part of the API. It only translates between requests and use cases.
package httpapi

import (
	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/dump"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config ../../api/oapi-codegen.yaml -o openapi.gen.go ../../api/openapi.yaml

// MaxBody is the size of a request's body, in bytes, as in the gateway. It is larger than a
// replay may be, so that most replays that are too large get their own problem.
const MaxBody = 2 << 20

// Server implements StrictServerInterface. All fields are required for the calls that use them.
type Server struct {
	Reader    *leaderboard.Reader
	Goals     *leaderboard.Goals
	Rankings  *leaderboard.Rankings
	Effects   *leaderboard.Effects
	Evidence  *leaderboard.EvidenceReader
	Submitter *record.Submitter
	Dumper    *dump.Dumper
	Metrics   *Metrics
	Previews  *sharecard.Renderer
}

// dumpsPath is what the addresses of dumps begin with, which lie beside the API.
const dumpsPath = "/dumps/"

// Register adds the routes to an engine.
func Register(engine *gin.Engine, server *Server) {
	RegisterHandlersWithOptions(engine, NewStrictHandler(server), GinServerOptions{
		BaseURL: "/api/v1", ErrorHandler: httpserve.RenderBinding,
	})
	engine.GET(dumpsPath, server.listDumps)
	engine.GET(dumpsPath+"latest", server.latestDump)
	engine.GET(dumpsPath+":date/:file", server.dumpFile)
}

// Metrics counts submissions and downloads.
type Metrics struct {
	submissions                            *httpserve.Outcomes
	personalBests, worldRecords, downloads prometheus.Counter
}

// NewMetrics returns metrics that are registered.
func NewMetrics(registerer prometheus.Registerer) *Metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	m := &Metrics{
		submissions: httpserve.NewOutcomes(registerer, "records_submissions_total",
			"Submissions of players, by outcome: accepted or the problem's code.", "accepted"),
		personalBests: counter("records_personal_bests_total", "Accepted records that were personal bests."),
		worldRecords:  counter("records_world_records_total", "Accepted records that were world records."),
		downloads:     counter("records_downloads_total", "Replays that were found for a download."),
	}
	registerer.MustRegister(m.personalBests, m.worldRecords, m.downloads)
	return m
}
