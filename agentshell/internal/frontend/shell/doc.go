// Package shell is what a person sees of the agent: the transcript's blocks, the approval pane, the
// prompt and its commands.
//
// A [Shell] maps the events of a turn to blocks of a tui transcript (SH-1) and is the approver that
// a turn asks. It decides nothing that the person did not decide: the pane shows the whole of a
// Proposal, and an answer to anything else than what stands on the screen is no answer.
package shell
