package apidoc

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed page.html
var pageTemplate string

// renderPage makes a page of an OpenAPI document. It needs no script, so that
// the site's policy lets it be as it is.
func renderPage(document []byte) ([]byte, error) {
	parsed, err := parse(document)
	if err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	t, err := template.New("page").Funcs(template.FuncMap{"lower": strings.ToLower}).Parse(pageTemplate)
	if err != nil {
		return nil, fmt.Errorf("documentation page: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, viewOf(parsed)); err != nil {
		return nil, fmt.Errorf("documentation page: %w", err)
	}
	return out.Bytes(), nil
}
