// Package shell implements the user interface of the agent shell: the transcript, the pane in which
// the user approves changes, the prompt, and the slash commands.
//
// A [Shell] converts the events of a turn to blocks of a tui transcript (SH-1), and asks the user
// about each change that needs approval. It makes no decision itself: a pane shows the whole
// proposal, and an answer counts only for the proposal that was visible.
package shell
