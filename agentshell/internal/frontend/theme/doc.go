// Package theme is how the shell looks: the themes that are built in, and those of the person,
// which are files in the config folder. A theme gives the roles of [tui.Theme] colours and
// attributes on top of one of the two bases, dark and light.
//
// Whatever a file says, text can be read and a decision is like nothing else. A colour that is too
// near to the ground that it stands on, or to the colour of a decision, is refused, and the base's
// look is used for that role. Terminals with fewer colours get the nearest one that passes.
package theme
