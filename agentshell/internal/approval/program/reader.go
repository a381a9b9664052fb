package program

import (
	"slices"
	"strings"
)

// reader reads the words of one simple command in order.
type reader struct {
	Reading
	words        []Word
	table        *table
	operandCount int             // operandCount is the number of operands for the present table so far.
	seenOptions  map[string]bool // seenOptions holds the options for the present table so far.
	optionsEnded bool            // optionsEnded says that a -- has ended the options.
	isPassing    bool            // isPassing says that the remaining words belong to another program.
	// asksVersion says that --version or --help was given: then an interpreter runs no code.
	asksVersion bool
}

func (r *reader) run() {
	r.seenOptions = map[string]bool{}
	i := 1
	if r.table.bundle && len(r.words) > 1 && r.words[1].Literal && r.words[1].Text != "" && r.words[1].Text[0] != '-' {
		i = r.readBundle()
	}
	for i < len(r.words) {
		i = r.readWord(i)
	}
	r.Alters, r.orderIsFree = r.table.alters, r.table.each
	r.Code = r.Code || r.table.code || r.table.operandCheck == "script" && r.operandCount == 0 && !r.isPassing &&
		!r.asksVersion
}

// readWord reads the word at i with its values. It returns the index of the next word.
func (r *reader) readWord(i int) int {
	w, part := r.words[i].Text, &r.Parts[i]
	switch {
	case r.isPassing:
		part.Role = Passed
		r.operands = append(r.operands, r.words[i])
	case !r.words[i].Literal && r.isHarmlessJoined(i):
		part.Role = Harmless
	case !r.words[i].Literal:
		part.Role = Unknown
		if r.isHarmlessOperand(i) {
			part.Role = Operand
			r.operandCount++
		}
		r.markUnsure()
		r.operands = append(r.operands, r.words[i])
	case r.table.data:
		part.Role = Operand
		r.operands = append(r.operands, r.words[i])
		if r.table.operandCheck != "" {
			part.Role = max(Operand, checkByName[r.table.operandCheck](r, i-1, w))
		}
	case w == "--" && !r.optionsEnded && (r.table.ends || r.table.pass):
		part.Role, r.optionsEnded = Harmless, true
		if r.table.pass {
			r.passAfterDashes()
		}
	case len(w) > 1 && w[0] == '-' && !r.optionsEnded:
		return r.readOption(i)
	default:
		r.readOperand(i)
	}
	return i + 1
}

// isHarmlessOperand reports whether the word at i, whose text is not known, is an operand in any
// case. It returns false where a subcommand or a program could be.
func (r *reader) isHarmlessOperand(i int) bool {
	w, t := r.words[i], r.table
	switch {
	case !t.isKnown || t.code || t.alters || t.script || t.hasSubcommands && r.operandCount == 0:
		return false
	case t.data && t.operandCheck == "":
		return true
	case t.operandCheck == "condition":
		return w.Safe && w.One || w.One && r.isCompared(i)
	case t.operandCheck == "output":
		return r.operandCount > 0 // the format stands before it, and ended the options
	case t.operandCheck != "" && t.operandCheck != "any":
		return false
	}
	return w.Safe || t.ends && r.optionsEnded && !t.file
}

// isHarmlessJoined reports whether the word at i, a pattern whose matches are not known, can only
// be a harmless option with its value, such as --include=*.go.
func (r *reader) isHarmlessJoined(i int) bool {
	v, t := r.words[i].Values, r.table
	if v == nil || !v.All || len(v.List) == 0 || r.optionsEnded || t.optionStyle != "" || t.data || t.code || t.alters {
		return false
	}
	for _, c := range v.List {
		text := c.Before + c.Pattern
		name, _, joined := strings.Cut(text[:literalLength(text)], "=")
		o, known := t.options[name]
		if !joined || !strings.HasPrefix(name, "--") || !known || o.role != Harmless || o.valueForm != ":" ||
			o.valueCheck != "" {
			return false
		}
		r.givenOptions = append(r.givenOptions, t.splitOptions(name+"=")...)
		r.seenOptions[o.name] = true
	}
	return true
}

// literalLength returns the number of bytes of a pattern before its first special character.
func literalLength(pattern string) int {
	if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
		return i
	}
	return len(pattern)
}

// isCompared reports whether the word at i is a value that the program test compares or checks.
// With so few words it can be nothing else.
func (r *reader) isCompared(i int) bool {
	words := r.words[1:]
	if n := len(words); n > 0 && r.words[0].Text == "[" {
		words = words[:n-1]
	}
	switch len(words) {
	case 2:
		asks := []string{"-n", "-z", "-e", "-f", "-d", "-r", "-w", "-x", "-s", "-L"}
		return i == 2 && slices.Contains(asks, words[0].Text)
	case 3:
		return i != 2 && slices.Contains([]string{"=", "==", "!="}, words[1].Text)
	}
	return false
}

