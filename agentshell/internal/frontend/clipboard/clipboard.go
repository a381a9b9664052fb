// Package clipboard reads the clipboard with the programs of the desktop.
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

// Errors of [Reader.Read].
var (
	ErrEmpty     = errors.New("the clipboard holds no picture and no text")
	ErrNoProgram = errors.New("no program here can read the clipboard")
	ErrSlow      = fmt.Errorf("the clipboard did not answer within %d s", Timeout/time.Second)
)

// Content is the content of the clipboard: a picture, or else text.
type Content struct {
	Picture picture.Picture // its Data is nil if there is no picture
	Text    string          // valid UTF-8
}

// Reader reads the clipboard.
type Reader struct {
	Env    []string // environment of the programs; WAYLAND_DISPLAY and DISPLAY in it tell which desktop there is
	Darwin bool
	// Programs finds the programs of the desktop; nil: it searches the PATH of this process.
	Programs *child.Programs
	Run      func(ctx context.Context, cmd *exec.Cmd) error // child.Family.Run; nil: without a family
}

// desktop describes the programs of one kind of desktop.
type desktop struct {
	requiredEnv   string   // name of an environment variable; "": none
	listTypes     []string // command that lists the types; nil: the picture is requested without asking
	picture, text func(kind string) []string
	// package that has the programs
	install string
}

var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

var textTypes = []string{"text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING"}

func wayland() desktop {
	get := func(kind string) []string { return []string{"wl-paste", "--no-newline", "--type", kind} }
	return desktop{requiredEnv: "WAYLAND_DISPLAY", listTypes: []string{"wl-paste", "--list-types"}, picture: get,
		text:    get,
		install: "wl-clipboard"}
}

func x11() desktop {
	get := func(kind string) []string { return []string{"xclip", "-selection", "clipboard", "-t", kind, "-o"} }
	return desktop{requiredEnv: "DISPLAY", listTypes: get("TARGETS"), picture: get, text: get, install: "xclip"}
}

func darwin() desktop {
	return desktop{picture: func(string) []string { return []string{"pngpaste", "-"} },
		text: func(string) []string { return []string{"pbpaste"} }, install: "pngpaste"}
}

// Read returns the content of the clipboard. A picture that cannot be sent to a model is an error.
func (r Reader) Read(ctx context.Context) (Content, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	var missing []string
	for _, d := range []desktop{wayland(), x11(), darwin()} {
		if d.requiredEnv != "" && !r.hasEnv(d.requiredEnv) || d.requiredEnv == "" && !r.Darwin {
			continue
		}
		if _, err := r.Programs.Path(d.picture("")[0]); err != nil {
			missing = append(missing, d.install)
			continue
		}
		return r.readFrom(ctx, d)
	}
	if len(missing) > 0 {
		return Content{}, fmt.Errorf("%w; install %s", ErrNoProgram, strings.Join(missing, " or "))
	}
	return Content{}, fmt.Errorf("%w: there is no desktop (WAYLAND_DISPLAY, DISPLAY); name a file with @ instead",
		ErrNoProgram)
}

// hasEnv reports whether the environment has a variable with a value.
func (r Reader) hasEnv(name string) bool {
	return slices.ContainsFunc(r.Env, func(kv string) bool {
		return strings.HasPrefix(kv, name+"=") && len(kv) > len(name)+1
	})
}

// readFrom reads the clipboard of one desktop. A program that fails is taken for an empty
// clipboard.
func (r Reader) readFrom(ctx context.Context, d desktop) (Content, error) {
	pictureType, textType := pictureTypes[0], textTypes[0]
	if d.listTypes != nil {
		list, err := r.run(ctx, d.listTypes, maxTypes)
		if err != nil {
			return Content{}, errorOrEmpty(err)
		}
		types := strings.Fields(strings.ReplaceAll(string(list), "; charset", ";charset"))
		pictureType, textType = firstOf(pictureTypes, types), firstOf(textTypes, types)
	}
	if pictureType != "" {
		data, err := r.run(ctx, d.picture(pictureType), picture.MaxFile)
		switch {
		case err == nil && len(data) > 0:
			p, err := picture.New("clipboard", data)
			if err != nil {
				err = fmt.Errorf("the picture on the clipboard cannot be sent: %w", err)
			}
			return Content{Picture: p}, err
		case errors.Is(err, ErrSlow), errors.Is(err, errTooLarge):
			return Content{}, err
		}
	}
	if textType != "" {
		data, err := r.run(ctx, d.text(textType), MaxText)
		if err == nil && len(data) > 0 {
			return Content{Text: strings.ToValidUTF8(string(data), "\uFFFD")}, nil
		}
		return Content{}, errorOrEmpty(err)
	}
	return Content{}, ErrEmpty
}

// firstOf returns the first wanted string that is available, or "".
func firstOf(wanted, available []string) string {
	for _, candidate := range wanted {
		if slices.Contains(available, candidate) {
			return candidate
		}
	}
	return ""
}

// errorOrEmpty returns err if it says more than that the clipboard is empty, else ErrEmpty. The
// programs fail if nothing was copied.
func errorOrEmpty(err error) error {
	if errors.Is(err, ErrSlow) || errors.Is(err, errTooLarge) {
		return err
	}
	return ErrEmpty
}

var errTooLarge = errors.New("the clipboard holds too much")

// run returns the output of a program. More than limit bytes are an error.
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
		return nil, errTooLarge
	case ctx.Err() != nil:
		return nil, ErrSlow
	}
	return out, err
}
