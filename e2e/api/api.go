// Package api has the types of the API that the tests use, generated from the merged OpenAPI document.
package api

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml -o api.gen.go ../../gateway/internal/apidoc/openapi.json
