module github.com/scrollkeep/scrollkeep/stress/peers/libvterm

go 1.26.7

replace github.com/scrollkeep/scrollkeep => ../../..

require github.com/scrollkeep/scrollkeep v0.0.0
