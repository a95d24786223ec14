"""The one tree of errors that Chainstep raises for misuse and damage.

What a user's program does wrong is never raised: it is an :class:`~chainstep.trace.Outcome`.
"""


class ChainstepError(Exception):
    """Base of every error raised on purpose; its message says what, where and what to do."""


class ProgramError(ChainstepError):
    """A program could not be read or found."""


class RecordingError(ChainstepError):
    """A recording is damaged, foreign, or asked for something it does not hold."""


class EnvironmentFault(ChainstepError):  # noqa: N818  the machine's fault, not an error in use
    """The machine lacks something: no display, no Qt library, no such interpreter."""
