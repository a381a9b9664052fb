package shell

// showRunning runs /sessions: it lists the sessions that run in the workspace now.
func (sh *Shell) showRunning() {
	if sh.cfg.Running == nil {
		sh.addBlock(notice, problem("Other sessions are not known here."))
		return
	}
	sh.addBlock(notice, paragraphs(false, sh.cfg.Running()...))
}
