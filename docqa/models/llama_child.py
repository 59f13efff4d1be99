"""The child process in which llama.cpp runs a model and serves it on the loopback.

It is told what to run by one line of JSON on its standard input, and answers with one on its
standard output: its address, or why there is none. It ends when its input does, which happens
however its parent dies.
"""

import json
import os
import sys
import threading
from typing import IO, Any

_CHECKPOINTS = 2  # of a context that are kept; each may take megabytes


def main() -> None:
    told: dict[str, Any] = json.loads(sys.stdin.readline())
    replies = _own_output()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _bound_memory(told["memory"])
    try:
        server = _serve(told)
    except (ImportError, RuntimeError, MemoryError, ValueError) as error:
        reply = {"error": str(error)}
    else:
        reply = {"address": server.listening_address}
    replies.write(json.dumps(reply) + "\n")
    replies.flush()
    if "address" in reply:
        threading.Event().wait()


def _serve(told: dict[str, Any]) -> Any:
    """The server, once the model is loaded."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = told["path"]
    params.model_alias = told["name"]
    params.n_ctx = told["context"]
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = told["threads"]
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [told["key"]]
    params.use_jinja = True  # the model's own template, which knows tools
    params.enable_reasoning = 0  # minutes of thought before the first word
    params.sampling.temp = 0.3  # what is printed is to be repeated, not varied
    params.cache_ram_mib = 0  # else up to 8 GB of earlier prompts
    params.n_ctx_checkpoints = _CHECKPOINTS
    params.ui = params.endpoint_slots = False
    params.offline = True
    params.verbosity = -1
    return xllamacpp.Server(params)


def _own_output() -> IO[str]:
    """Standard output for replies alone: what llama.cpp prints goes nowhere."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    return own


def _end_with_parent() -> None:
    sys.stdin.read()  # returns when the parent closes its end, or is gone
    os._exit(0)


def _bound_memory(most: int) -> None:
    """Let the process have so many bytes of addresses, where the system can hold it to that."""
    if most and sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
