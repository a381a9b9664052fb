//go:build terminals

package realterm

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// kitty under Xvfb, read and resized by its remote control. Which one is for oracle.Kitty to say.
type kitty struct {
	socket, show string
	hurry        bool // the next size does not wait until the last one is taken
}

// needKitty returns the profile of the kitty that is tested.
func needKitty(t *testing.T) profile.Profile {
	t.Helper()
	need.Program(t, oracle.Kitty())
	need.Program(t, "Xvfb")
	version, p, err := oracle.KittyProfile()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("kitty %s, profile %s", version, p.Name)
	return p
}

type payload map[string]any

// order speaks the protocol of the remote control itself: kitty's own client takes a second to
// start, and is a program of its own in newer versions.
func (k *kitty) order(t *testing.T, what string, p payload) string {
	t.Helper()
	conn, err := net.Dial("unix", k.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const begin, end = "\x1bP@kitty-cmd", "\x1b\\"
	// An old kitty has no answer to text, not even an empty one. That to a size comes half a second
	// later on a busy machine.
	silent := what == "send-text" || what == "resize-os-window" && k.hurry
	order, err := json.Marshal(map[string]any{"cmd": what, "version": []int{0, 26, 0}, "no_response": silent,
		"payload": p})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, begin+string(order)+end); err != nil {
		t.Fatal(err)
	}
	if silent {
		return ""
	}
	if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for buf := make([]byte, 1<<16); !bytes.HasSuffix(got, []byte(end)); {
		n, err := conn.Read(buf)
		if got = append(got, buf[:n]...); err != nil {
			t.Fatalf("kitty, told to %s, says %.300q, %v", what, got, err)
		}
	}
	var answer struct {
		OK          bool
		Data, Error string
	}
	got = bytes.TrimSuffix(bytes.TrimPrefix(got, []byte(begin)), []byte(end))
	if err := json.Unmarshal(got, &answer); err != nil || !answer.OK {
		t.Fatalf("kitty, told to %s, says %.300q, %v", what, got, err)
	}
	return answer.Data
}

func (k *kitty) start(t *testing.T, command string) {
	k.show, k.socket = display(t), filepath.Join(t.TempDir(), "s")
	window(t, k.show, oracle.Kitty(), "--config", "NONE", "--listen-on", "unix:"+k.socket, "-o",
		"allow_remote_control=yes", "-o", "scrollback_lines=20000",
		"-o", "update_check_interval=0", "-o", "remember_window_size=no", "-o", "initial_window_width=80c", "-o",
		"initial_window_height=24c", "-o", "font_size=7", "env", "PS1=$ ", "sh")
	eventually(t, "kitty", func() bool {
		conn, err := net.Dial("unix", k.socket)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	eventually(t, "kitty's shell", func() bool { return strings.Contains(k.tape(t), "$") })
	k.send(t, command+"\r")
}

func (k *kitty) resize(t *testing.T, cols, rows int) {
	k.order(t, "resize-os-window", payload{"action": "resize", "unit": "cells", "width": cols, "height": rows})
}

func (k *kitty) tape(t *testing.T) string { return k.text(t, "all") }

// text returns what kitty shows (screen), with its history (all).
func (k *kitty) text(t *testing.T, extent string) string {
	return k.order(t, "get-text", payload{"extent": extent})
}

func (k *kitty) shell(t *testing.T) { k.start(t, "true") }

func (k *kitty) send(t *testing.T, keys string) {
	k.order(t, "send-text", payload{"data": "text:" + keys})
}

func (k *kitty) paste(t *testing.T, text string) {
	clip(t, k.show, "clipboard", text)
	keyboard(t, k.show, "kitty")("key", "--clearmodifiers", "ctrl+shift+v")
}

// scroll moves the reader's view: by lines, up where they are fewer than none, or to the end.
func (k *kitty) scroll(t *testing.T, lines int) {
	k.order(t, "scroll-window", payload{"amount": []any{lines, "l"}})
}

func (k *kitty) scrollToEnd(t *testing.T) {
	k.order(t, "scroll-window", payload{"amount": []any{"end", nil}})
}
