// Package mutate makes small bugs by rule from the syntax tree of a Go file.
//
// A [Mutant] is one edit of the text. Not all of them compile (a variable may be used nowhere
// else), and some change nothing that anybody could see: who runs them has to tell.
package mutate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
)

// An Operator is a rule by which a mutant is made.
type Operator string

const (
	Negate Operator = "negate" // the condition of an if statement
	Bound  Operator = "bound"  // < becomes <=, > becomes >=, and the other way round
	Logic  Operator = "logic"  // && becomes ||, and the other way round
	More   Operator = "more"   // a number in a sum, a comparison or an index is one more
	Less   Operator = "less"   // and one less
	Drop   Operator = "drop"   // a call, an assignment or a count is left out
	Return Operator = "return" // a function without results returns at once
)

// A Mutant replaces bytes [From, To) of a file by New.
type Mutant struct {
	Func     string // where it is: "lineFeed" or "emitter.lineFeed"
	Operator Operator
	Line     int // from 1 on
	From, To int
	New      string
}

func (m Mutant) String() string { return fmt.Sprintf("%s in %s, line %d", m.Operator, m.Func, m.Line) }

// Apply is src with the bug in it.
func (m Mutant) Apply(src []byte) []byte {
	return slices.Concat(src[:m.From], []byte(m.New), src[m.To:])
}

// Of is every mutant of a file, in the order of the text.
func Of(src []byte) ([]Mutant, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	file := &finder{src: src, fset: fset}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			file.function(fn)
		}
	}
	slices.SortStableFunc(file.all, func(a, b Mutant) int { return a.From - b.From })
	return file.all, nil
}

// finder collects the mutants of one file.
type finder struct {
	src  []byte
	fset *token.FileSet
	name string // of the function
	all  []Mutant
}

func (f *finder) function(fn *ast.FuncDecl) {
	f.name = fn.Name.Name
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		t := fn.Recv.List[0].Type
		if p, ok := t.(*ast.StarExpr); ok {
			t = p.X
		}
		if id, ok := t.(*ast.Ident); ok {
			f.name = id.Name + "." + f.name
		}
	}
	if fn.Type.Results == nil && len(fn.Body.List) > 1 {
		f.add(Return, fn.Body.Lbrace+1, fn.Body.Lbrace+1, "return;")
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		f.node(n)
		return true
	})
}

// node adds what can be made of n itself.
func (f *finder) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.add(Negate, n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.IndexExpr:
		f.number(n.Index)
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	}
}

// bounds and logic are what an operation becomes.
var (
	bounds = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ,
		token.GEQ: token.GTR}
	logic = map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}
)

func (f *finder) binary(n *ast.BinaryExpr) {
	end := n.OpPos + token.Pos(len(n.Op.String()))
	if op, ok := bounds[n.Op]; ok {
		f.add(Bound, n.OpPos, end, op.String())
	}
	if op, ok := logic[n.Op]; ok {
		f.add(Logic, n.OpPos, end, op.String())
	}
	f.number(n.X)
	f.number(n.Y)
}

func (f *finder) number(e ast.Expr) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return
	}
	v, err := strconv.Atoi(lit.Value)
	if err != nil {
		return // 0x1b and such: no count
	}
	f.add(More, lit.Pos(), lit.End(), strconv.Itoa(v+1))
	if v > 0 {
		f.add(Less, lit.Pos(), lit.End(), strconv.Itoa(v-1))
	}
}

// statements adds each of a list without which the rest may still compile.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.ExprStmt, *ast.IncDecStmt:
		default:
			continue
		}
		f.add(Drop, s.Pos(), s.End(), "")
	}
}

func (f *finder) add(op Operator, from, to token.Pos, text string) {
	at := f.fset.Position(from)
	f.all = append(f.all, Mutant{Func: f.name, Operator: op, Line: at.Line, From: at.Offset,
		To: f.fset.Position(to).Offset, New: text})
}

func (f *finder) text(n ast.Node) string {
	return string(f.src[f.fset.Position(n.Pos()).Offset:f.fset.Position(n.End()).Offset])
}
