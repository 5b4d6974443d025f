package apidoc

import (
	"html/template"
	"regexp"
	"strings"
)

// prose turns a description into HTML: the little of Markdown that the
// documents use. Blank lines part paragraphs, "1." and "-" begin the items of a
// list, `code` is code.
func prose(text string) template.HTML {
	var out strings.Builder
	for _, block := range blankLines.Split(strings.TrimSpace(text), -1) {
		writeBlock(&out, block)
	}
	return template.HTML(out.String())
}

var (
	blankLines = regexp.MustCompile(`\n\s*\n`)
	itemStart  = regexp.MustCompile(`(?m)^\s*(?:\d+\.|-)\s+`)
	codeSpan   = regexp.MustCompile("`([^`]+)`")
)

func writeBlock(out *strings.Builder, block string) {
	if block == "" {
		return
	}
	at := itemStart.FindStringIndex(block)
	if at == nil || at[0] != 0 {
		out.WriteString("<p>" + inline(block) + "</p>")
		return
	}
	list := "ol"
	if strings.HasPrefix(strings.TrimSpace(block), "-") {
		list = "ul"
	}
	out.WriteString("<" + list + ">")
	for _, item := range itemStart.Split(block, -1)[1:] {
		out.WriteString("<li>" + inline(item) + "</li>")
	}
	out.WriteString("</" + list + ">")
}

func inline(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return codeSpan.ReplaceAllString(template.HTMLEscapeString(text), "<code>$1</code>")
}
