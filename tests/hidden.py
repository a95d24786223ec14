"""A recording whose numbers cannot be mistaken, and what of them a window must not tell yet."""

from dataclasses import replace

from scenes import Scene, recording
from visible import numbers, seen

from chainstep.story import Phase
from chainstep.ui.debugging import PAGES


def odd_numbers():
    """Both modes of a graph whose numbers cannot be mistaken for any others.

    b is used three times and a twice, so that the modes part and readiness counts.
    """
    scene = Scene()
    a, b = scene.leaf("a", 2.371), scene.leaf("b", -1.836)
    c, d = scene.op("c", "*", a, b), scene.op("d", "+", a, b)
    e = scene.op("e", "*", c, scene.op("t", "tanh", d))  # its slope stands nowhere else
    scene.op("f", "*", e, b)
    found = recording(scene.graph)
    return replace(found, output=f"a.grad is {found.traces[0].final[a]}\n")


RECORDING = odd_numbers()
BACKWARD = len(RECORDING.traces[0].steps)


def opened(window, session, runner, diamond, qtbot):
    runner.at_once = RECORDING
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    for name in PAGES:
        window.parts.side.page(name)
    # Whatever asks for a node has one.
    session.select(1)


def what_is_known(place):
    """The numbers of the data that is made and of the steps that are over, and of those to come."""
    made = place.number if place.phase is Phase.FORWARD else len(RECORDING.nodes)
    known = {node.data for node in RECORDING.nodes[:made]}
    ahead = {node.data for node in RECORDING.nodes[made:]}
    over = place.number if place.phase is Phase.BACKWARD else 0
    for trace in RECORDING.traces:
        for number, step in enumerate(trace.steps):
            found = {step.upstream, step.local, step.contribution, step.before, step.after}
            (known if number < over else ahead).update(found - {None})
    # What can be seen of two numbers: how far they are apart.
    known |= {one - other for one in known for other in known}
    return known, ahead


def future(window, place):
    """Texts with a number that nobody can know at a place."""
    known, ahead = what_is_known(place)
    # The program's text is the user's own; the file menu is about files.
    texts = seen(window, besides=(window.parts.editor,))
    for number, half, where in numbers(texts):
        if any(abs(number - each) <= half for each in ahead) and not any(
            abs(number - each) <= half for each in known
        ):
            yield where
