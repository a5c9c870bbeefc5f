"""The conformance cases of the Mentionable protocol, and the runner that judges an implementation by them.

Two ways to use it. Read the cases from your own test framework::

    for case in mentionable_conformance.cases():
        answer = my_implementation(case.op, case.given, case.input)
        assert mentionable_conformance.judge(case, answer) == ()

or let the runner talk to a harness over JSON lines::

    python -m mentionable_conformance run -- node my-harness.mjs

The package needs the standard library only. An id never changes meaning; a wrong case is withdrawn.
"""

from mentionable_conformance._cases import Case, CaseError, cases, load_file, root
from mentionable_conformance._cli import main
from mentionable_conformance._compare import difference, judge
from mentionable_conformance._expected import ExpectedFailures
from mentionable_conformance._harness import BadHarness, CallableHarness, Harness, Implementation, ProcessHarness
from mentionable_conformance._manifest import manifest, manifest_text
from mentionable_conformance._run import Report, Result, run
from mentionable_conformance._schema import problems, schema
from mentionable_conformance._serve import serve
from mentionable_conformance._version import PROTOCOL, VERSION

__version__ = VERSION

__all__ = [
    "PROTOCOL",
    "VERSION",
    "BadHarness",
    "CallableHarness",
    "Case",
    "CaseError",
    "ExpectedFailures",
    "Harness",
    "Implementation",
    "ProcessHarness",
    "Report",
    "Result",
    "cases",
    "difference",
    "judge",
    "load_file",
    "main",
    "manifest",
    "manifest_text",
    "problems",
    "root",
    "run",
    "schema",
    "serve",
]
