// Package tui keeps a program's transcript in the terminal's own history, and repaints only a small
// live region below it.
//
// # The model
//
// An [App] is a program on one terminal. Its [Transcript] is the conversation: plain text, rows,
// and [Block]s with components. Blocks become final in order. A final row is sent to the terminal
// once and never again, so that the history that the user reads is never damaged. Below the
// transcript is the Footer: an [Editor], a [Status], or a [Stack] of several components. An overlay
// ([App.Overlay], [Ask]) is shown as a layer above the other rows, in place of the Footer, or on
// the alternate screen, see [Place].
//
// A [Component] is anything with a View method, which returns rows for a [Space]. It says how many
// of its rows are final ([View].Stable), where in the component's source each row ends ([Line].End,
// so that it can continue at another width), and when View must be called again
// ([View].RefreshAfter). [Text] and [Prose] are such components. [Layout] breaks text into rows for
// others.
//
// A component that cannot say which rows are final leaves Stable at 0. Its rows are then live until
// [Block].Done, and until then those that do not fit on the screen are not shown. [Infer] guesses
// which rows are final, for programs that ask for it.
//
// # The loop
//
// [App.Run] starts one loop. It calls View, HandleEvent and all On... fields, one at a time. They
// must not block. A function that may be called on any goroutine says so; everything else must be
// called on the loop or before Run. Change what a component shows only on the loop: in an event
// handler, in [App.Do], or in [Block.Update]. Components get the time from [Space].Now. Animations
// use [View].RefreshAfter and nothing else, so that an idle program never wakes up.
//
// A terminal that reads its input slowly makes the writers block ([Transcript.Write],
// [Stream.Write]), but never the loop, which skips frames instead.
//
// # Keys
//
// An event goes to the overlay with the focus, then to Footer, then to App.OnEvent. Of the keys
// that nobody handles, Ctrl+C ends Run with [ErrInterrupted], Ctrl+D ends it, Ctrl+Z stops the
// process, and Ctrl+L paints the live rows again.
//
// # Crashes
//
// A panic in a callback or in App.Main restores the terminal and then ends the process. A panic in
// a goroutine of [App.Go] becomes the error of Run. For panics in other goroutines, and for
// everything else that ends a process, a second process can guard the terminal: App.Terminal.Guard,
// see [terminal.NewGuard].
//
// # Environment
//
// These variables are read besides NO_COLOR, TERM=dumb and those of package terminal:
//
//   - SCROLLKEEP_RESIZE: preserve, rebuild or append, see [ResizeMode]
//   - SCROLLKEEP_PROSE: words or native, see App.Native
//   - SCROLLKEEP_STRICT=1: the terminal's history is never erased
//   - SCROLLKEEP_STILL=1: spinners are not animated
//   - SCROLLKEEP_HARDWARE_CURSOR=0: the caret is drawn as a character
//   - SCROLLKEEP_DEBUG_REDRAW=file: one JSON line for each frame is appended to the file
//
// # Tests
//
// Package tuitest runs an App on a virtual screen with history, in the time of a testing/synctest
// bubble.
package tui
