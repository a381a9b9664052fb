package web

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// inUTF8 converts a body to UTF-8 if its content type is text. Otherwise it returns the body
// unchanged.
func inUTF8(body []byte, contentType string) []byte {
	if !strings.HasPrefix(contentType, "text/") && !strings.Contains(contentType, "xml") {
		return body
	}
	r, err := charset.NewReader(bytes.NewReader(body), contentType)
	if err != nil {
		return body
	}
	text, err := io.ReadAll(io.LimitReader(r, 4*maxBodyBytes))
	if err != nil {
		return body
	}
	return text
}
