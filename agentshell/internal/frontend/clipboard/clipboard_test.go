//go:build unix

package clipboard_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/clipboard"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// desk makes PATH a directory with these programs only, given as shell scripts by their names, and
// with a picture.
func desk(t *testing.T, programs map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 5, 3))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "picture.png"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir) // the real ones must not be found
}

const (
	waylandPicture = `case "$*" in *list-types*) echo text/plain; echo image/png;; *image/png*) ` +
		`/bin/cat picture.png;; *) exit 1;; esac`
	x11Picture = `case "$*" in *TARGETS*) echo image/png;; *image/png*) /bin/cat picture.png;; ` +
		`*) exit 1;; esac`
	x11Text = `case "$*" in *TARGETS*) echo STRING; echo UTF8_STRING;; *UTF8_STRING*) printf 'h\303\251\nx\377';; ` +
		`*) exit 1;; esac`
)

func TestWhatLiesOnTheClipboardIsRead(t *testing.T) {
	wl, x := []string{"WAYLAND_DISPLAY=w"}, []string{"DISPLAY=:0"}
	tests := []struct {
		name     string
		programs map[string]string
		env      []string
		darwin   bool
		picture  bool
		text     string
		err      string
	}{
		{name: "a picture, wayland", programs: map[string]string{"wl-paste": waylandPicture}, env: wl, picture: true},
		{name: "a picture, x11", programs: map[string]string{"xclip": x11Picture}, env: x, picture: true},
		{name: "a picture, macOS", programs: map[string]string{"pngpaste": "/bin/cat picture.png"}, darwin: true,
			picture: true},
		{name: "text, x11", programs: map[string]string{"xclip": x11Text}, env: x, text: "hé\nx\uFFFD"},
		{name: "text, macOS", programs: map[string]string{"pngpaste": "exit 1", "pbpaste": "echo hi"}, darwin: true,
			text: "hi\n"},
		{name: "wayland before x11", programs: map[string]string{"wl-paste": waylandPicture, "xclip": x11Text},
			env: append(wl, x...), picture: true},
		{name: "only xclip under both", programs: map[string]string{"xclip": x11Picture}, env: append(wl, x...),
			picture: true},
		{name: "nothing", programs: map[string]string{"wl-paste": "echo Nothing is copied >&2; exit 1"}, env: wl,
			err: clipboard.ErrEmpty.Error()},
		{name: "neither", programs: map[string]string{"wl-paste": "echo application/x"}, env: wl,
			err: clipboard.ErrEmpty.Error()},
		{name: "garbage", programs: map[string]string{"wl-paste": `case "$*" in *list*) echo image/png;; ` +
			`*) echo no picture;; esac`}, env: wl, err: "the picture on the clipboard cannot be sent"},
		{name: "half a picture", programs: map[string]string{"wl-paste": `case "$*" in *list*) echo image/png;; ` +
			`*) /usr/bin/head -c 60 picture.png;; esac`}, env: wl, err: "the picture on the clipboard cannot be sent"},
		{name: "a flood of types", programs: map[string]string{"wl-paste": "exec /usr/bin/yes"}, env: wl,
			err: "too much"},
		{name: "a flood", programs: map[string]string{"wl-paste": `case "$*" in *list*) echo image/png;; ` +
			`*) exec /bin/cat /dev/zero;; esac`}, env: wl, err: "too much"},
		{name: "a program that hangs", programs: map[string]string{"wl-paste": "/bin/sleep 1000 & wait"}, env: wl,
			err: clipboard.ErrSlow.Error()},
		{name: "no program", env: wl, err: "install wl-clipboard"},
		{name: "no desktop", programs: map[string]string{"wl-paste": waylandPicture}, err: "there is no desktop"},
		{name: "an empty variable", programs: map[string]string{"wl-paste": waylandPicture},
			env: []string{"WAYLAND_DISPLAY="}, err: "there is no desktop"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			desk(t, test.programs)
			begun := time.Now()
			got, err := clipboard.Reader{Env: test.env, Darwin: test.darwin}.Read(context.Background())
			if took := time.Since(begun); took > clipboard.Timeout+3*time.Second {
				t.Errorf("it took %v", took)
			}
			switch {
			case test.err != "":
				// On a busy machine the time may be over before there is too much.
				slow := test.err == "too much" && errors.Is(err, clipboard.ErrSlow)
				if err == nil || !slow && !strings.Contains(err.Error(), test.err) ||
					strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v, want %q", err, test.err)
				}
				if got.Picture.Data != nil || got.Text != "" {
					t.Errorf("content beside the error: %+v", got)
				}
			case err != nil || got.Text != test.text || (got.Picture.Data != nil) != test.picture:
				t.Errorf("%+v, %v", got, err)
			case test.picture && (got.Picture.W != 5 || got.Picture.Media != "image/png"):
				t.Errorf("picture %dx%d, %s", got.Picture.W, got.Picture.H, got.Picture.Media)
			}
		})
	}
}

// A program of the workspace does not read the clipboard.
func TestNoProgramOfTheWorkspaceReadsTheClipboard(t *testing.T) {
	desk(t, map[string]string{"wl-paste": "echo theirs"})
	root := os.Getenv("PATH")
	r := clipboard.Reader{Env: []string{"WAYLAND_DISPLAY=w", "PATH=" + root}, Programs: child.NewPrograms(root, root)}
	if _, err := r.Read(context.Background()); !errors.Is(err, clipboard.ErrNoProgram) {
		t.Errorf("%v", err)
	}
}

func TestTheProgramsGetNoOtherEnvironment(t *testing.T) {
	desk(t, map[string]string{"wl-paste": `case "$*" in *list*) echo text/plain;; *) echo "$KEPT-$LEAKED";; esac`})
	t.Setenv("LEAKED", "leaked")
	r := clipboard.Reader{Env: []string{"WAYLAND_DISPLAY=w", "KEPT=kept"}}
	if got, err := r.Read(context.Background()); err != nil || got.Text != "kept-\n" {
		t.Errorf("%q, %v", got.Text, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Read(ctx); !errors.Is(err, clipboard.ErrSlow) {
		t.Errorf("with a context that has ended: %v", err)
	}
}
