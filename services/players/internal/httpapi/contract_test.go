package httpapi_test

import (
	"log/slog"
	"os"
	"testing"

	"capzone.dev/platform/contracttest"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/httpapi"
)

const document = "../../api/openapi.yaml"

func TestRoutesAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	httpapi.Register(engine, httpapi.UseCases{})
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	contracttest.Routes(t, engine, "/api/v1", data)
}

func TestGeneratedCodeIsFresh(t *testing.T) {
	t.Parallel()
	contracttest.Generated(t, "../../api/oapi-codegen.yaml", document, "openapi.gen.go")
}
