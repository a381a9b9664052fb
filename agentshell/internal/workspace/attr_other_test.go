//go:build !linux

package workspace

func setAttribute(name, key, value string) bool { return false }
func getAttribute(name, key string) string      { return "" }
func setACL(string) (string, bool)              { return "", false }
