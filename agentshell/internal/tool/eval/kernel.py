# The Jupyter kernel that runs cells where ipykernel is installed. Requests, results and what is shown
# go by its own protocol. What a cell prints goes to the descriptors of the program, as what its
# commands print does: so both are in order, and a flood has to wait until it is read.
def _scrollkeep_kernel(bridge, forget_changed, make_display):
    """_scrollkeep_kernel runs a kernel until its end. It returns False if there is none."""
    if not bridge.hello.get("connection"):
        return False
    try:
        import ipykernel
        from ipykernel.kernelapp import IPKernelApp
        from traitlets.config import Config
        import zmq
    except Exception:  # it is not there, or not whole
        return False
    import builtins
    import os
    import sys
    import threading
    import warnings
    from os import _exit, getpid

    class App(IPKernelApp):
        outstream_class = ""  # the streams stay what they are

        def init_iopub(self, context):
            context.setsockopt(zmq.SNDHWM, 0)  # what is published is never thrown away
            super().init_iopub(context)

    config = Config({"HistoryManager": {"enabled": False},
                     "InteractiveShell": {"colors": "NoColor", "xmode": "Plain"},
                     "InteractiveShellApp": {"exec_PYTHONSTARTUP": False, "ignore_cwd": True}})
    files = os.path.join(os.path.dirname(bridge.hello["connection"]), "ipython")  # not those of the person
    os.mkdir(files, 0o700)
    app = App.instance(config=config, connection_file=bridge.hello["connection"], log_level=50, parent_handle=0,
                       ipython_dir=files)
    app.initialize([])
    sys.path.insert(0, bridge.hello["dir"])
    shell, send = app.shell, app.session.send

    def placed(message, content, parent):
        """placed returns whether a message has a place in what is printed: what is shown, and the end."""
        kind = message if isinstance(message, str) else message["header"]["msg_type"]
        if kind == "status":
            return (content or {}).get("execution_state") == "idle" and \
                ((parent or {}).get("header") or {}).get("msg_type") == "execute_request"
        return kind in ("display_data", "execute_result", "update_display_data", "stream")

    def publish(stream, message, content=None, parent=None, ident=None, buffers=None, track=False, header=None,
                metadata=None, **more):
        """publish sends a message, with the number of its place in what is printed."""
        if not placed(message, content, parent):
            return send(stream, message, content=content, parent=parent, ident=ident, buffers=buffers, track=track,
                        header=header, metadata=metadata, **more)
        if getpid() != bridge.pid:  # a fork of a cell
            return None
        with bridge.placing:
            number = bridge.place()
            if isinstance(message, str):
                metadata = dict(metadata or {}, scrollkeep=number)
            else:
                message["metadata"] = dict(message.get("metadata") or {}, scrollkeep=number)
            sent = send(stream, message, content=content, parent=parent, ident=ident, buffers=buffers, track=track,
                        header=header, metadata=metadata, **more)
            bridge.write_mark(number)
            return sent

    def begin(*_):
        identity = (shell.get_parent() or {}).get("header", {}).get("msg_id", "")
        bridge.cell = int(identity.rpartition("_")[2] or 0)
        forget_changed()

    run_nodes = shell.run_ast_nodes

    async def run(*args, **more):
        """run runs a cell. A fork of it does not come back to the kernel."""
        try:
            return await run_nodes(*args, **more)
        finally:
            if getpid() != bridge.pid:
                bridge.place()
                _exit(0)

    def finish(*_):
        bridge.cell = 0
        for name, descriptor in (("stdout", 1), ("stderr", 2)):
            try:
                getattr(sys, name).flush()
            except Exception:  # the kernel does not get over a stream that is gone
                setattr(sys, name, open(descriptor, "w", 1, "utf-8", "backslashreplace", closefd=False))

    def rich(value):
        """rich returns the forms in which a value wants to be shown; {}: only as text."""
        data, _ = shell.display_formatter.format(value)
        return data if set(data) - {"text/plain"} else {}

    picture, _ = make_display(rich, lambda data: shell.display_pub.publish(data))
    for media in ("image/png", "image/jpeg"):
        shell.display_formatter.formatters[media].for_type(
            bytes, lambda data, media=media: data if media in (picture(data) or {}) else None)
    app.kernel.raw_input = app.kernel.getpass = builtins.input
    app.session.send, shell.run_ast_nodes = publish, run
    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", finish)
    warnings.filterwarnings("ignore", "To exit: ")
    threading.Thread(target=bridge.listen, daemon=True).start()
    bridge.write_mark(bridge.place())  # what stands before it belongs to no cell
    bridge.send({"t": "ready", "name": "ipykernel " + ipykernel.__version__})
    app.start()
    _exit(0)


