package simulated

import (
	"embed"
	"html/template"
	"io/fs"
	"net/http"
)

var (
	//go:embed page/room.html
	pageText     string
	pageTemplate = template.Must(template.New("room").Parse(pageText))

	//go:embed page/room.css page/room.js
	assetFiles embed.FS
)

// pagePolicy allows the page its own script, style and calls, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// view is what the page shows.
type view struct {
	Title string
	Link  string
	Known bool
}

func (h *handler) page(w http.ResponseWriter, r *http.Request) {
	shown, status := view{Title: "Verification room", Known: true}, http.StatusOK
	if found, err := h.rooms.find(r.PathValue("room")); err != nil {
		shown, status = view{Title: "No such room"}, http.StatusNotFound
	} else {
		shown.Link = found.link
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := pageTemplate.Execute(w, shown); err != nil {
		h.log.WarnContext(r.Context(), "page was not sent", "error", err)
	}
}

// assets serves the page's script and style.
func assets() http.Handler {
	files, err := fs.Sub(assetFiles, "page")
	if err != nil {
		panic(err) // "page" is a valid path
	}
	return http.StripPrefix("/assets/", http.FileServerFS(files))
}
