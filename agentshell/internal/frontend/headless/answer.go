package headless

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// lineQuestion parses lines as answers to one question.
type lineQuestion struct {
	proposal     *approval.Proposal
	policy       *approval.Policy
	offeredRules []string // rules as they were shown
	chosenRule   string   // the one that a yes stores
}

// parseLine returns the answer that a line gives, or the lines to reply with. It returns neither if
// the line asks for the whole file. A line that is not exactly an answer gives none.
func (q *lineQuestion) parseLine(line string) (approval.Answer, []string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "n", "no", "N", "NO":
		return approval.No{ID: q.proposal.ID, Reason: rest}, nil
	case "h", "here":
		if q.offersHere() {
			return approval.Here{ID: q.proposal.ID}, nil
		}
		return q.parseHunks(rest)
	case "a":
		return q.parseRule(rest)
	}
	if rest != "" {
		return nil, q.helpLines()
	}
	switch {
	case word == "Y" || word == "YES",
		(word == "y" || word == "yes") && len(q.proposal.Flags) == 0 && !q.offersHere():
		return approval.Yes{ID: q.proposal.ID}, nil
	case (word == "y" || word == "yes") && !q.offersHere():
		return nil, []string{"This change is flagged: a capital Y approves it."}
	case word == "s" || word == "stop":
		return approval.Stop{ID: q.proposal.ID}, nil
	case word == "D" && q.proposal.By != "":
		return approval.StopAgent{ID: q.proposal.ID}, nil
	case word == "i" && q.proposal.Flagged(approval.FlagHardLink) && !q.proposal.Remove:
		return approval.InPlace{ID: q.proposal.ID}, nil
	case word == "m" && q.offersEditMode():
		return approval.Yes{ID: q.proposal.ID, Mode: approval.ModeEdits}, nil
	case word == "x" && mayStopServer(q.proposal):
		return approval.StopServer{ID: q.proposal.ID}, nil
	case word == "v" && q.hasFullFile():
		return nil, nil
	}
	return nil, q.helpLines()
}

// offersHere reports whether the question can be answered for this workspace only.
func (q *lineQuestion) offersHere() bool {
	prompts, ok := q.proposal.Payload.(approval.Prompts)
	return ok && prompts.Here
}

// mayStopServer reports whether p is a question of an MCP server that may be stopped.
func mayStopServer(p *approval.Proposal) bool {
	f, is := p.Payload.(approval.Form)
	return is && f.Again
}

// offersEditMode reports whether the question is a plan after which changes of files may run
// without a question.
func (q *lineQuestion) offersEditMode() bool {
	_, plan := q.proposal.Payload.(approval.Plan)
	return plan && q.policy != nil && q.policy.Edits()
}

// hasFullFile reports whether there is a text file to show in full.
func (q *lineQuestion) hasFullFile() bool {
	return q.proposal.File() && q.proposal.After != nil && !q.proposal.Flagged(approval.FlagBinary)
}

// hasChoice reports whether there are several changes to choose from.
func (q *lineQuestion) hasChoice() bool {
	return len(q.proposal.Diff.Hunks) > 1 && q.proposal.Before != nil && q.proposal.Revisable()
}

// parseHunks handles the answer h with the numbers of the changes that are wanted. They make a new
// proposal, which is shown and asked.
func (q *lineQuestion) parseHunks(rest string) (approval.Answer, []string) {
	all := len(q.proposal.Diff.Hunks)
	if !q.hasChoice() {
		return nil, []string{"There is only one change here, so h has no choice."}
	}
	numbers := strings.Fields(strings.ReplaceAll(rest, ",", " "))
	if len(numbers) == 0 {
		return nil,
			[]string{
				fmt.Sprintf("Type h and the numbers of the changes that you want, from 1 to %d, as in: h 1 %d. The "+
					"result is shown, and you are asked again.", all, all)}
	}
	keep := make([]bool, all)
	for _, s := range numbers {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > all {
			return nil, []string{fmt.Sprintf("There is no change %s: choose from 1 to %d.", s, all)}
		}
		keep[n-1] = true
	}
	if !slices.Contains(keep, false) {
		return nil, []string{"These are all of the changes: y approves them."}
	}
	after := q.proposal.Diff.Apply(q.proposal.Before, func(i int) bool { return keep[i] })
	return approval.Revise{ID: q.proposal.ID, After: after}, nil
}

// parseRule handles the answer a. It shows the rules that would allow the call. With the number of
// a rule that was shown, it chooses that one to be stored.
func (q *lineQuestion) parseRule(rest string) (approval.Answer, []string) {
	if q.offeredRules == nil && q.policy != nil && len(q.proposal.Flags) == 0 && q.proposal.Subject.Tool != "" {
		q.offeredRules = q.policy.Offers(q.proposal.Subject)
		rest = "" // a rule is stored only once it was shown
	}
	if len(q.offeredRules) == 0 {
		return nil, []string{"No rule is offered for this change."}
	}
	if n, err := strconv.Atoi(rest); err == nil && n >= 1 && n <= len(q.offeredRules) {
		q.chosenRule = q.offeredRules[n-1]
		return approval.Yes{ID: q.proposal.ID}, nil
	}
	say := []string{"A rule allows calls like this one from now on, in this session, without asking:"}
	if by := q.proposal.By; by != "" {
		say[0] = "A rule allows calls of " + by + " like this one from now on, in this session, without asking:"
	}
	for i, r := range q.offeredRules {
		say = append(say, fmt.Sprintf("%d  %s", i+1, strings.ReplaceAll(r, approval.RuleSeparator, "  and  ")))
	}
	return nil, append(say, "a and a number stores that rule and approves this, as in: a 1")
}

// helpLines returns a description of all answers to this question.
func (q *lineQuestion) helpLines() []string {
	if q.offersHere() {
		return []string{"h uses it in this workspace, Y in all, n does not. s leaves that open."}
	}
	yes := "y approves"
	if len(q.proposal.Flags) > 0 {
		yes = "a capital Y approves, although it is flagged"
	}
	say := []string{yes + ", n denies, n and a reason denies with the reason, s denies and stops the turn."}
	if by := q.proposal.By; by != "" {
		say = append(say, "s stops the turn of Main, D denies and stops "+by+" alone.")
	}
	if q.offersEditMode() {
		say = append(say, "m approves, and changes of files run without a question from then on.")
	}
	if mayStopServer(q.proposal) {
		say = append(say, "x stops the MCP server.")
	}
	if q.hasFullFile() {
		say = append(say, "v shows the whole file.")
	}
	if q.hasChoice() {
		say = append(say,
			fmt.Sprintf("h and numbers applies only those of the %d changes, as in: h 1. You are asked again.",
				len(q.proposal.Diff.Hunks)))
	}
	if q.policy != nil && q.proposal.Subject.Tool != "" &&
		len(q.policy.Offers(q.proposal.Subject)) > 0 {
		say = append(say, "a shows rules that allow calls like this one from now on.")
	}
	if q.proposal.Flagged(approval.FlagHardLink) && !q.proposal.Remove {
		what := "i writes into the file itself, so that all of its names change."
		if q.proposal.InPlace {
			what = "i makes a new file after all: the other names keep the old content."
		}
		say = append(say, what+" You are asked again.")
	}
	return say
}