// passAfterDashes continues with the program that gets the words after --.
func (r *reader) passAfterDashes() {
	if sub := tables()[r.table.path+" --"]; sub != nil {
		r.enterSubcommand(sub)
		return
	}
	r.isPassing = true
}

// markUnsure notes that the position of the subcommand is not known.
func (r *reader) markUnsure() {
	r.isUnsure = r.isUnsure || r.table.hasSubcommands && r.operandCount == 0
}

func (r *reader) readOperand(i int) {
	w, part, t := r.words[i].Text, &r.Parts[i], r.table
	first := r.operandCount == 0
	r.operandCount++
	if t.hasSubcommands && first {
		if sub := tables()[t.path+" "+w]; sub != nil {
			part.Role = Subcommand
			r.enterSubcommand(sub)
			return
		}
		if t.operandCheck == "" { // else a subcommand is not the only thing that can stand here
			part.Role = Known
			if t.closed {
				part.Role = Dangerous
			}
			r.Table = false
			r.enterSubcommand(&table{path: t.path + " " + w})
			return
		}
	}
	part.Role = Operand
	r.operands = append(r.operands, r.words[i])
	switch {
	case t.operandCheck != "":
		part.Role = max(Operand, checkByName[t.operandCheck](r, r.operandCount-1, w))
	case !t.isKnown && !isPlain(w), t.isKnown && w != "" && strings.IndexByte("+@:", w[0]) >= 0 && !t.plus:
		part.Role = Unknown
	}
	r.isPassing = t.script
}

// enterSubcommand continues with the table of a subcommand.
func (r *reader) enterSubcommand(sub *table) {
	r.table, r.Path, r.operandCount, r.optionsEnded = sub, sub.path, 0, false
	clear(r.seenOptions)
}

func (r *reader) readOption(i int) int {
	w, part := r.words[i].Text, &r.Parts[i]
	var o option
	var joined bool // its value is in this word
	r.givenOptions = append(r.givenOptions, r.table.splitOptions(w)...)
	switch {
	case r.table.number && strings.Trim(w[1:], "0123456789") == "":
		part.Role = Harmless
		return i + 1
	case r.table.optionStyle == "words":
		o, joined = r.table.readWordOption(w)
	case r.table.optionStyle == "single":
		o, joined = r.table.readSingle(w)
	case strings.HasPrefix(w, "--"):
		o, joined = r.table.readLong(w)
	default:
		o, joined = r.table.readLetters(w[1:])
	}
	if o.role == Unknown {
		r.markUnsure()
	}
	part.Role, part.Option = o.role, o.name
	if joined && o.valueCheck != "" {
		v := o.joinedValue
		if strings.HasPrefix(w, "--") || r.table.optionStyle == "single" {
			_, v, _ = strings.Cut(w, "=")
		}
		if v != "" {
			part.Role = max(part.Role, checkByName[o.valueCheck](r, 0, v))
		}
	}
	r.seenOptions[o.name] = true
	r.asksVersion = r.asksVersion || o.role == Harmless && (o.name == "--version" || o.name == "--help")
	next := i + 1
	if !joined {
		for range strings.Count(o.valueForm, ":") {
			next = r.readValue(i, next)
		}
	}
	if strings.HasSuffix(o.valueForm, ">") {
		r.passToProgram(next)
	}
	return next
}

// readValue reads the word at next as the value of the option at i, and returns the index of the
// word to read next. It does not skip a word that looks like an option, because the table could be
// wrong about the value.
func (r *reader) readValue(i, next int) int {
	if next >= len(r.words) {
		return next
	}
	w, o := r.words[next], &r.Parts[i]
	if !w.Literal && (!w.Safe || r.table.options[o.Option].valueCheck != "") {
		o.Role = max(o.Role, Unknown)
	}
	dash := len(w.Text) > 1 && w.Text[0] == '-'
	if dash && r.table.optionStyle == "words" && w.Text[1] >= '0' && w.Text[1] <= '9' {
		dash = false // find -mtime -7
	}
	if dash || r.table.file && strings.HasPrefix(w.Text, "@") {
		o.Role = max(o.Role, Unknown)
		if check := r.table.options[o.Option].valueCheck; check != "" {
			o.Role = max(o.Role, checkByName[check](r, 0, w.Text))
		}
		return next
	}
	r.Parts[next] = Part{Role: Value, Option: o.Option, Of: i}
	if n := len(r.givenOptions); n > 0 {
		r.givenOptions[n-1].value = w.Text
	}
	if check := r.table.options[o.Option].valueCheck; check != "" {
		o.Role = max(o.Role, checkByName[check](r, 0, w.Text))
	}
	return next + 1
}

