"""The text in place of an answer: "I don't know based on {scope}." (safety API)."""

from string import Formatter

from analysis.engine.safety.model import SearchedScope

REFUSAL = "I don't know based on {scope}."
ANY_SCOPE = "the available sources"
MOST_CHARACTERS = 500
MOST_SCOPE_CHARACTERS = 200


def refusal(
    template: str, own_scope: str, searched: SearchedScope | None, any_scope: str = ANY_SCOPE
) -> str:
    """Return the text that replaces a refused answer."""
    return template.format(scope=scope_words(own_scope, searched, any_scope))


def scope_words(own_scope: str, searched: SearchedScope | None, any_scope: str = ANY_SCOPE) -> str:
    """Return the policy's words, else those of the searched scope, else "the available sources"."""
    return own_scope or (searched.words if searched else "") or any_scope


def fault_in(template: str) -> str:
    """Return the fault of a refusal text in words, or ""."""
    if not template.strip():
        return "must not be empty"
    if len(template) > MOST_CHARACTERS:
        return f"must not be longer than {MOST_CHARACTERS} characters"
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        return "has an unmatched brace; write {{ or }} for a literal one"
    names = {name + (f":{form}" if form else "") + (f"!{how}" if how else "")
             for _, name, form, how in parts if name is not None}  # fmt: skip
    strange = sorted(names - {"scope"})
    return f"may hold {{scope}} and nothing else in braces, not {{{strange[0]}}}" if strange else ""
