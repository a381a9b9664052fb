package mutate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
)

// Of returns all mutants of a Go file, in the order of their places in the text.
func Of(src []byte) ([]Mutant, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	file := &finder{src: src, fset: fset, imports: map[string]bool{}}
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		file.imports[path.Base(p)] = true
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				file.function(d)
			}
		case *ast.GenDecl:
			file.values(d)
		}
	}
	slices.SortStableFunc(file.all, func(a, b Mutant) int { return a.From - b.From })
	return file.all, nil
}

// finder collects the mutants of one file.
type finder struct {
	src     []byte
	fset    *token.FileSet
	imports map[string]bool // true for each imported package, by the last element of its path
	name    string          // name of the function or constant that is being searched
	all     []Mutant
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
		f.insert(Return, fn.Body, fn.Body.Lbrace+1, "return;")
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		f.node(n)
		return true
	})
}

// values adds the mutants of the literals in a declaration of constants or variables.
func (f *finder) values(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		f.name = v.Names[0].Name
		ast.Inspect(v, func(n ast.Node) bool {
			f.literal(n)
			return true
		})
	}
}

// node adds the mutants of the syntax node n, without those of its children.
func (f *finder) node(n ast.Node) {
	f.literal(n)
	switch n := n.(type) {
	case *ast.IfStmt:
		f.replace(Negate, n.Cond, n.Cond, "!("+f.text(n.Cond)+")")
		f.condition(n.Cond)
	case *ast.ForStmt:
		f.condition(n.Cond)
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.either(True, False, n)
		}
	case *ast.SwitchStmt:
		if n.Tag == nil {
			f.cases(n)
		}
	case *ast.IndexExpr:
		f.number(n.Index)
	case *ast.SliceExpr:
		f.count(n, n.Low)
		f.count(n, n.High)
	case *ast.RangeStmt:
		f.count(n.X, n.X)
	case *ast.CallExpr:
		f.call(n)
	case *ast.AssignStmt:
		f.assignment(n)
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	}
}

// bounds and logic say by which operator an operator is replaced.
var (
	bounds = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ,
		token.GEQ: token.GTR}
	logic = map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}
)

func (f *finder) binary(n *ast.BinaryExpr) {
	if op, ok := bounds[n.Op]; ok {
		f.operation(Bound, n, op)
		f.count(n, n.Y)
	}
	if op, ok := logic[n.Op]; ok {
		f.operation(Logic, n, op)
	}
	switch n.Op {
	case token.EQL:
		f.operation(AtMost, n, token.LEQ)
		f.either(True, False, n)
	case token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.either(True, False, n)
	case token.LAND, token.LOR:
		f.either(True, False, n)
		f.halves(n)
	case token.ADD, token.SUB:
		f.halves(n)
	}
	f.number(n.X)
	f.number(n.Y)
}

func (f *finder) condition(e ast.Expr) {
	if e != nil {
		f.either(Always, Never, e)
	}
}

func (f *finder) cases(n *ast.SwitchStmt) {
	for _, c := range n.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			f.condition(e)
		}
	}
}

// either adds two mutants: one in which e is always true, and one in which it is always false. The
// mutants keep the names in e, because Go does not compile unused variables.
func (f *finder) either(yes, no Operator, e ast.Expr) {
	f.replace(yes, e, e, "("+f.text(e)+" || true)")
	f.replace(no, e, e, "(("+f.text(e)+") && false)")
}

func (f *finder) halves(n *ast.BinaryExpr) {
	f.add(Left, n, n.X.End(), n.Y.End(), "")
	f.add(Right, n, n.X.Pos(), n.Y.Pos(), "")
}

func (f *finder) operation(op Operator, n *ast.BinaryExpr, to token.Token) {
	f.add(op, n, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
}

// count adds two mutants, in which the number e, a part of n, is one larger, and one smaller.
func (f *finder) count(n ast.Node, e ast.Expr) {
	lit, ok := e.(*ast.BasicLit)
	if _, value := e.(*ast.CompositeLit); e != nil && !value && (!ok || lit.Kind == token.INT) {
		f.replace(Plus, n, e, "("+f.text(e)+")+1")
		f.replace(Minus, n, e, "("+f.text(e)+")-1")
	}
}

func (f *finder) call(n *ast.CallExpr) {
	for _, e := range n.Args {
		f.count(n, e)
	}
	if len(n.Args) < 2 {
		return
	}
	a, z := n.Args[0], n.Args[len(n.Args)-1]
	if f.text(a) == f.text(z) {
		return
	}
	between := string(f.src[f.offset(a.End()):f.offset(z.Pos())])
	f.add(Swap, n, a.Pos(), z.End(), f.text(z)+between+f.text(a))
}

func (f *finder) assignment(n *ast.AssignStmt) {
	last := len(n.Lhs) - 1
	if n.Tok != token.ASSIGN || len(n.Rhs) != len(n.Lhs) {
		return
	}
	if last > 0 {
		f.replace(Keep, n, n.Rhs[last], f.text(n.Lhs[last]))
	}
	to, ok := n.Lhs[0].(*ast.IndexExpr)
	if from, is := n.Rhs[0].(*ast.IndexExpr); ok && is && last == 0 {
		f.replace(Unindex, n, n, f.text(to.X)+" = "+f.text(from.X))
	}
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
	f.replace(More, lit, lit, strconv.Itoa(v+1))
	if v > 0 {
		f.replace(Less, lit, lit, strconv.Itoa(v-1))
	}
}

// literal adds the mutants of a literal, of true and false, and of a name from another package.
func (f *finder) literal(n ast.Node) {
	switch n := n.(type) {
	case *ast.BasicLit:
		f.replace(Replace, n, n, "")
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.replace(Replace, n, n, "")
		}
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && f.imports[x.Name] {
			f.replace(Replace, n, n, "")
		}
	}
}

// statements adds, for each call or assignment in a list of statements, a mutant without it, if the
// function may still compile then.
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
		f.replace(Drop, s, s, "")
	}
}

// replace adds a mutant in which text replaces part, a part of n.
func (f *finder) replace(op Operator, n, part ast.Node, text string) {
	f.add(op, n, part.Pos(), part.End(), text)
}

// insert adds a mutant in which text stands before pos.
func (f *finder) insert(op Operator, n ast.Node, pos token.Pos, text string) {
	f.add(op, n, pos, pos, text)
}

func (f *finder) add(op Operator, n ast.Node, from, to token.Pos, text string) {
	f.all = append(f.all, Mutant{Func: f.name, Operator: op, Line: f.fset.Position(from).Line, From: f.offset(from),
		To: f.offset(to), New: text, node: f.text(n)})
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *finder) text(n ast.Node) string { return string(f.src[f.offset(n.Pos()):f.offset(n.End())]) }
