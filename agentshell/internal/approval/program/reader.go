package program

import (
	"slices"
	"strings"
)

// reader walks over the words of one simple command.
type reader struct {
	Reading
	words    []Word
	table    *table
	count    int             // operands of this table so far
	seen     map[string]bool // options, of this table
	ended    bool            // by --
	passing  bool            // what follows belongs to another program
	answered bool            // --version or --help: an interpreter reads no code
}

func (r *reader) run() {
	r.seen = map[string]bool{}
	i := 1
	if r.table.bundle && len(r.words) > 1 && r.words[1].Literal && r.words[1].Text != "" && r.words[1].Text[0] != '-' {
		i = r.bundle()
	}
	for i < len(r.words) {
		i = r.word(i)
	}
	r.Alters, r.each = r.table.alters, r.table.each
	r.Code = r.Code || r.table.code || r.table.check == "script" && r.count == 0 && !r.passing && !r.answered
}

// word reads the word at i, with the values that it takes, and says where to go on.
func (r *reader) word(i int) int {
	w, part := r.words[i].Text, &r.Parts[i]
	switch {
	case r.passing:
		part.Role = Passed
		r.operands = append(r.operands, r.words[i])
	case !r.words[i].Literal:
		part.Role = Unknown
		if r.harmless(i) {
			part.Role = Operand
			r.count++
		}
		r.unsure()
		r.operands = append(r.operands, r.words[i])
	case r.table.data:
		part.Role = Operand
		r.operands = append(r.operands, r.words[i])
		if r.table.check != "" {
			part.Role = max(Operand, checks[r.table.check](r, i-1, w))
		}
	case w == "--" && !r.ended && (r.table.ends || r.table.pass):
		part.Role, r.ended = Harmless, true
		if r.table.pass {
			r.beyond()
		}
	case len(w) > 1 && w[0] == '-' && !r.ended:
		return r.option(i)
	default:
		r.operand(i)
	}
	return i + 1
}

// harmless reports whether the word at i, whose text is not known, is an operand whatever its text
// is. Where a subcommand or a program can stand it is not.
func (r *reader) harmless(i int) bool {
	w, t := r.words[i], r.table
	switch {
	case !t.known || t.code || t.alters || t.script || t.subs && r.count == 0:
		return false
	case t.data && t.check == "":
		return true
	case t.check == "condition":
		return w.Safe && w.One || w.One && r.compared(i)
	case t.check == "output":
		return r.count > 0 // the format stands before it, and ended the options
	case t.check != "" && t.check != "any":
		return false
	}
	return w.Safe || t.ends && r.ended && !t.file
}

