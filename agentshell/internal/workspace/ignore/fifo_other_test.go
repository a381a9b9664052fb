//go:build !unix

package ignore_test

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
