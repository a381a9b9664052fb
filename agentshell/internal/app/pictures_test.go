package app_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// pixels returns a PNG of w by h pixels in one colour.
func pixels(t *testing.T, c color.Color, w, h int) string {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// block returns an image as the Messages API takes it.
func block(file string) string {
	return `"source":{"type":"base64","media_type":"image/png","data":"` +
		base64.StdEncoding.EncodeToString([]byte(file)) + `"}`
}

func TestPicturesReachAModelThatSeesAndTheLogBringsThemBack(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	requests := func(more ...string) []string {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, more...)
		return slices.Clone(asked)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		if len(requests(string(body))) == 1 {
			answers(w, "I look.", "read_file", `{"path":"plot.png"}`)
			return
		}
		answers(w, "Red and blue.", "", "")
	}))
	defer server.Close()
	p := newPlace(t)
	red, blue := pixels(t, color.NRGBA{200, 0, 0, 255}, 32, 16), pixels(t, color.NRGBA{0, 0, 200, 255}, 8, 8)
	p.write("shot.png", red)
	p.write("plot.png", blue)
	p.env = append(p.env, "ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL="+server.URL)
	got := p.run("", "-p", "what is in @shot.png and @none.png?")
	if got.code != 0 ||
		!strings.Contains(got.stderr, fmt.Sprintf("picture shot.png: png, 32 by 16 pixels, %d bytes\n", len(red))) ||
		!strings.Contains(got.stderr, "The picture none.png is not sent: there is no such file") ||
		strings.Contains(got.stdout+got.stderr, base64.StdEncoding.EncodeToString([]byte(red))) {
		t.Errorf("%+v", got)
	}
	bodies := requests()
	if len(bodies) != 2 || strings.Count(bodies[0], block(red)) != 1 || strings.Count(bodies[1], block(red)) != 1 ||
		strings.Count(bodies[1], block(blue)) != 1 {
		t.Fatalf("%d requests: %.3000s", len(bodies), bodies)
	}
	if at := strings.Index(bodies[1], `"tool_result"`); at < 0 ||
		!strings.Contains(bodies[1][at:], `"tool_use_id"`) ||
		!strings.Contains(bodies[1], "picture workspace/plot.png: png, 8 by 8 pixels") {
		t.Errorf("the second request is %.3000s", bodies[1])
	}
	got = p.run("", "-c", "-p", "again")
	bodies = requests()
	if got.code != 0 || len(bodies) != 3 || strings.Count(bodies[2], block(red)) != 1 ||
		strings.Count(bodies[2], block(blue)) != 1 {
		t.Errorf("resumed: %+v, %d requests", got, len(bodies))
	}
	if out := p.run("", "export"); !strings.Contains(out.stdout, "picture shot.png: png") ||
		strings.Contains(out.stdout, "base64") {
		t.Errorf("export: %+v", out)
	}
}

func TestAModelThatDoesNotSeeGetsALine(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("shot.png", pixels(t, color.Black, 4, 4))
	p.write("broken.png", pixels(t, color.Black, 400, 400)[:200])
	script := p.script(
		`{"expect":["[picture shot.png: png, 4 by 4 pixels, ","this model cannot see pictures]"],`+
			`"tool_calls":[{"id":"1","name":"read_file","input":{"path":"shot.png"}}]}`,
		`{"expect":["picture workspace/shot.png: png, 4 by 4 pixels, ","this model cannot see pictures]"],`+
			`"tool_calls":[{"id":"2","name":"read_file","input":{"path":"broken.png"}}]}`,
		`{"expect":["workspace/broken.png: the picture is broken"],"expect_not":["cannot see"],"say":"done"}`)
	if got := p.run("", "--script", script, "-p", "look at @shot.png"); got.code != 0 || got.stdout != "done\n" {
		t.Errorf("%+v", got)
	}
}

func TestPlainModeNamesPictures(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("shot.png", pixels(t, color.Black, 4, 4))
	got := p.run("look at @shot.png\n", "--plain", "--script", p.script(`{"say":"seen"}`))
	if got.code != 0 ||
		!strings.Contains(got.stdout, "> look at @shot.png\n* picture shot.png: png, 4 by 4 pixels, ") ||
		strings.Contains(got.stdout, "\x1b") {
		t.Errorf("%+v", got)
	}
}

// A picture outside the workspace goes nowhere unless the person names it so that there is no
// doubt; a rule that denies reading holds.
func TestOnlyPicturesThatAreMeantLeave(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	outside := filepath.Join(t.TempDir(), "my shot\x1b[2J.png")
	if err := os.WriteFile(outside, []byte(pixels(t, color.Black, 4, 4)), 0o600); err != nil {
		t.Fatal(err)
	}
	p.write("private/a.png", pixels(t, color.Black, 5, 5))
	p.write("private/it\u2019s.png", pixels(t, color.Black, 5, 5))
	p.write("shots/9.41\u202fAM.png", pixels(t, color.Black, 5, 5))
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "9.41\u202fAM.png"), []byte(pixels(t, color.Black, 6, 6)),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(p.work, "link.png")); err != nil {
		t.Fatal(err)
	}
	quoted := "'" + outside + "'"
	for _, c := range []struct{ prompt, stderr, expect, not string }{
		{"the log says /x/y.png is missing, see /tmp/z.png", "", "the log says", "picture"},
		{"see " + quoted + " there", "is not sent: it lies outside the workspace; put @ before the path", "see",
			"picture"},
		{quoted + " what is that?", "4 by 4 pixels", "4 by 4 pixels", "private"},
		{"what is @" + quoted, "4 by 4 pixels", "4 by 4 pixels", "private"},
		{"what is @private/a.png", "is not sent: a rule denies reading it", "what is", "pixels"},
		{`what is @"private/it's.png"`, "is not sent: a rule denies reading it", "what is", "pixels"},
		{"what is @'shots/9.41 AM.png'", "5 by 5 pixels", "5 by 5 pixels", "private"},
		{"what is @'" + elsewhere + "/9.41 AM.png'", "6 by 6 pixels", "6 by 6 pixels", "private"},
		{"what is @link.png", "is not sent: ", "what is", "pixels"},
		{"what is @../a.png", "is not sent: ", "what is", "pixels"},
		{"what is @/dev/zero.png", "is not sent: there is no such file", "what is", "pixels"},
	} {
		script := p.script(fmt.Sprintf(`{"expect":%q,"expect_not":%q,"say":"ok"}`, c.expect, c.not))
		got := p.run("", "--no-log", "--mode", "plan", "--deny", "read_file(private/**)", "--script", script,
			"-p", c.prompt)
		if got.code != 0 || c.stderr == "" && got.stderr != "" || !strings.Contains(got.stderr, c.stderr) ||
			strings.Contains(got.stderr, "\x1b") {
			t.Errorf("%q: %+v", c.prompt, got)
		}
	}
}
