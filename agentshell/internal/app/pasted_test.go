//go:build unix

package app

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

func TestAPictureThatWasPastedIsSentWithTheMessage(t *testing.T) {
	bin, state, dir := t.TempDir(), filepath.Join(t.TempDir(), "with blank"), t.TempDir()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 7, 4))); err != nil {
		t.Fatal(err)
	}
	program := "#!/bin/sh\ncase \"$*\" in *list*) echo image/png;; *) exec /bin/cat picture;; esac\n"
	for name, text := range map[string]string{"wl-paste": program, "picture": b.String()} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	p := Host{environ: []string{"WAYLAND_DISPLAY=w"}, family: new(child.Family)}
	text, label, err := p.pasted(state)(context.Background())
	if err != nil || !strings.Contains(label, "7 by 4") {
		t.Fatalf("%q, %q, %v", text, label, err)
	}
	files, _ := filepath.Glob(filepath.Join(state, "pasted", "*.png"))
	if len(files) != 1 {
		t.Fatalf("files %q", files)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}, Protected: []string{state}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	found, problems := album{ws: ws}.find(context.Background(), "look at "+text+" closely")
	if len(found) != 1 || found[0].W != 7 || len(problems) != 0 {
		t.Errorf("%d pictures, %q", len(found), problems)
	}
	if _, _, err := p.pasted("")(context.Background()); err == nil {
		t.Error("without a state directory there is no error")
	}
}
