"""The colours of the window by what they mean, as plain text: light, dark, high contrast.

One accent means *now*; blue is the target of the current write, green is final. Their hues are
Okabe and Ito's, darkened (light theme) or lightened (the others) until words set in them or on
them reach a contrast of 4.5:1, in high contrast 7:1. No colour stands alone: each has a word,
shape or line beside it.
Source: Okabe & Ito, "Color Universal Design", https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

from dataclasses import dataclass

from chainstep.settings import Theme


@dataclass(frozen=True, slots=True)
class Palette:
    """Every colour that is drawn.

    Attributes:
        dark: Whether light text stands on a dark ground.
        window: Ground of bars and of the panels left and right.
        canvas: Ground under the graph.
        card: Ground of a card, a field, a button.
        quiet: Ground of a constant's card, of a hovered button, of a stripe.
        rule: Lines that only separate.
        text: What is read first.
        muted: Labels and secondary text.
        border: Outline of a card, a field, a button.
        edge: Lines of the graph.
        now: The node that runs, its edge, its line, the Step button.
        now_text: Words and numbers in that colour.
        now_tint: Ground behind what is now.
        on_now: Text on `now`.
        target: The target of the current write.
        target_tint: Ground behind the target.
        on_target: Text on `target`.
        final: Gradients that are complete.
        final_tint: Ground behind what is complete.
        on_final: Text on `final`.
        partial: Ground of the count of a gradient that is not complete.
        on_partial: Text on `partial`.
        failed: What broke; errors in the program.
        failed_tint: Ground behind an error.
        on_failed: Text on `failed`.
        focus: The ring around what is selected.
        strong: Ground of a chosen segment of a switch.
        on_strong: Text on `strong`.
        keyword: Words of the language.
        number: Numbers in the program.
        string: Text in the program.
        comment: Comments in the program.
        name: Functions and classes in the program.
    """

    dark: bool
    window: str
    canvas: str
    card: str
    quiet: str
    rule: str
    text: str
    muted: str
    border: str
    edge: str
    now: str
    now_text: str
    now_tint: str
    on_now: str
    target: str
    target_tint: str
    on_target: str
    final: str
    final_tint: str
    on_final: str
    partial: str
    on_partial: str
    failed: str
    failed_tint: str
    on_failed: str
    focus: str
    strong: str
    on_strong: str
    keyword: str
    number: str
    string: str
    comment: str
    name: str


LIGHT = Palette(
    dark=False,
    window="#ffffff",
    canvas="#f9fafc",
    card="#ffffff",
    quiet="#f3f5f9",
    rule="#e2e6ed",
    text="#18202c",
    muted="#5d6878",
    border="#838ea3",
    edge="#838ea3",
    now="#c65200",
    now_text="#ab4500",
    now_tint="#fff2e8",
    on_now="#ffffff",
    target="#0072b2",
    target_tint="#e8f4fb",
    on_target="#ffffff",
    final="#007d5a",
    final_tint="#e9f6f1",
    on_final="#ffffff",
    partial="#e6eaf0",
    on_partial="#3f4a5a",
    failed="#b3123f",
    failed_tint="#fdecf0",
    on_failed="#ffffff",
    focus="#18202c",
    strong="#1c2634",
    on_strong="#ffffff",
    keyword="#8b2fa0",
    number="#0068a3",
    string="#00714f",
    comment="#667080",
    name="#7a4a00",
)

DARK = Palette(
    dark=True,
    window="#161b23",
    canvas="#11151c",
    card="#1c232e",
    quiet="#171d27",
    rule="#2b3442",
    text="#eef2f8",
    muted="#a3afc0",
    border="#76839a",
    edge="#6f7c92",
    now="#ff9142",
    now_text="#ff9d57",
    now_tint="#38241a",
    on_now="#1b0f05",
    target="#5cb8f0",
    target_tint="#142c3d",
    on_target="#04131d",
    final="#35c598",
    final_tint="#12312a",
    on_final="#03170f",
    partial="#38435a",
    on_partial="#e3e9f3",
    failed="#ff8098",
    failed_tint="#3b1a24",
    on_failed="#1f050b",
    focus="#eef2f8",
    strong="#dfe6f0",
    on_strong="#161b23",
    keyword="#d79bea",
    number="#7cc4f2",
    string="#63cfa6",
    comment="#94a0b2",
    name="#f0b873",
)

CONTRAST = Palette(
    dark=True,
    window="#000000",
    canvas="#000000",
    card="#000000",
    quiet="#1c1c1c",
    rule="#8f8f8f",
    text="#ffffff",
    muted="#dadada",
    border="#ffffff",
    edge="#cfcfcf",
    now="#ffa01f",
    now_text="#ffb14a",
    now_tint="#3d2400",
    on_now="#000000",
    target="#6cc4ff",
    target_tint="#00263d",
    on_target="#000000",
    final="#2fd8a2",
    final_tint="#002b1f",
    on_final="#000000",
    partial="#4d4d4d",
    on_partial="#ffffff",
    failed="#ff9db0",
    failed_tint="#3f000f",
    on_failed="#000000",
    focus="#ffff66",
    strong="#ffffff",
    on_strong="#000000",
    keyword="#e9b5ff",
    number="#94d4ff",
    string="#7be8c0",
    comment="#cfcfcf",
    name="#ffcf8a",
)


def palette(theme: Theme, system_is_dark: bool = False, system_contrasts: bool = False) -> Palette:
    """The colours for a wish, given what the desktop uses where the wish is to follow it.

    Args:
        theme: The wish.
        system_is_dark: Whether the desktop is dark.
        system_contrasts: Whether it asks for high contrast; that goes before dark and light.
    """
    if theme is Theme.SYSTEM:
        theme = Theme.DARK if system_is_dark else Theme.LIGHT
        theme = Theme.CONTRAST if system_contrasts else theme
    return {Theme.LIGHT: LIGHT, Theme.DARK: DARK, Theme.CONTRAST: CONTRAST}[theme]
