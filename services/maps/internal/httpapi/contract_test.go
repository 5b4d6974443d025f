package httpapi_test

import (
	"log/slog"
	"os"
	"testing"

	"capzone.dev/platform/contracttest"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/httpapi"
)

func TestRoutesAreTheDocuments(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	httpapi.Register(engine, httpapi.UseCases{})
	contracttest.Routes(t, engine, "/api/v1", document)
}

func TestGeneratedCodeIsFresh(t *testing.T) {
	t.Parallel()
	contracttest.Generated(t, "../../api/oapi-codegen.yaml", "../../api/openapi.yaml", "openapi.gen.go")
}
