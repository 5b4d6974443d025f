package site

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
)

// Form is a multipart form. The zero value is an empty one.
type Form struct {
	body   bytes.Buffer
	writer *multipart.Writer
}

// Field adds a text.
func (f *Form) Field(name, value string) {
	_ = f.open().WriteField(name, value) // a buffer takes everything
}

// File adds a file.
func (f *Form) File(field, name string, data []byte) {
	part, err := f.open().CreateFormFile(field, name)
	if err == nil {
		_, _ = part.Write(data) // a buffer takes everything
	}
}

// Body ends the form and returns it.
func (f *Form) Body() io.Reader {
	_ = f.open().Close()
	return bytes.NewReader(f.body.Bytes())
}

// ContentType returns the form's type with its boundary.
func (f *Form) ContentType() string { return f.open().FormDataContentType() }

// Request ends the form and returns the request that sends it.
func (f *Form) Request(method, path string) Request {
	return Request{Method: method, Path: path, Body: f.Body(), Header: http.Header{"Content-Type": {f.ContentType()}}}
}

func (f *Form) open() *multipart.Writer {
	if f.writer == nil {
		f.writer = multipart.NewWriter(&f.body)
	}
	return f.writer
}