// compared reports whether the word at i is what test compares, or asks one thing about: with that
// few words it can be nothing else.
func (r *reader) compared(i int) bool {
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

// beyond goes on with the program that gets what stands after --.
func (r *reader) beyond() {
	if sub := tables()[r.table.path+" --"]; sub != nil {
		r.enter(sub)
		return
	}
	r.passing = true
}

// unsure notes that it is not known where a subcommand stands.
func (r *reader) unsure() {
	r.lost = r.lost || r.table.subs && r.count == 0
}

func (r *reader) operand(i int) {
	w, part, t := r.words[i].Text, &r.Parts[i], r.table
	first := r.count == 0
	r.count++
	if t.subs && first {
		if sub := tables()[t.path+" "+w]; sub != nil {
			part.Role = Subcommand
			r.enter(sub)
			return
		}
		if t.check == "" { // else a subcommand is not the only thing that can stand here
			part.Role = Known
			if t.closed {
				part.Role = Dangerous
			}
			r.Table = false
			r.enter(&table{path: t.path + " " + w})
			return
		}
	}
	part.Role = Operand
	r.operands = append(r.operands, r.words[i])
	switch {
	case t.check != "":
		part.Role = max(Operand, checks[t.check](r, r.count-1, w))
	case !t.known && !plain(w), t.known && w != "" && strings.IndexByte("+@:", w[0]) >= 0 && !t.plus:
		part.Role = Unknown
	}
	r.passing = t.script
}

// enter goes on with the table of a subcommand.
func (r *reader) enter(sub *table) {
	r.table, r.Path, r.count, r.ended = sub, sub.path, 0, false
	clear(r.seen)
}

func (r *reader) option(i int) int {
	w, part := r.words[i].Text, &r.Parts[i]
	var o option
	var joined bool // its value is in this word
	r.given = append(r.given, r.table.give(w)...)
	switch {
	case r.table.number && strings.Trim(w[1:], "0123456789") == "":
		part.Role = Harmless
		return i + 1
	case r.table.style == "words":
		o, joined = r.table.word(w)
	case r.table.style == "single":
		o, joined = r.table.single(w)
	case strings.HasPrefix(w, "--"):
		o, joined = r.table.long(w)
	default:
		o, joined = r.table.letters(w[1:])
	}
	if o.role == Unknown {
		r.unsure()
	}
	part.Role, part.Option = o.role, o.name
	if joined && o.check != "" {
		v := o.joined
		if strings.HasPrefix(w, "--") || r.table.style == "single" {
			_, v, _ = strings.Cut(w, "=")
		}
		if v != "" {
			part.Role = max(part.Role, checks[o.check](r, 0, v))
		}
	}
	r.seen[o.name] = true
	r.answered = r.answered || o.role == Harmless && (o.name == "--version" || o.name == "--help")
	next := i + 1
	if !joined {
		for range strings.Count(o.value, ":") {
			next = r.value(i, next)
		}
	}
	if strings.HasSuffix(o.value, ">") {
		r.pass(next)
	}
	return next
}

// value reads the word at next as a value of the option at i. A word that looks like an option is
// left to be read as one: if the table is wrong about what the option takes, the word is not
// missed.
func (r *reader) value(i, next int) int {
	if next >= len(r.words) {
		return next
	}
	w, o := r.words[next], &r.Parts[i]
	if !w.Literal && (!w.Safe || r.table.options[o.Option].check != "") {
		o.Role = max(o.Role, Unknown)
	}
	dash := len(w.Text) > 1 && w.Text[0] == '-'
	if dash && r.table.style == "words" && w.Text[1] >= '0' && w.Text[1] <= '9' {
		dash = false // find -mtime -7
	}
	if dash || r.table.file && strings.HasPrefix(w.Text, "@") {
		o.Role = max(o.Role, Unknown)
		if check := r.table.options[o.Option].check; check != "" {
			o.Role = max(o.Role, checks[check](r, 0, w.Text))
		}
		return next
	}
	r.Parts[next] = Part{Role: Value, Option: o.Option, Of: i}
	if n := len(r.given); n > 0 {
		r.given[n-1].value = w.Text
	}
	if check := r.table.options[o.Option].check; check != "" {
		o.Role = max(o.Role, checks[check](r, 0, w.Text))
	}
	return next + 1
}

// pass goes on with the program that an option names, as -m of python does.
func (r *reader) pass(next int) {
	path := ""
	for _, w := range r.words[1:next] {
		path += " " + w.Text
	}
	if sub := tables()[r.table.path+path]; sub != nil {
		r.enter(sub)
		return
	}
	r.passing = true
}

// bundle reads letters without a dash, whose values follow in their order.
func (r *reader) bundle() int {
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
		r.seen[o.name] = true
		for range strings.Count(o.value, ":") {
			next = r.value(1, next)
		}
	}
	return next
}

// long reads --name and --name=value. A shortened name is unknown, or dangerous if it can stand for
// something dangerous.
func (t *table) long(w string) (o option, joined bool) {
	name, _, joined := strings.Cut(w, "=")
	if o, ok := t.options[name]; ok {
		if joined && o.value != ":" && o.value != "?" && o.value != ":>" {
			o.role = max(o.role, Unknown)
		}
		return o, joined || o.value == "?"
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
		case o.check != "" && found.role != Dangerous && (found.check == "" || full < found.name):
			found = o
			found.role, found.name = Unknown, full
		}
	}
	return found, joined || found.value != ":"
}

// letters reads options of one letter, joined.
func (t *table) letters(w string) (o option, joined bool) {
	if o, ok := t.options["-"+w]; ok {
		return o, o.value == "?"
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
		all.value, all.check = o.value, o.check
		rest := w[i+len(string(c)):]
		switch {
		case o.value == "?":
			if t.danger(rest) {
				all.role = Dangerous // perl -lane: the value of -l ends somewhere
			}
			all.joined = rest
			return all, true
		case strings.HasPrefix(o.value, ":") && rest != "":
			if t.apart {
				all.role = max(all.role, Unknown)
				if t.danger(rest) {
					all.role = Dangerous
				}
			}
			all.joined = rest
			return all, true
		case o.value != "":
			all.name = o.name
			return all, false
		}
	}
	return all, false
}

// danger reports whether one of the letters is a dangerous option.
func (t *table) danger(letters string) bool {
	return strings.ContainsFunc(letters, func(c rune) bool { return t.options["-"+string(c)].role == Dangerous })
}

// single reads -name, --name and both with =value.
func (t *table) single(w string) (o option, joined bool) {
	name, _, joined := strings.Cut("-"+strings.TrimLeft(w, "-"), "=")
	o, ok := t.options[name]
	if !ok {
		o = option{role: Unknown, name: name}
	}
	return o, joined || o.value == "?"
}

// word reads an option that is a word of its own.
func (t *table) word(w string) (o option, joined bool) {
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
