"""Makes the README's picture: the window on the neuron, half-way, in both modes.

python tests/screenshot.py resources/screenshots/neuron.png
"""

import os
import sys
import tempfile

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp()

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from chainstep import app
from chainstep.program import examples
from chainstep.settings import Settings
from chainstep.ui.session import View

SIZE = (1600, 1000)
AT = 10
"""Position in the backward pass: the sum gives x2*w2 its contribution."""


def main(target):
    application = QApplication.instance() or QApplication([])
    application.setStyle("Fusion")
    window = app.make_window(Settings())
    window.resize(*SIZE)
    window.show()
    window.arrange()
    waiting = QEventLoop()
    window.session.recording_changed.connect(waiting.quit)
    neuron = next(example for example in examples() if example.name == "neuron")
    window.parts.files.show(neuron.program, run=True, example=neuron)
    waiting.exec()
    window.session.set_view(View.BOTH)
    for _ in range(AT):
        window.session.step_into()
    QTimer.singleShot(800, waiting.quit)  # what glides has come to rest
    waiting.exec()
    saved = window.grab().save(target)
    window.session.close()
    return 0 if saved else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
