package app_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// A model that does not see has the tool inspect_image where the person has turned it on. The
// picture goes to the model that the config names, or to the first one of which it says that it
// sees, with its own key.
func TestAModelThatDoesNotSeeAsksOneThatDoes(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 6, 4))); err != nil {
		t.Fatal(err)
	}
	var seen []string
	eye := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, r.Header.Get("X-Api-Key")+" "+string(body))
		w.Header().Set("Content-Type", "text/event-stream")
		answers(w, "A green door.", "", "")
	}))
	defer eye.Close()
	var bodies []string
	main := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		w.Header().Set("Content-Type", "text/event-stream")
		if len(bodies)%2 == 1 && strings.Contains(string(body), `"name":"inspect_image"`) {
			answers(w, "I ask.", "inspect_image", `{"path":"door.png","question":"Which colour?"}`)
			return
		}
		answers(w, "Done.", "", "")
	}))
	defer main.Close()
	p := newPlace(t)
	p.write("door.png", picture.String())
	p.env = append(p.env, "ANTHROPIC_API_KEY=key-of-the-main-model-1", "ANTHROPIC_BASE_URL="+main.URL,
		"EYE_KEY=key-of-the-eye-2233")
	run := func(config string) result {
		t.Helper()
		seen, bodies = nil, nil
		p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), config)
		return p.run("", "-p", "go", "--model", "mole")
	}
	mole := "[models.mole]\nsees = false\n[models.ape]\nsees = false\n"
	eyes := fmt.Sprintf("[models.eye]\nid = \"claude-eye\"\nurl = %q\nkey_env = \"EYE_KEY\"\nsees = true\n", eye.URL)
	const on = "[inspect_image]\nenabled = true\n"
	for name, c := range map[string]struct {
		config        string
		asked, answer string
	}{
		"off":                     {mole + eyes, "", ""},
		"the model itself sees":   {on + "[models.mole]\nsees = true\n" + eyes, "", ""},
		"the first that is known": {on + mole + eyes, `key-of-the-eye-2233 `, "[eye about picture"},
		"the one that is named": {on + "model = \"eye\"\n" + mole + eyes, `key-of-the-eye-2233 `,
			"[eye about picture"},
		"none is known": {on + mole, "", "no models available for inspect_image"},
		"the one that is named is blind": {on + "model = \"mole\"\n" + mole + eyes, "",
			"Resolved model mole does not support image input."},
	} {
		got := run(c.config)
		if got.code != 0 || (len(seen) == 1) != (c.asked != "") {
			t.Errorf("%s: %+v, asked %d times", name, got, len(seen))
			continue
		}
		if last := bodies[len(bodies)-1]; !strings.Contains(last, c.answer) ||
			c.answer == "" && strings.Contains(last, "inspect_image") {
			t.Errorf("%s: %s", name, last)
		}
		if c.asked == "" {
			continue
		}
		for _, want := range []string{c.asked, `"model":"claude-eye"`, "Which colour?", `"media_type":"image/png"`} {
			if !strings.Contains(seen[0], want) {
				t.Errorf("%s: the request lacks %s: %s", name, want, seen[0])
			}
		}
		if strings.Contains(seen[0], "I ask.") || !strings.Contains(bodies[1], "A green door.") ||
			strings.Contains(bodies[1], "image/png\"") {
			t.Errorf("%s: %s, then %s", name, seen[0], bodies[1])
		}
	}
}
