//go:build unix

package app

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
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
	text, label, err := p.clipboardReader(state)(context.Background())
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
	found, problems := pictureFinder{ws: ws}.find(context.Background(), "look at "+text+" closely")
	if len(found) != 1 || found[0].W != 7 || len(problems) != 0 {
		t.Errorf("%d pictures, %q", len(found), problems)
	}
	if _, _, err := p.clipboardReader("")(context.Background()); err == nil {
		t.Error("without a state directory there is no error")
	}
}

// A text that went to a file is read by its name, without secrets and not beyond a bound; no name
// leads elsewhere.
func TestAPastedTextIsReadByItsName(t *testing.T) {
	dir := pastedDir(t.TempDir())
	secrets := secret.New("a-secret-of-the-person")
	write := func(text string) (address, path string) {
		t.Helper()
		f, err := newPastedText(dir, secrets)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
		if address, path, err = f.Finish(); err != nil {
			t.Fatal(err)
		}
		return address, path
	}
	address, path := write("one a-secret-of-the-person\ntwo \xff\n")
	r := &conversation{project: &project{pastedDir: dir}}
	read := func(address string) (string, error) {
		return r.addresses()["artifact"](t.Context(), strings.TrimPrefix(address, artifactScheme))
	}
	got, err := read(address)
	if err != nil || strings.Contains(got, "a-secret") || !strings.HasSuffix(got, "\ntwo \uFFFD\n") {
		t.Errorf("%q, %v", got, err)
	}
	long, where := write(strings.Repeat("0123456789abcde\n", maxPasted>>4+9))
	if got, err := read(long); err != nil || len(got) > maxPasted+500 ||
		!strings.HasSuffix(got, "[only the first 32 MiB are read here; all of it is in "+where+"]\n") {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "1.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "../1", "..%2f1", "1/../../1", "123", "x", filepath.Base(path)} {
		if got, err := read(artifactScheme + pastedPrefix + name); err == nil {
			t.Errorf("%q: %q", name, got)
		}
	}
	f, err := newPastedText(dir, secrets)
	if err != nil {
		t.Fatal(err)
	}
	f.Remove()
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 2 {
		t.Errorf("files %q", files)
	}
	if _, err := newPastedText("", secrets); err == nil {
		t.Error("without a state directory there is no error")
	}
}
