package web

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// inUTF8 returns a body in UTF-8 where it is text.
func inUTF8(body []byte, contentType string) []byte {
	if !strings.HasPrefix(contentType, "text/") && !strings.Contains(contentType, "xml") {
		return body
	}
	r, err := charset.NewReader(bytes.NewReader(body), contentType)
	if err != nil {
		return body
	}
	text, err := io.ReadAll(io.LimitReader(r, 4*maxBody))
	if err != nil {
		return body
	}
	return text
}
