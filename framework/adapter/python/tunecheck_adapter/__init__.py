"""What an adapter in Python needs besides its tuner: docs/adapter-protocol.md and
docs/writing-an-adapter.md.

An adapter is a class and one line:

    from tunecheck_adapter import Adapter, Answer, Trial, package_version, serve

    class Mine(Adapter):
        def open(self, backend):             # once, before the first call
            self.tuner = "mine"
            self.version = package_version("mine", "2.1")
            import mine                      # not above: it may be missing, or die
            ...
        def call(self, call):                # a Call; returns an Answer
            y = call.tensors["y"].array()    # a numpy view of the caller's memory
            ...
            return Answer(winner={"block": 64}, cache="miss", compiles=2, trials=[...])

    serve(Mine())

What is raised in open() is the answer to hello, so that a run ends with one line that says what is
missing. What is raised in call() is the answer `failed` with the exception's text; raise
AdapterError for words of your own. The traceback is in the adapter's log either way.

A Call says what the kernel file says: which configs there are, in which order the kernel takes its
arguments, what its compiler must be given. tunecheck_adapter.cpu launches what was compiled of the CPU
kernels of kernel folders. The standard library is enough; Tensor.array() asks for numpy.
"""

from .answers import AdapterError, Answer, Trial
from .calls import Burst, Call
from .configs import config_text
from .loop import Adapter, serve
from .packages import package_version
from .tensors import Tensor

__all__ = [
    "Adapter",
    "AdapterError",
    "Answer",
    "Burst",
    "Call",
    "Tensor",
    "Trial",
    "config_text",
    "package_version",
    "serve",
]
