package tracing

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

// Config is the part of OpenTelemetry's standard environment that decides
// whether and what is traced. The exporter itself reads the other variables
// that begin with OTEL_EXPORTER_OTLP_.
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

// Place says where a process stands.
type Place int

// The places.
const (
	// Inside are processes that are asked by processes of ours only.
	Inside Place = iota
	// AtTheDoor is the process that is asked by strangers.
	AtTheDoor
)

// sampler returns what decides about traces. A stranger may say which trace a
// request belongs to, but neither that it is sampled nor, by the choice of the
// id, how the dice fall.
func (c Config) sampler(place Place) sdktrace.Sampler {
	var begun sdktrace.Sampler
	switch c.Sampler {
	case SampleAll:
		begun = sdktrace.AlwaysSample()
	case SampleNone:
		begun = sdktrace.NeverSample()
	default:
		begun = sdktrace.TraceIDRatioBased(float64(c.Ratio))
		if place == AtTheDoor {
			begun = dice(c.Ratio)
		}
	}
	if place == AtTheDoor {
		return sdktrace.ParentBased(begun, sdktrace.WithRemoteParentSampled(begun), sdktrace.WithRemoteParentNotSampled(begun))
	}
	return sdktrace.ParentBased(begun)
}

// dice samples a share of the traces, whatever their ids.
type dice float64

// ShouldSample implements sdktrace.Sampler.
func (d dice) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	result := sdktrace.SamplingResult{
		Decision:   sdktrace.Drop,
		Tracestate: trace.SpanContextFromContext(p.ParentContext).TraceState(),
	}
	if rand.Float64() < float64(d) {
		result.Decision = sdktrace.RecordAndSample
	}
	return result
}

// Description implements sdktrace.Sampler.
func (d dice) Description() string { return fmt.Sprintf("dice{%g}", float64(d)) }
