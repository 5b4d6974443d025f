package telemetry

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Config is the part of OpenTelemetry's standard environment that enables tracing and
// selects what is sampled. The exporter reads the other OTEL_EXPORTER_OTLP_ variables.
type Config struct {
	Endpoint       string   `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	TracesEndpoint string   `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"`
	Exporter       Exporter `env:"OTEL_TRACES_EXPORTER"    envDefault:"otlp"`
	Disabled       bool     `env:"OTEL_SDK_DISABLED"`
	Sampler        Sampler  `env:"OTEL_TRACES_SAMPLER"     envDefault:"parentbased_traceidratio"`
	Ratio          Ratio    `env:"OTEL_TRACES_SAMPLER_ARG" envDefault:"1"`
}

// Exporter names where spans go.
type Exporter string

// The exporters.
const (
	OTLP Exporter = "otlp"
	None Exporter = "none"
)

// UnmarshalText accepts the name of an exporter.
func (e *Exporter) UnmarshalText(text []byte) error {
	return oneOf(e, text, OTLP, None)
}

// Sampler names how a process decides about a trace that begins with it. Every
// other trace is sampled where the process that it came from has sampled it.
type Sampler string

// The samplers.
const (
	SampleRatio Sampler = "parentbased_traceidratio"
	SampleAll   Sampler = "parentbased_always_on"
	SampleNone  Sampler = "parentbased_always_off"
)

// UnmarshalText accepts the name of a sampler.
func (s *Sampler) UnmarshalText(text []byte) error {
	return oneOf(s, text, SampleRatio, SampleAll, SampleNone)
}

func oneOf[S ~string](to *S, text []byte, known ...S) error {
	if !slices.Contains(known, S(text)) {
		return fmt.Errorf("%q is none of %q", text, known)
	}
	*to = S(text)
	return nil
}

// Ratio is the share of traces that is sampled.
type Ratio float64

// UnmarshalText accepts 0 to 1.
func (r *Ratio) UnmarshalText(text []byte) error {
	ratio, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(ratio >= 0 && ratio <= 1) {
		return fmt.Errorf("%q is not a number from 0 to 1", text)
	}
	*r = Ratio(ratio)
	return nil
}

func (c Config) on() bool {
	return !c.Disabled && c.Exporter != None && (c.Endpoint != "" || c.TracesEndpoint != "")
}

// url is where spans are sent to.
func (c Config) url() string {
	return cmp.Or(c.TracesEndpoint, strings.TrimSuffix(c.Endpoint, "/")+"/v1/traces")
}

// Tier says who sends a process requests.
type Tier int

// The tiers.
const (
	// Internal processes are asked by processes of ours only.
	Internal Tier = iota
	// Edge processes are asked by strangers.
	Edge
)

// sampler returns what decides about traces. A stranger may say which trace a
// request belongs to, but not whether it is sampled, nor decide that by the
// choice of the id.
func (c Config) sampler(tier Tier) sdktrace.Sampler {
	var begun sdktrace.Sampler
	switch c.Sampler {
	case SampleAll:
		begun = sdktrace.AlwaysSample()
	case SampleNone:
		begun = sdktrace.NeverSample()
	default:
		begun = sdktrace.TraceIDRatioBased(float64(c.Ratio))
		if tier == Edge {
			begun = randomSampler(c.Ratio)
		}
	}
	if tier == Edge {
		return sdktrace.ParentBased(begun, sdktrace.WithRemoteParentSampled(begun),
			sdktrace.WithRemoteParentNotSampled(begun))
	}
	return sdktrace.ParentBased(begun)
}

// randomSampler samples a share of the traces, whatever their ids.
type randomSampler float64

// ShouldSample implements sdktrace.Sampler.
func (s randomSampler) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	result := sdktrace.SamplingResult{
		Decision:   sdktrace.Drop,
		Tracestate: trace.SpanContextFromContext(p.ParentContext).TraceState(),
	}
	if rand.Float64() < float64(s) {
		result.Decision = sdktrace.RecordAndSample
	}
	return result
}

// Description implements sdktrace.Sampler.
func (s randomSampler) Description() string { return fmt.Sprintf("random{%g}", float64(s)) }