// passToProgram continues with the program that an option names, such as python -m.
func (r *reader) passToProgram(next int) {
	path := ""
	for _, w := range r.words[1:next] {
		path += " " + w.Text
	}
	if sub := tables()[r.table.path+path]; sub != nil {
		r.enterSubcommand(sub)
		return
	}
	r.isPassing = true
}

// readBundle reads option letters without a dash, such as those of tar. Their values follow in the
// order of the letters.
func (r *reader) readBundle() int {
	next := 2
	part := &r.Parts[1]
	part.Role = Harmless
	for _, c := range r.words[1].Text {
		o, ok := r.table.options["-"+string(c)]
		if !ok {
			o.role = Unknown
		}
		part.Role = max(part.Role, o.role)
		part.Option = o.name
		r.seenOptions[o.name] = true
		for range strings.Count(o.valueForm, ":") {
			next = r.readValue(1, next)
		}
	}
	return next
}

// readLong reads --name and --name=value. joined says that the value is in w. An abbreviated name
// is unknown, or dangerous if it can mean a dangerous option.
func (t *table) readLong(w string) (o option, joined bool) {
	name, _, joined := strings.Cut(w, "=")
	if o, ok := t.options[name]; ok {
		if joined && o.valueForm != ":" && o.valueForm != "?" && o.valueForm != ":>" {
			o.role = max(o.role, Unknown)
		}
		return o, joined || o.valueForm == "?"
	}
	found := option{role: Unknown, name: name}
	for full, o := range t.options {
		if !strings.HasPrefix(full, name) || len(name) <= 2 {
			continue
		}
		switch {
		case o.role == Dangerous && (found.role != Dangerous || full < found.name):
			found = o
			found.name = full
		case o.valueCheck != "" && found.role != Dangerous && (found.valueCheck == "" || full < found.name):
			found = o
			found.role, found.name = Unknown, full
		}
	}
	return found, joined || found.valueForm != ":"
}

// readLetters reads a word of several one-letter options.
func (t *table) readLetters(w string) (o option, joined bool) {
	if o, ok := t.options["-"+w]; ok {
		return o, o.valueForm == "?"
	}
	all := option{role: Harmless}
	for i, c := range w {
		o, ok := t.options["-"+string(c)]
		if !ok {
			o = option{role: Unknown, name: "-" + string(c)}
		}
		if o.role > all.role || all.name == "" {
			all.name = o.name
		}
		all.role = max(all.role, o.role)
		all.valueForm, all.valueCheck = o.valueForm, o.valueCheck
		rest := w[i+len(string(c)):]
		switch {
		case o.valueForm == "?":
			if t.hasDangerous(rest) {
				all.role = Dangerous // perl -lane: the value of -l ends somewhere
			}
			all.joinedValue = rest
			return all, true
		case strings.HasPrefix(o.valueForm, ":") && rest != "":
			if t.apart {
				all.role = max(all.role, Unknown)
				if t.hasDangerous(rest) {
					all.role = Dangerous
				}
			}
			all.joinedValue = rest
			return all, true
		case o.valueForm != "":
			all.name = o.name
			return all, false
		}
	}
	return all, false
}

// hasDangerous reports whether one of the letters is a dangerous option.
func (t *table) hasDangerous(letters string) bool {
	return strings.ContainsFunc(letters, func(c rune) bool { return t.options["-"+string(c)].role == Dangerous })
}

// readSingle reads -name or --name, with or without =value.
func (t *table) readSingle(w string) (o option, joined bool) {
	name, _, joined := strings.Cut("-"+strings.TrimLeft(w, "-"), "=")
	o, ok := t.options[name]
	if !ok {
		o = option{role: Unknown, name: name}
	}
	return o, joined || o.valueForm == "?"
}

// readWordOption reads an option that is a complete word.
func (t *table) readWordOption(w string) (o option, joined bool) {
	if o, ok := t.options[w]; ok {
		return o, false
	}
	o = option{role: Unknown, name: w}
	for name, d := range t.options {
		if d.role == Dangerous && (strings.HasPrefix(w, name+"=") || strings.HasPrefix(w, name+",") ||
			strings.HasPrefix(w, name) && len(name) == 2) && (o.role != Dangerous || name < o.name) {
			o = d
		}
	}
	return o, true
}
