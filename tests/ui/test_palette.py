"""Contrast as WCAG 2 computes it: 4.5:1 for text, 3:1 for marks."""

import colorsys
import re
from dataclasses import fields

import pytest

from chainstep.settings import Theme
from chainstep.ui.palette import CONTRAST, DARK, LIGHT, Palette, palette
from chainstep.ui.tables import fields as style_of_fields
from chainstep.ui.theme import Look, style_sheet

THEMES = pytest.mark.parametrize(
    "theme", [LIGHT, DARK, CONTRAST], ids=["light", "dark", "contrast"]
)

TEXT_ON = {
    "text": ("window", "canvas", "card", "quiet", "now_tint", "target_tint", "failed_tint"),
    "muted": ("window", "canvas", "card", "quiet", "now_tint", "target_tint"),
    "now_text": ("window", "canvas", "card", "quiet", "now_tint", "target_tint"),
    "target": ("window", "canvas", "card", "target_tint"),
    "final": ("window", "canvas", "card", "final_tint"),
    "failed": ("window", "canvas", "card", "failed_tint"),
    "on_now": ("now",),
    "on_target": ("target",),
    "on_final": ("final",),
    "on_partial": ("partial",),
    "on_failed": ("failed",),
    "on_strong": ("strong",),
    "keyword": ("window", "now_tint", "target_tint"),
    "number": ("window", "now_tint", "target_tint"),
    "string": ("window", "now_tint", "target_tint"),
    "comment": ("window",),
    "name": ("window", "now_tint", "target_tint"),
}
MARK_ON = {
    "border": ("canvas", "card", "window", "quiet"),
    "muted": ("canvas", "card", "window", "quiet"),
    "edge": ("canvas",),
    "now": ("canvas", "card"),
    "target": ("canvas", "card"),
    "final": ("canvas", "card"),
    "failed": ("canvas", "card"),
    "focus": ("canvas", "card"),
    "strong": ("window",),
}


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`; https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def pairs(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(mark, ground) for mark, grounds in table.items() for ground in grounds]


def test_contrast_agrees_with_the_values_published_for_black_and_white_and_grey() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@THEMES
@pytest.mark.parametrize(("words", "ground"), pairs(TEXT_ON))
def test_text_reaches_four_and_a_half_to_one(theme: Palette, words: str, ground: str) -> None:
    assert contrast(getattr(theme, words), getattr(theme, ground)) >= 4.5


@THEMES
@pytest.mark.parametrize(("mark", "ground"), pairs(MARK_ON))
def test_marks_reach_three_to_one(theme: Palette, mark: str, ground: str) -> None:
    assert contrast(getattr(theme, mark), getattr(theme, ground)) >= 3


@pytest.mark.parametrize(("words", "ground"), pairs(TEXT_ON))
def test_in_high_contrast_text_reaches_seven_to_one(words: str, ground: str) -> None:
    assert contrast(getattr(CONTRAST, words), getattr(CONTRAST, ground)) >= 7


OKABE_ITO = {"now": ("#e69f00", "#d55e00"), "target": ("#0072b2", "#56b4e9"), "final": ("#009e73",)}
"""https://jfly.uni-koeln.de/color/: orange and vermilion, blue and sky blue, bluish green."""


def hue(colour: str) -> float:
    """Degrees on the colour circle."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return colorsys.rgb_to_hls(red, green, blue)[0] * 360


@THEMES
@pytest.mark.parametrize("meaning", OKABE_ITO)
def test_hues_are_okabes_and_itos(theme: Palette, meaning: str) -> None:
    hues = sorted(hue(colour) for colour in OKABE_ITO[meaning])
    assert hues[0] - 4 <= hue(getattr(theme, meaning)) <= hues[-1] + 4


@THEMES
def test_every_colour_is_written_as_six_hexadecimal_digits(theme: Palette) -> None:
    for field in fields(theme):
        if field.name != "dark":
            value = getattr(theme, field.name)
            assert len(value) == 7
            assert value[0] == "#"
            int(value[1:], 16)


def test_the_dark_theme_really_is_dark_and_the_light_one_light() -> None:
    assert luminance(DARK.canvas) < 0.05
    assert luminance(LIGHT.canvas) > 0.9
    assert DARK.dark
    assert not LIGHT.dark


@pytest.mark.parametrize(
    ("theme", "system_is_dark", "expected"),
    [
        (Theme.LIGHT, True, LIGHT),
        (Theme.DARK, False, DARK),
        (Theme.SYSTEM, False, LIGHT),
        (Theme.SYSTEM, True, DARK),
        (Theme.CONTRAST, False, CONTRAST),
    ],
)
def test_a_chosen_theme_wins_over_the_desktop_and_system_follows_it(
    theme: Theme, system_is_dark: bool, expected: Palette
) -> None:
    assert palette(theme, system_is_dark) is expected


def test_a_desktop_that_asks_for_contrast_gets_it_dark_or_light_and_a_choice_still_wins() -> None:
    assert palette(Theme.SYSTEM, system_is_dark=True, system_contrasts=True) is CONTRAST
    assert palette(Theme.SYSTEM, system_is_dark=False, system_contrasts=True) is CONTRAST
    assert palette(Theme.LIGHT, system_is_dark=True, system_contrasts=True) is LIGHT


RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
SET = re.compile(r"(?<![-\w])([-\w]+): ([^;]+);")
COLOUR = re.compile(r"#[0-9a-f]{6}")


def rules(sheet: str) -> list[tuple[str, dict[str, str]]]:
    """(what it is about, what it sets, by name) of each rule of a style sheet."""
    return [(what.strip(), dict(SET.findall(sets))) for what, sets in RULE.findall(sheet)]


@THEMES
def test_what_is_typed_into_and_what_scrolls_can_be_told_from_their_ground(theme: Palette) -> None:
    sheet = rules(style_sheet(Look(theme)) + style_of_fields(Look(theme)))
    frames = [
        COLOUR.findall(" ".join(sets.get(name, "") for name in ("border", "border-color")))
        for what, sets in sheet
        if re.search("QLineEdit|QComboBox(?!::| )", what)
    ]
    handles = [
        COLOUR.findall(sets.get("background", ""))
        for what, sets in sheet
        if what.startswith("QScrollBar::handle")
    ]
    found = [colour for each in (*frames, *handles) for colour in each]
    assert len(found) >= 5
    for colour in found:
        assert min(contrast(colour, theme.window), contrast(colour, theme.card)) >= 3


@THEMES
def test_words_of_the_style_sheet_reach_their_ratio_on_the_ground_that_it_gives_them(
    theme: Palette,
) -> None:
    ratio = 7 if theme is CONTRAST else 4.5
    checked = 0
    for what, sets in rules(style_sheet(Look(theme)) + style_of_fields(Look(theme))):
        for words, ground in (
            ("color", "background"),
            ("selection-color", "selection-background-color"),
        ):
            inks, grounds = (COLOUR.findall(sets.get(name, "")) for name in (words, ground))
            if inks and grounds:
                checked += 1
                assert contrast(inks[0], grounds[0]) >= ratio, what
    assert checked >= 12
