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
	text     string
	position int
	// lastToken is the last token: "a" for a name, "0" for a number or a string, otherwise the
	// token itself.
	lastToken  string
	hasPrinted bool // hasPrinted says that the present statement prints, so > and | would redirect its output.
	problem    string
}

// awkRefusedNames lists names in awk that write, run programs, or choose other files.
var awkRefusedNames = strings.Fields(`system getline close fflush function func ARGV ARGC ENVIRON PROCINFO extension
	nextfile include load namespace FUNCTAB SYMTAB
	switch case default`)

// awkHarmlessNames lists the awk functions that only compute, and the keywords that may stand
// before a parenthesis.
var awkHarmlessNames = strings.Fields(`length substr index split sub gsub match sprintf tolower toupper int sin cos atan2 exp
	log sqrt rand srand gensub strftime systime mktime and or xor lshift rshift compl strtonum asort asorti if while for
	print printf return in exit do else`)

func (s *awkScan) run() {
	for s.position < len(s.text) && s.problem == "" {
		switch c := s.text[s.position]; {
		case c == ' ' || c == '\t':
			s.position++
		case c == '\n' || c == ';' || c == '{' || c == '}':
			// A line goes on behind an operator or a comma.
			if c != '\n' || slices.Contains([]string{"a", "0", "length", ")", "]", "}", "{", ";", "\n", ""},
				s.lastToken) {
				s.hasPrinted = false
				s.takeToken(string(c))
				break
			}
			s.position++
		case c == '#':
			if i := strings.IndexByte(s.text[s.position:], '\n'); i >= 0 {
				s.position += i
			} else {
				s.position = len(s.text)
			}
		case c == '"':
			s.scanString()
		case c == '/':
			s.scanSlash()
		case isNameByte(c) || c == '.':
			s.scanName()
		default:
			s.scanOperator(c)
		}
	}
}

func (s *awkScan) takeToken(t string) { s.lastToken, s.position = t, s.position+len(t) }

// scanString scans a string.
func (s *awkScan) scanString() {
	for i := s.position + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '\n':
			s.problem = "a text goes on in the next line"
			return
		case '"':
			s.position, s.lastToken = i+1, "0"
			return
		}
	}
	s.problem = "a text does not end"
}

// awkPattern matches regular expressions whose bracket expressions are closed, and contain neither
// a slash nor a bracket.
var awkPattern = lazyregexp.New(`^([^][\\]|\\[^\n]|\[\^?([^][\\/]|\[:[a-z]+:\])+\])*$`)

// scanSlash scans a division or a regular expression.
func (s *awkScan) scanSlash() {
	switch s.lastToken {
	case "a", "0", "]":
		s.takeToken("/")
		return
	case ")", "++", "--", "length":
		if strings.Contains(s.text[s.position+1:], "/") {
			s.problem = "a slash may begin a regular expression"
		}
		s.takeToken("/")
		return
	}
	for i := s.position + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '\n':
			s.problem = "a regular expression goes on in the next line"
			return
		case '/':
			if !awkPattern().MatchString(s.text[s.position+1 : i]) {
				s.problem = "a slash may stand in brackets"
			}
			s.position, s.lastToken = i+1, "0"
			return
		}
	}
	s.problem = "a regular expression does not end"
}

// scanName scans a name or a number.
func (s *awkScan) scanName() {
	i := s.position
	for i < len(s.text) && (isNameByte(s.text[i]) || s.text[i] == '.') {
		i++
	}
	word := s.text[s.position:i]
	s.position = i
	called := i < len(s.text) && s.text[i] == '('
	switch {
	case slices.Contains(awkRefusedNames, word):
		s.problem = word + " does more than read its input"
	case called && word[0] >= 'A' && !slices.Contains(awkHarmlessNames, word):
		s.problem = word + " is not known"
	}
	switch word {
	case "print", "printf":
		s.hasPrinted, s.lastToken = true, "print"
	case "return", "in", "exit", "do", "else":
		s.lastToken = "print"
	case "length": // mawk takes a slash behind it for the begin of a regular expression
		s.lastToken = word
	default:
		s.lastToken = "a"
	}
}

func (s *awkScan) scanOperator(c byte) {
	two := ""
	if s.position+1 < len(s.text) {
		two = s.text[s.position : s.position+2]
	}
	switch {
	case two == "||" || two == "&&" || two == "++" || two == "--" || two == "==" || two == "!=" || two == "<=":
		s.takeToken(two)
	case c == '|' || c == '@' || c == '\\' || c == '`' || c == '\'' || c >= 0x80 || c < ' ':
		s.problem = "it has " + string(rune(c))
	case c == '>' && s.hasPrinted:
		s.problem = "it may write to a file"
	case c == '<' && s.lastToken == "getline":
		s.problem = "it reads another file"
	default:
		s.takeToken(string(c))
	}
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
