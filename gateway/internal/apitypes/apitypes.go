// Package apitypes has the types of the API's bodies, generated from the merged OpenAPI document.
package apitypes

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml -o types.gen.go ../apidoc/openapi.json
