// Package clipboard reads pictures and text from the clipboard, by running a program of the desktop
// such as wl-paste.
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

// Limits for reading the clipboard.
const (
	Timeout  = 2 * time.Second // The time within which all programs for one read must have ended.
	MaxText  = 4 << 20         // The largest text, in bytes. A picture may have picture.MaxFile bytes.
	maxTypes = 64 << 10        // The size of the longest list of content types, in bytes.
)

// Errors that [Reader.Read] returns.
var (
	ErrEmpty     = errors.New("the clipboard holds no picture and no text")
	ErrNoProgram = errors.New("no program here can read the clipboard")
	ErrSlow      = fmt.Errorf("the clipboard did not answer within %d s", Timeout/time.Second)
)

// Content holds what the clipboard contains: a picture or, if there is none, text.
type Content struct {
	Picture picture.Picture // The picture; its Data is nil if the clipboard has none.
	Text    string          // The text, as valid UTF-8; "" if there is a picture.
}

// Reader reads the clipboard by running wl-paste, xclip, pngpaste or pbpaste, whichever fits the
// desktop.
type Reader struct {
	Env []string // The environment of the programs. WAYLAND_DISPLAY and DISPLAY in it say which desktop runs.
	// The system is macOS.
	Darwin bool
	// Programs finds the executables of the clipboard programs. If it is nil, they are searched in
	// the PATH of this process.
	Programs *child.Programs
	// Run executes a command, as child.Family.Run does. If it is nil, the command gets a process
	// tree of its own.
	Run func(ctx context.Context, cmd *exec.Cmd) error
}

// desktop describes the clipboard programs of one kind of desktop: Wayland, X11 or macOS.
type desktop struct {
	requiredEnv string // The environment variable that shows that this desktop runs; "" if there is none.
	// The command that lists the content types on the clipboard. If it is nil, the picture is
	// requested without a look at the types.
	listTypes []string
	// Return the commands that print a picture or a text of a content type.
	picture, text func(kind string) []string
	// The package to install if the programs are missing, for an error message.
	install string
}

// pictureTypes lists the content types of pictures, the preferred one first.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// textTypes lists the content types of texts, the preferred one first.
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

// Read returns the content of the clipboard. If the clipboard has a picture that cannot be sent to
// a model, Read returns an error.
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

// hasEnv reports whether r.Env sets the variable name to something else than "".
func (r Reader) hasEnv(name string) bool {
	return slices.ContainsFunc(r.Env, func(kv string) bool {
		return strings.HasPrefix(kv, name+"=") && len(kv) > len(name)+1
	})
}

// readFrom reads the clipboard with the programs of desktop d. It treats a program that fails like
// an empty clipboard.
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

// firstOf returns the first string of wanted that is in available, too, or "" if there is none.
func firstOf(wanted, available []string) string {
	for _, candidate := range wanted {
		if slices.Contains(available, candidate) {
			return candidate
		}
	}
	return ""
}

// errorOrEmpty returns err if it says that the clipboard was too slow or too large. It returns
// ErrEmpty for all other errors and for nil, since the programs also fail if nothing has been
// copied.
func errorOrEmpty(err error) error {
	if errors.Is(err, ErrSlow) || errors.Is(err, errTooLarge) {
		return err
	}
	return ErrEmpty
}

// errTooLarge says that the picture or text exceeds its limit.
var errTooLarge = errors.New("the clipboard holds too much")

// run executes the program argv[0] and returns its output. Output of more than limit bytes is an
// error.
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
	cmd.Env, cmd.Dir = r.Programs.Environ(r.Env), filepath.Dir(path) // any directory but the workspace
	out, _, err := child.Output(ctx, run, cmd, limit+1)
	switch {
	case len(out) > limit:
		return nil, errTooLarge
	case ctx.Err() != nil:
		return nil, ErrSlow
	}
	return out, err
}
