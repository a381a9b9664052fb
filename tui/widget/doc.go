// Package widget holds what programs show things with and let a person choose from: [List],
// [Select], [MultiSelect], [Confirm] and [Input] ask; [Table], [Tree], [FilePicker] and [Viewport]
// show more than fits and scroll, with a [ScrollBar]; [Calendar] and [Menu] are for a day and for
// an action; [Tabs] holds several of them; [Progress], [Spinner], [Log] and [Toasts] tell what goes
// on; [KeyHelp], [Breadcrumb] and [StatusLine] are the rows around them. Package layout places them
// beside one another, package form puts questions on a page, package chart draws numbers.
//
// The zero value of each works. Exported fields are its configuration; they are changed on the
// loop, in a callback or in [tui.App.Do]. Where a goroutine of the program's may call a method its
// comment says so. No widget has a goroutine or a clock of its own, and one that does not move
// costs nothing.
//
// A widget stands in the footer, in an overlay, on the alternate screen ([tui.Place.Full]) and in
// the transcript. In a transcript, and without a terminal, it is text: all of it, with numbers
// where something can be chosen, and [tui.Ask] takes lines for an answer. Height is for a place
// that it shares with others; the components of package layout share out the rest.
//
// Text of others may stand in every field: what a terminal would obey, or nobody would see, is
// shown as a token, and no row is wider than its place. A mark, and not only a colour, tells what
// is chosen. Clicks and the wheel are taken only where the field Mouse is set, since the terminal's
// own selection needs Shift then.
package widget
