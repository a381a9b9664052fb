package headless

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// asking is one question: what lines mean as answers to it.
type asking struct {
	p      *approval.Proposal
	policy *approval.Policy
	listed []string // rules as they were shown
	rule   string   // the one that a yes stores
}

// take reads a line: an answer, or what to say to it. Neither: the whole file is wanted. What is
// not exactly an answer is none.
func (q *asking) take(line string) (approval.Answer, []string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "n", "no", "N", "NO":
		return approval.No{ID: q.p.ID, Reason: rest}, nil
	case "h":
		return q.hunks(rest)
	case "a":
		return q.always(rest)
	}
	if rest != "" {
		return nil, q.help()
	}
	switch {
	case word == "Y" || word == "YES",
		(word == "y" || word == "yes") && len(q.p.Flags) == 0:
		return approval.Yes{ID: q.p.ID}, nil
	case word == "y" || word == "yes":
		return nil, []string{"This change is flagged: a capital Y approves it."}
	case word == "s" || word == "stop":
		return approval.Stop{ID: q.p.ID}, nil
	case word == "i" && q.p.Flagged(approval.FlagHardLink) && !q.p.Remove:
		return approval.InPlace{ID: q.p.ID}, nil
	case word == "m" && q.edits():
		return approval.Yes{ID: q.p.ID, Mode: approval.ModeEdits}, nil
	case word == "x" && again(q.p):
		return approval.StopServer{ID: q.p.ID}, nil
	case word == "v" && q.views():
		return nil, nil
	}
	return nil, q.help()
}

// again reports whether the MCP server whose question p is may be stopped.
func again(p *approval.Proposal) bool {
	f, is := p.Payload.(approval.Form)
	return is && f.Again
}

// edits reports whether the question is a plan behind which changes of files may run.
func (q *asking) edits() bool {
	_, plan := q.p.Payload.(approval.Plan)
	return plan && q.policy != nil && q.policy.Edits()
}

func (q *asking) views() bool {
	return q.p.File() && q.p.After != nil && !q.p.Flagged(approval.FlagBinary)
}

// chooses reports whether there are changes to choose from.
func (q *asking) chooses() bool {
	return len(q.p.Diff.Hunks) > 1 && q.p.Before != nil && q.p.Revisable()
}

// hunks handles answer h: the numbers of the changes that are wanted. They make a new proposal,
// which is shown and asked.
func (q *asking) hunks(rest string) (approval.Answer, []string) {
	all := len(q.p.Diff.Hunks)
	if !q.chooses() {
		return nil, []string{"There are no several changes here to choose from."}
	}
	numbers := strings.Fields(strings.ReplaceAll(rest, ",", " "))
	if len(numbers) == 0 {
		return nil,
			[]string{
				fmt.Sprintf("h and the numbers of the changes that you want, of 1 to %d, as in: h 1 %d. What comes "+
					"of it is shown and asked again.", all, all)}
	}
	keep := make([]bool, all)
	for _, s := range numbers {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > all {
			return nil, []string{fmt.Sprintf("There is no change %s; they are 1 to %d.", s, all)}
		}
		keep[n-1] = true
	}
	if !slices.Contains(keep, false) {
		return nil, []string{"These are all of the changes: y approves them."}
	}
	after := q.p.Diff.Apply(q.p.Before, func(i int) bool { return keep[i] })
	return approval.Revise{ID: q.p.ID, After: after}, nil
}

// always handles answer a: the rules that would allow this, and with the number of one that was
// shown its storing.
func (q *asking) always(rest string) (approval.Answer, []string) {
	if q.listed == nil && q.policy != nil && len(q.p.Flags) == 0 && q.p.Subject.Tool != "" {
		q.listed = q.policy.Offers(q.p.Subject)
		rest = "" // a rule is stored only once it was shown
	}
	if len(q.listed) == 0 {
		return nil, []string{"No rule is offered for this change."}
	}
	if n, err := strconv.Atoi(rest); err == nil && n >= 1 && n <= len(q.listed) {
		q.rule = q.listed[n-1]
		return approval.Yes{ID: q.p.ID}, nil
	}
	say := []string{"A rule allows calls like this one from now on, in this session, without asking:"}
	for i, r := range q.listed {
		say = append(say, fmt.Sprintf("%d  %s", i+1, strings.ReplaceAll(r, approval.RuleSeparator, "  and  ")))
	}
	return nil, append(say, "a and a number stores that rule and approves this, as in: a 1")
}

// help returns all answers that there are to this question.
func (q *asking) help() []string {
	yes := "y approves"
	if len(q.p.Flags) > 0 {
		yes = "a capital Y approves, although it is flagged"
	}
	say := []string{yes + ", n denies, n and a reason denies with the reason, s denies and stops the turn."}
	if q.edits() {
		say = append(say, "m approves, and changes of files run without a question from then on.")
	}
	if again(q.p) {
		say = append(say, "x stops the MCP server.")
	}
	if q.views() {
		say = append(say, "v shows the whole file.")
	}
	if q.chooses() {
		say = append(say,
			fmt.Sprintf("h and numbers applies only those of the %d changes, as in: h 1. You are asked again.",
				len(q.p.Diff.Hunks)))
	}
	if len(q.p.Flags) == 0 && q.policy != nil && q.p.Subject.Tool != "" && len(q.policy.Offers(q.p.Subject)) > 0 {
		say = append(say, "a shows rules that allow calls like this one from now on.")
	}
	if q.p.Flagged(approval.FlagHardLink) && !q.p.Remove {
		what := "i writes into the file itself, so that all of its names change."
		if q.p.InPlace {
			what = "i makes a new file after all: the other names keep the old content."
		}
		say = append(say, what+" You are asked again.")
	}
	return say
}
