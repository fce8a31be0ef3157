"""Names are nouns for things and verbs for functions; no module imports itself through others."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from tools.launcher.environment import CHECKOUT
from tools.launcher.packages import NOT_CODE, NOT_PACKAGES, circles

PARTICIPLES = frozenset(
    [
        "asked", "chosen", "counted", "found", "given", "held", "judged", "kept", "known", "listed",
        "made", "meant", "named", "said", "seen", "shown", "told", "wanted",
    ]
)  # fmt: skip

VARIABLE_PARTICIPLES = (PARTICIPLES - {"seen"}) | frozenset(
    [
        "begun", "drawn", "gone", "measured", "needed", "opened", "sent", "stored", "taken",
        "tried", "waiting", "written",
    ]
)  # fmt: skip
"""`seen` stays: a set of what was seen before is usually called so."""

FIRST_PARTICIPLES = PARTICIPLES | VARIABLE_PARTICIPLES | {"spoken"}
PARTICLES = frozenset(
    [
        "about", "against", "all", "alone", "another", "apart", "as", "away", "back", "before",
        "behind", "beside", "by", "earlier", "elsewhere", "first", "for", "from", "in", "of", "on",
        "once", "to", "together", "up", "with", "without",
    ]
)  # fmt: skip
"""Words that turn a participle into a phrase: `held_against`, not `stored_row`."""
QUESTIONS = tuple(f"{word} " for word in ("What", "Whether", "Who", "Whose", "How", "Where", "Why"))

PACKAGES = sorted(
    path.parent.name
    for path in CHECKOUT.glob("*/__init__.py")
    if path.parent.name not in NOT_PACKAGES
)


def _named_things(path: Path, tree: ast.AST) -> Iterator[str]:
    yield path.stem
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def bare_participles(path: Path, tree: ast.AST) -> list[str]:
    """Return the modules, functions and classes of a file that are named by a participle alone."""
    return [name for name in _named_things(path, tree) if name.strip("_").lower() in PARTICIPLES]


def _begins_as_a_phrase(name: str) -> bool:
    first, *rest = name.strip("_").split("_")
    return first in FIRST_PARTICIPLES and bool(rest) and rest[0] in PARTICLES


def participle_phrases(tree: ast.AST) -> list[str]:
    """Return functions named by a participle and a particle, unless they return a bool."""
    return [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if _begins_as_a_phrase(node.name) and not _is_bool(node.returns)
    ]


def participle_columns(tree: ast.AST) -> list[str]:
    """Return columns of models that are named by a participle alone; flags may be."""
    return [
        target.id
        for model in ast.walk(tree)
        if isinstance(model, ast.ClassDef)
        for statement in model.body
        if isinstance(statement, ast.Assign) and _is_column(statement.value)
        for target in statement.targets
        if isinstance(target, ast.Name) and target.id in VARIABLE_PARTICIPLES
    ]


def _is_column(value: ast.expr) -> bool:
    field = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
    return field.startswith("models.") and field != "models.BooleanField"


def _is_bool(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "bool"


def _excused(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield exceptions: flags, and class attributes that are columns or members of the API."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (
                target
                for statement in node.body
                if isinstance(statement, ast.Assign)
                for target in statement.targets
            )
        elif isinstance(node, ast.AnnAssign) and _is_bool(node.annotation):
            yield node.target
        elif isinstance(node, ast.arg) and _is_bool(node.annotation):
            yield node


def participle_variables(tree: ast.AST) -> list[str]:
    """Return each place of a file that binds a name that is a participle."""
    excused = {id(node) for node in _excused(tree)}
    bindings = [
        (node.lineno, node.arg if isinstance(node, ast.arg) else node.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        if id(node) not in excused
    ]
    return [f"{line}: {name}" for line, name in sorted(bindings) if name in VARIABLE_PARTICIPLES]


def question_docstrings(tree: ast.AST) -> list[str]:
    """Return docstrings, of values too, that begin like a question."""
    texts = (
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
    return [text for text in texts if isinstance(text, str) and text.startswith(QUESTIONS)]


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_is_named_by_a_bare_participle(package) -> None:
    offences = {
        str(path.relative_to(CHECKOUT)): offending
        for path in (CHECKOUT / package).rglob("*.py")
        if NOT_CODE.isdisjoint(path.parts) and (offending := _offences(path))
    }
    assert offences == {}, "names are nouns, docstrings say what is done (CONTRIBUTING, Style)"


def _offences(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        *bare_participles(path, tree),
        *participle_phrases(tree),
        *participle_columns(tree),
        *participle_variables(tree),
        *question_docstrings(tree),
    ]


def test_a_docstring_that_begins_like_a_question_is_noticed() -> None:
    tree = ast.parse('"""Names."""\nA = 1\n"""How many."""\ndef f():\n    """Whether it is."""\n')
    assert question_docstrings(tree) == ["How many.", "Whether it is."]


def test_a_function_named_by_a_phrase_is_noticed() -> None:
    tree = ast.parse(
        "def held_against(): ...\n"
        "def _taken_back(): ...\n"
        "def stored_row(): ...\n"
        "def made_from() -> bool: ...\n"
    )
    assert participle_phrases(tree) == ["held_against", "_taken_back"]


def test_a_column_named_by_a_participle_is_noticed() -> None:
    tree = ast.parse(
        "class Row(models.Model):\n"
        "    given = models.JSONField()\n"
        "    kept = models.BooleanField()\n"
        "    sent_at = models.DateTimeField()\n"
        "    found = serializers.BooleanField()\n"
    )
    assert participle_columns(tree) == ["given"]


def test_a_bare_participle_is_noticed() -> None:
    tree = ast.parse("class Asked:\n    def _found(self): ...\n\ndef found_by_name(): ...\n")
    assert bare_participles(Path("told.py"), tree) == ["told", "Asked", "_found"]


def test_a_variable_named_by_a_participle_is_noticed() -> None:
    tree = ast.parse(
        "class Row(Model):\n"
        "    drawn = Field()\n"
        "    sent: int\n"
        "    kept: bool = True\n"
        "def read(told, chosen: bool, *asked, given=0):\n"
        "    found, texts = told.found, (lambda held: held)\n"
        "    return {made for made in texts if (named := made) and seen}\n"
    )
    assert participle_variables(tree) == [
        "3: sent", "5: asked", "5: given", "5: told", "6: found", "6: held", "7: made", "7: named",
    ]  # fmt: skip


def _modules(root: Path) -> dict[str, str]:
    """Return the text of each module of the packages below `root`, by its dotted name."""
    packages = (init.parent for init in root.glob("*/__init__.py"))
    paths = (
        path
        for package in packages
        if package.name not in NOT_PACKAGES
        for path in package.rglob("*.py")
        if NOT_CODE.isdisjoint(path.relative_to(root).parts)
    )
    return {_name(path.relative_to(root)): path.read_text("utf-8") for path in paths}


def _name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _imports(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield those of the modules `names` that a module imports anywhere in its text."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports are not read here"
            members = (f"{node.module}.{alias.name}" for alias in node.names)
            targets = (member if member in names else str(node.module) for member in members)
            yield from (target for target in targets if target in names)


def module_circles(root: Path) -> list[str]:
    modules = _modules(root)
    imports = {name: frozenset(_imports(text, modules)) - {name} for name, text in modules.items()}
    return circles(imports)


def test_no_module_is_in_a_circle() -> None:
    assert module_circles(CHECKOUT) == []


def test_a_circle_through_a_late_import_is_noticed(tmp_path) -> None:
    package = tmp_path / "rooms"
    package.mkdir()
    (package / "__init__.py").write_text("def door():\n    from rooms.loading import load\n")
    (package / "loading.py").write_text("from rooms import door, types\n")
    (package / "types.py").write_text("import os\n")
    assert module_circles(tmp_path) == ["rooms", "rooms.loading"]
