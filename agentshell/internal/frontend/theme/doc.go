// Package theme defines how the shell looks. It loads the built-in themes, and those of the user,
// which are files in the config directory. A theme sets the colours and attributes of the roles of
// [tui.Theme]. What it does not set comes from one of two base themes, dark and light.
//
// Whatever a theme file says, text can be read, and the label of an approval question looks like
// nothing else. A colour that is too similar to its background, or to the colour of these
// questions, is refused, and the base theme's style is used for that role. A terminal with fewer
// colours gets the nearest colour that is not refused.
package theme
