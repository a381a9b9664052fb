// Package tui keeps a program's transcript in the terminal's own history and repaints only a small live region below it.
//
// # The model
//
// An [App] is one program on one terminal. Its [Transcript] is what was said: plain writes, rows, and [Block]s that are components. Blocks
// become final in order; a final row is handed to the terminal once and never again, so that the reader's history is safe. Below stands the
// Footer: an [Editor], a [Status], or a [Stack] of several. An overlay or a pane ([App.Overlay], [Ask]) covers or replaces it for a while.
//
// # The one loop
//
// One loop, started by [App.Run]: View, HandleEvent and all On... fields are called on it, one at a time, and must not wait. "Any
// goroutine" marks the other doors; everything else is for the loop or before Run. What a component shows is changed on the loop only: in a
// handler, in [App.Do], in [Block.Update]. Time comes to a component in [Space.Now], and [View.Again] is the only animation clock: an idle
// program does not wake up at all.
package tui
