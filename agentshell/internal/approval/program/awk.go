package program

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// awkReads returns why a call of awk may do more than read its input and the files that it names,
// or "" if it only reads. words are the words after the name: -F and -v with their values, one
// program, and files. Anything ambiguous counts as more than reading.
func awkReads(words []Word) (why string) {
	at := awkProgram(words)
	if at < 0 || !words[at].Literal {
		return "only a program of awk in the line is looked into"
	}
	for _, w := range words[at+1:] {
		if !w.Literal || strings.HasPrefix(w.Text, "-") && w.Text != "-" {
			return "awk " + w.Text + " may do more than read"
		}
	}
	s := awkScan{text: words[at].Text}
	s.run()
	if s.problem != "" {
		return "awk: " + s.problem
	}
	return ""
}

// awkProgram returns the index of the awk program among the words, or -1 if there is an unknown
// option.
func awkProgram(words []Word) int {
	for i := 0; i < len(words); i++ {
		switch w := words[i].Text; {
		case !words[i].Literal:
			return -1
		case w == "-F" || w == "-v":
			if i++; i >= len(words) || !words[i].Literal || strings.ContainsRune(words[i].Text, '@') {
				return -1
			}
		case strings.HasPrefix(w, "-F") && len(w) > 2, strings.HasPrefix(w, "-v") && strings.Contains(w, "="):
		case strings.HasPrefix(w, "-"):
			return -1
		default:
			return i
		}
	}
	return -1
}

// awkScan scans an awk program. It stops with a problem at anything that could write, run a
// program, or read a file that the command line does not name.
type awkScan struct {
	text string
	at   int
	// last is the last token: "a" for a name, "0" for a number or a string, otherwise the token
	// itself.
	last    string
	printed bool // printed says that the present statement prints, so > and | would redirect its output.
	problem string
}

// awkRefused lists names in awk that write, run programs, or choose other files.
var awkRefused = strings.Fields(`system getline close fflush function func ARGV ARGC ENVIRON PROCINFO extension nextfile
	include load namespace FUNCTAB SYMTAB
	switch case default`)

// awkCalls lists the awk functions that only compute, and the keywords that may stand before a
// parenthesis.
var awkCalls = strings.Fields(`length substr index split sub gsub match sprintf tolower toupper int sin cos atan2 exp log
	sqrt rand srand gensub strftime systime mktime and or xor lshift rshift compl strtonum asort asorti if while for
	print printf return in exit do else`)

func (s *awkScan) run() {
	for s.at < len(s.text) && s.problem == "" {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t':
			s.at++
		case c == '\n' || c == ';' || c == '{' || c == '}':
			// A line goes on behind an operator or a comma.
			if c != '\n' || slices.Contains([]string{"a", "0", "length", ")", "]", "}", "{", ";", "\n", ""}, s.last) {
				s.printed = false
				s.token(string(c))
				break
			}
			s.at++
		case c == '#':
			if i := strings.IndexByte(s.text[s.at:], '\n'); i >= 0 {
				s.at += i
			} else {
				s.at = len(s.text)
			}
		case c == '"':
			s.quoted()
		case c == '/':
			s.slash()
		case isNameByte(c) || c == '.':
			s.name()
		default:
			s.operator(c)
		}
	}
}

func (s *awkScan) token(t string) { s.last, s.at = t, s.at+len(t) }

// quoted scans a string.
func (s *awkScan) quoted() {
	for i := s.at + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '\n':
			s.problem = "a text goes on in the next line"
			return
		case '"':
			s.at, s.last = i+1, "0"
			return
		}
	}
	s.problem = "a text does not end"
}

// awkPattern matches regular expressions whose bracket expressions are closed, and contain neither
// a slash nor a bracket.
var awkPattern = lazyregexp.New(`^([^][\\]|\\[^\n]|\[\^?([^][\\/]|\[:[a-z]+:\])+\])*$`)

// slash scans a division or a regular expression.
func (s *awkScan) slash() {
	switch s.last {
	case "a", "0", "]":
		s.token("/")
		return
	case ")", "++", "--", "length":
		if strings.Contains(s.text[s.at+1:], "/") {
			s.problem = "a slash may begin a regular expression"
		}
		s.token("/")
		return
	}
	for i := s.at + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '\n':
			s.problem = "a regular expression goes on in the next line"
			return
		case '/':
			if !awkPattern().MatchString(s.text[s.at+1 : i]) {
				s.problem = "a slash may stand in brackets"
			}
			s.at, s.last = i+1, "0"
			return
		}
	}
	s.problem = "a regular expression does not end"
}

// name scans a name or a number.
func (s *awkScan) name() {
	i := s.at
	for i < len(s.text) && (isNameByte(s.text[i]) || s.text[i] == '.') {
		i++
	}
	word := s.text[s.at:i]
	s.at = i
	called := i < len(s.text) && s.text[i] == '('
	switch {
	case slices.Contains(awkRefused, word):
		s.problem = word + " does more than read its input"
	case called && word[0] >= 'A' && !slices.Contains(awkCalls, word):
		s.problem = word + " is not known"
	}
	switch word {
	case "print", "printf":
		s.printed, s.last = true, "print"
	case "return", "in", "exit", "do", "else":
		s.last = "print"
	case "length": // mawk takes a slash behind it for the begin of a regular expression
		s.last = word
	default:
		s.last = "a"
	}
}

func (s *awkScan) operator(c byte) {
	two := ""
	if s.at+1 < len(s.text) {
		two = s.text[s.at : s.at+2]
	}
	switch {
	case two == "||" || two == "&&" || two == "++" || two == "--" || two == "==" || two == "!=" || two == "<=":
		s.token(two)
	case c == '|' || c == '@' || c == '\\' || c == '`' || c == '\'' || c >= 0x80 || c < ' ':
		s.problem = "it has " + string(rune(c))
	case c == '>' && s.printed:
		s.problem = "it may write to a file"
	case c == '<' && s.last == "getline":
		s.problem = "it reads another file"
	default:
		s.token(string(c))
	}
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
