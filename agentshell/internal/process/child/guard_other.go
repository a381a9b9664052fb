//go:build !unix

package child

// guard does nothing on this system, which has no process groups.
type guard struct{ guarded int }

// startGuard does nothing, because this system has no process groups.
func (f *Family) startGuard() {}

func (g *guard) begins(int) {}
func (g *guard) ends(int)   {}
func (g *guard) release()   {}
