"""What every test of the window needs."""

import pytest
from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True, scope="session")
def _application(qapp: QApplication) -> QApplication:
    """Fonts and pictures crash without an application, whichever test comes first."""
    return qapp
