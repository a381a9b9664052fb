// Package layout arranges components: side by side, below one another, above one another, in a
// frame, and with space around them.
//
// [Columns], [Rows], [Box], [Pad], [Align] and [Layers] are components that contain other
// components. Each gives its children a [tui.Space] of their own, and passes on what their views
// request: the caret, RefreshAfter, Hold, Scene, the mouse and key releases. No row is wider than
// its space, whatever a child returns.
//
// One child has the focus: it gets the keys, and its Space is Focused. Tab and Shift+Tab move the
// focus among the children that take keys, also into and out of nested layouts. A child that is the
// only one to take keys gets Tab itself. If a child has requested the mouse ([tui.View].Mouse), a
// click gives it the focus, and the event goes to it with its own columns and rows.
//
// [tui.View].Stable of a layout is 0, so that all rows are live until their block is done: what is
// beside a row may still change. Use a separate block for text that grows.
//
// A [tui.Image] in a layout is shown as text, because the cells of a picture cannot be moved.
//
// Call all methods and change fields only on the App's loop, as everywhere in package tui.
package layout
