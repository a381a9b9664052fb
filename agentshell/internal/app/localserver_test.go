package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A server is what names its models; what answers something else, or nothing, is none.
func TestServersOfModelsAreFoundByTheirList(t *testing.T) {
	serve := func(text string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "" {
				t.Errorf("asked for %s, %v", r.URL.Path, r.Header)
			}
			_, _ = io.WriteString(w, text)
		}))
		t.Cleanup(s.Close)
		return s.URL + "/v1"
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	found := findLocalServers(t.Context(), []localServer{
		{name: "a", url: serve(`{"data":[{"id":"x"},{"id":"y"},{"id":"z"},{"id":"w"},{"id":"v"}]}`)},
		{name: "b", url: serve(`<html>`)}, {name: "c", url: serve(`{"data":[]}`)}, {name: "d", url: gone.URL},
	})
	if len(found) != 1 || found[0].name != "a" || firstNames(found[0].models) != "x, y, z and 2 more" {
		t.Errorf("%+v", found)
	}
}
