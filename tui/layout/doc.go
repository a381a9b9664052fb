// Package layout places components: side by side, one below the other, over one another, in a box,
// with space around them.
//
// [Columns], [Rows], [Box], [Pad], [Align] and [Layers] are components made of components. Each one
// gives its children a [tui.Space] of their own and passes on what they ask for: the caret, Again,
// Hold, Scene, the mouse and key releases. A row is never wider than its place, whatever a child
// returns.
//
// One child has the focus: keys go to it, and its Space is Focused. Tab and Shift+Tab move the
// focus among the children that take keys, also into and out of nested layouts; a child that is the
// only one gets Tab itself. Where a child has asked for the mouse ([tui.View].Mouse) a click gives
// the focus to what is under it, and the event goes there with its own columns and rows.
//
// All rows are live until their block is done: [tui.View].Stable is 0, since what stands beside a
// row may still change. Text that streams into history is for a block of its own.
//
// A [tui.Image] in a layout is shown as text: the cells of a picture cannot be moved.
//
// All methods are for the loop, as everywhere in package tui. Fields are changed on the loop, too.
package layout
