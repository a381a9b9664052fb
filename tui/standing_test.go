package tui

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// actor is an overlay that shows a scene, and remembers what it was told at its last frame and with
// its last key.
type actor struct {
	scene       string
	rows        int
	seen, keyed time.Time
}

func (a *actor) View(s Space) View {
	a.seen = s.Shown
	v := View{Scene: a.scene}
	for i := range a.rows {
		v.Lines = append(v.Lines, Line{Spans: []Span{{Text: fmt.Sprint(a.scene, i)}}})
	}
	return v
}

func (a *actor) HandleEvent(ev Event, s Space) bool {
	if _, key := ev.(Key); key {
		a.keyed = s.Shown
	}
	return true
}

// What begins the time anew for which a scene has been shown, and what does not: it happens after a
// second, and the key comes one and a half later.
func TestASceneIsShownFromTheFrameOnThatTheTerminalTook(t *testing.T) {
	const never = -1
	for _, c := range []struct {
		name string
		do   func(r *rig, a *actor)
		want time.Duration // before the end; below 0: it is not shown
	}{
		{"nothing happens", func(*rig, *actor) {}, 2500 * time.Millisecond},
		{"other frames come", func(r *rig, _ *actor) { fmt.Fprintln(r.app.Transcript(), "more") },
			2500 * time.Millisecond},
		{"another scene", func(r *rig, a *actor) { r.app.Do(func() { a.scene = "other" }) }, 1500 * time.Millisecond},
		{"no scene", func(r *rig, a *actor) { r.app.Do(func() { a.scene = "" }) }, never},
		{"more rows than there are", func(r *rig, a *actor) { r.app.Do(func() { a.rows = 7 }) }, never},
		{"more rows than there are, and fewer again", func(r *rig, a *actor) {
			r.app.Do(func() { a.rows = 7 })
			r.settle()
			r.app.Do(func() { a.rows = 2 })
		}, 1500 * time.Millisecond},
		{"an overlay over it", func(r *rig, _ *actor) {
			r.app.Overlay(&actor{rows: 1}, Place{Replace: true})
			r.app.Do(func() {})
		}, never},
		{"an overlay that goes again", func(r *rig, _ *actor) {
			var remove func()
			r.app.Do(func() { remove = r.app.Overlay(&actor{rows: 1}, Place{}) })
			r.settle()
			r.app.Do(func() { remove() })
		}, 1500 * time.Millisecond},
		{"another size: rows may be cut for a second", func(r *rig, _ *actor) { r.d.resize(30, 6) },
			500 * time.Millisecond},
		{"another size that nobody tells of", func(r *rig, _ *actor) { r.d.vt.Resize(30, 6) }, never},
		// The overlay takes it.
		{"another program", func(r *rig, _ *actor) { r.press("ctrl+z") }, 2500 * time.Millisecond},
		{"the screen is given away", func(r *rig, _ *actor) {
			_ = r.app.Suspend(r.t.Context(), func() error { return nil })
		}, 1500 * time.Millisecond},
		{"another window", func(r *rig, _ *actor) { r.d.events <- Focus{}; r.d.events <- Focus{In: true} },
			1500 * time.Millisecond},
		{"another window, looked at for a second", func(r *rig, _ *actor) {
			r.d.events <- Focus{}
			pass(time.Second)
			r.d.events <- Focus{In: true}
		}, 500 * time.Millisecond},
		{"another window, and nobody tells that it has gone", func(r *rig, a *actor) {
			r.d.events <- Focus{}
			pass(time.Second)
			synctest.Wait()
			if !a.seen.IsZero() {
				r.t.Errorf("it stands since %v while another window has the keyboard", a.seen)
			}
			r.press("x")
		}, 500 * time.Millisecond},
		{"a frame that is not taken", func(r *rig, a *actor) {
			r.d.stall()
			fmt.Fprintln(r.app.Transcript(), "more")
		}, never},
		{"a frame that is taken late", func(r *rig, a *actor) {
			r.d.stall()
			fmt.Fprintln(r.app.Transcript(), "more")
			r.settle()
			pass(200 * time.Millisecond)
			r.d.flow()
		}, 1500 * time.Millisecond},
		{"a frame that is taken soon", func(r *rig, a *actor) {
			r.d.stall()
			fmt.Fprintln(r.app.Transcript(), "more")
			r.settle()
			r.d.flow()
		}, 2500 * time.Millisecond},
		{"the terminal says that it is back", func(r *rig, _ *actor) { r.d.events <- terminal.Resumed{} },
			1500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &actor{scene: "a", rows: 2}
				app := &App{Footer: NewText("footer")}
				app.Overlay(a, Place{Replace: true})
				r := start(t, app, 20, 6)
				begun := time.Now()
				pass(time.Until(begun.Add(time.Second)))
				c.do(r, a)
				r.settle()
				pass(time.Until(begun.Add(2500 * time.Millisecond)))
				now := time.Now()
				r.press("x")
				synctest.Wait()
				got, want := now.Sub(a.keyed), c.want
				if a.keyed.IsZero() {
					got = never
				}
				const slack = 300 * time.Millisecond // of frames, and of steps that take time
				if (got < 0) != (want < 0) || got > want+slack || got < want-slack {
					t.Errorf("a key was told %v, want %v", got, want)
				}
				r.d.flow()
				r.quit()
			})
		})
	}
}

func TestTheRunEndsWhenTheTerminalComesBackAfterItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 6)
		fmt.Fprintln(app.Transcript(), "one")
		r.settle()
		_ = app.Suspend(t.Context(), func() error {
			app.Quit(nil)
			pass(time.Minute)
			return nil
		})
		if err := r.wait(); err != nil {
			t.Error(err)
		}
		r.want("one")
	})
}
