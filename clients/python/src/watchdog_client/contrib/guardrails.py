"""Guardrails validator: fails what the policy does not allow, and fixes it with what it does.

Guard().use(WatchdogVerified(client=client, on_fail="fix"))
"""

from typing import Any

from guardrails.validators import (
    FailResult,
    PassResult,
    ValidationResult,
    Validator,
    register_validator,
)

from watchdog_client.client import Watchdog
from watchdog_client.guard import Guard, GuardSettings
from watchdog_client.operations import CheckOptions

_OPTIONS = CheckOptions.__annotations__


@register_validator(name="watchdog/verified", data_type="string")
class WatchdogVerified(Validator):  # type: ignore[misc]  # guardrails is typed in part
    """Passes for ALLOW. The options of a check (`query`, `sources`, …) come as metadata."""

    def __init__(
        self, client: Watchdog, settings: GuardSettings | None = None, on_fail: Any = None
    ) -> None:
        super().__init__(on_fail=on_fail)
        self._guard_client = Guard(client, settings or GuardSettings())

    def _validate(self, value: Any, metadata: dict[str, Any]) -> ValidationResult:
        options: Any = {name: metadata[name] for name in _OPTIONS if name in metadata}
        result = self._guard_client.check_answer(value, **options)
        may_pass = result.action == "ALLOW" or result.observed or result.error is not None
        if result.text == value and may_pass:
            return PassResult()
        reason = result.check.explanation if result.check else str(result.error)
        return FailResult(error_message=reason or "Not verified.", fix_value=result.text)
