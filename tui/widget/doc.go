// Package widget has components that show things and let the user choose from them. [List],
// [Select], [MultiSelect], [Confirm] and [Input] ask for something. [Table], [Tree], [FilePicker]
// and [Viewport] scroll through more than fits, with a [ScrollBar]. [Calendar] is for a day and
// [Menu] for an action. [Tabs] holds several components. [Progress], [Spinner], [Log] and [Toasts]
// report what is going on. [KeyHelp], [Breadcrumb] and [StatusLine] are single rows to put around
// the others. Package layout arranges components side by side, package form has pages of
// questions, and package chart draws numbers.
//
// The zero value of each type is ready to use. Exported fields are the configuration. Change them
// only on the App's loop, that is, in a callback or in [tui.App.Do]. Methods are for the loop, too,
// unless their comments say that any goroutine may call them. No widget has a goroutine or a clock,
// and one that does not move costs nothing.
//
// A widget can be put in the footer, in an overlay, on the alternate screen ([tui.Place.Full]) and
// in the transcript. Some have a field Height to limit their rows where several components share
// the screen; the components of package layout divide up the rest. In the transcript, and without a
// terminal, the Space has no height. The widget then is text: all of its content, with numbers
// where something can be chosen, and [tui.Ask] passes it lines of input.
//
// Every field may contain untrusted text. Control sequences and invisible characters are shown as
// visible tokens, and no row is wider than its Space. What is highlighted is recognizable by a mark
// as well as by its colour. Widgets take clicks and the wheel only if the field Mouse is set: while
// a program takes the mouse, users must hold Shift to select text in the terminal.
package widget
