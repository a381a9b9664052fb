package lazyregexp

import "testing"

func TestAnExpressionIsCompiledOnceAndWhenItIsUsed(t *testing.T) {
	bad := New(`(`) // no panic yet
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a bad expression was used")
			}
		}()
		bad()
	}()
	word := New(`\w+`)
	first := word()
	if word() != first || !first.MatchString("a") {
		t.Error("the expression is not the same one each time")
	}
}
