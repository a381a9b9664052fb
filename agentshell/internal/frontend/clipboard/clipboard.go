// Package clipboard reads the clipboard by the programs of the desktop that can.
package clipboard

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Bounds of what is read.
const (
	Timeout  = 2 * time.Second // of all programs together
	MaxText  = 4 << 20         // bytes; a picture has at most picture.MaxFile
	maxTypes = 64 << 10        // bytes of the list of types
)

// What can be said of a clipboard that gives nothing.
var (
	ErrEmpty     = errors.New("the clipboard holds no picture and no text")
	ErrNoProgram = errors.New("no program here can read the clipboard")
	ErrSlow      = fmt.Errorf("the clipboard did not answer within %d s", Timeout/time.Second)
)

// Content is what lies on the clipboard: a picture, or else text.
type Content struct {
	Picture picture.Picture // Data is nil if there is none
	Text    string          // valid UTF-8
}

// Reader reads the clipboard.
type Reader struct {
	Env    []string // of the programs; WAYLAND_DISPLAY and DISPLAY in it say which can work
	Darwin bool
	// Programs finds those of the desktop; nil: on the PATH of this process.
	Programs *child.Programs
	Run      func(ctx context.Context, cmd *exec.Cmd) error // child.Family.Run; nil: without a family
}

// desktop is the programs of one kind of desktop.
type desktop struct {
	needs         string   // a variable of the environment, "" for none
	types         []string // lists the types; nil: the picture is just asked for
	picture, text func(kind string) []string
	install       string
}

var pictures = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

var texts = []string{"text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING"}

func wayland() desktop {
	get := func(kind string) []string { return []string{"wl-paste", "--no-newline", "--type", kind} }
	return desktop{needs: "WAYLAND_DISPLAY", types: []string{"wl-paste", "--list-types"}, picture: get, text: get,
		install: "wl-clipboard"}
}

func x11() desktop {
	get := func(kind string) []string { return []string{"xclip", "-selection", "clipboard", "-t", kind, "-o"} }
	return desktop{needs: "DISPLAY", types: get("TARGETS"), picture: get, text: get, install: "xclip"}
}

func darwin() desktop {
	return desktop{picture: func(string) []string { return []string{"pngpaste", "-"} },
		text: func(string) []string { return []string{"pbpaste"} }, install: "pngpaste"}
}

// Read returns what lies on the clipboard. A picture that cannot be sent to a model is an error.
func (r Reader) Read(ctx context.Context) (Content, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	var missing []string
	for _, d := range []desktop{wayland(), x11(), darwin()} {
		if d.needs != "" && !r.has(d.needs) || d.needs == "" && !r.Darwin {
			continue
		}
		if _, err := r.Programs.Path(d.picture("")[0]); err != nil {
			missing = append(missing, d.install)
			continue
		}
		return r.from(ctx, d)
	}
	if len(missing) > 0 {
		return Content{}, fmt.Errorf("%w; install %s", ErrNoProgram, strings.Join(missing, " or "))
	}
	return Content{}, fmt.Errorf("%w: there is no desktop (WAYLAND_DISPLAY, DISPLAY); name a file with @ instead",
		ErrNoProgram)
}

// has reports whether the environment has a variable.
func (r Reader) has(name string) bool {
	return slices.ContainsFunc(r.Env, func(kv string) bool {
		return strings.HasPrefix(kv, name+"=") && len(kv) > len(name)+1
	})
}

// from reads the clipboard of one desktop. A program that fails has nothing.
func (r Reader) from(ctx context.Context, d desktop) (Content, error) {
	kind, written := pictures[0], texts[0]
	if d.types != nil {
		list, err := r.run(ctx, d.types, maxTypes)
		if err != nil {
			return Content{}, orEmpty(err)
		}
		has := strings.Fields(strings.ReplaceAll(string(list), "; charset", ";charset"))
		kind, written = first(pictures, has), first(texts, has)
	}
	if kind != "" {
		data, err := r.run(ctx, d.picture(kind), picture.MaxFile)
		switch {
		case err == nil && len(data) > 0:
			p, err := picture.New("clipboard", data)
			if err != nil {
				err = fmt.Errorf("the picture on the clipboard cannot be sent: %w", err)
			}
			return Content{Picture: p}, err
		case errors.Is(err, ErrSlow), errors.Is(err, errLarge):
			return Content{}, err
		}
	}
	if written != "" {
		data, err := r.run(ctx, d.text(written), MaxText)
		if err == nil && len(data) > 0 {
			return Content{Text: strings.ToValidUTF8(string(data), "\uFFFD")}, nil
		}
		return Content{}, orEmpty(err)
	}
	return Content{}, ErrEmpty
}

// first returns the first of wanted that is there.
func first(wanted, there []string) string {
	for _, w := range wanted {
		if slices.Contains(there, w) {
			return w
		}
	}
	return ""
}

// orEmpty is an error that is worth a word, or ErrEmpty: programs fail where nothing was copied.
func orEmpty(err error) error {
	if errors.Is(err, ErrSlow) || errors.Is(err, errLarge) {
		return err
	}
	return ErrEmpty
}

var errLarge = errors.New("the clipboard holds too much")

// run gives what a program prints, at most limit bytes.
func (r Reader) run(ctx context.Context, argv []string, limit int) ([]byte, error) {
	run := r.Run
	if run == nil {
		run = new(child.Family).Run
	}
	path, err := r.Programs.Path(argv[0])
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, argv[1:]...)
	cmd.Env, cmd.Dir = r.Programs.Environ(r.Env), filepath.Dir(path) // not in the workspace
	out, _, err := child.Output(ctx, run, cmd, limit+1)
	switch {
	case len(out) > limit:
		return nil, errLarge
	case ctx.Err() != nil:
		return nil, ErrSlow
	}
	return out, err
}
