"""Detects passwords, keys and codes: plugins of detect-secrets, and people's words for them."""

import re
from collections.abc import Iterable
from functools import cache

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import BasePlugin
from detect_secrets.plugins.basic_auth import BasicAuthDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.high_entropy_strings import (
    Base64HighEntropyString,
    HexHighEntropyString,
)
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.keyword import KeywordDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.private_key import PrivateKeyDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from memory.outcomes import Refusal

_PLUGINS = (
    ArtifactoryDetector, AWSKeyDetector, AzureStorageKeyDetector, BasicAuthDetector,
    DiscordBotTokenDetector, GitHubTokenDetector, GitLabTokenDetector, JwtTokenDetector,
    KeywordDetector, MailchimpDetector, NpmDetector, OpenAIDetector, PrivateKeyDetector,
    SendGridDetector, SlackDetector, StripeDetector, TelegramBotTokenDetector, TwilioKeyDetector,
)  # fmt: skip
_SECRET = Refusal("secret", "It holds a password, key or code, which is never stored.", hidden=True)
_LONG_WORD = 16
_IS = r"\s*(?:is|are|was|=|:|'s|’s|changed to|set to)\s*(?:now |still |always |set to )?"
_OF_WHAT = r"(?:\s+(?:to|for|of|on)(?:\s+[\w'’-]+){1,4}?)?"
# "our wifi password is correcthorse", not "the password policy is strict".
_PASSWORD = re.compile(
    rf"\b(?i:pass ?words?|pass ?codes?|pass ?phrases?){_OF_WHAT}(?i:{_IS})\S{{3,}}[.!]?(?:\s|$)"
)
# "the gate code is 4711", not "the building code is strict".
_CODE = re.compile(
    r"\b(?i:pin(?: code| number)?|(?:api|access|secret|licen[cs]e|encryption|private)[ -]?"
    r"(?:keys?|tokens?)|(?:gate|door|alarm|lock|safe|entry|access|security|key ?box|padlock|"
    r"wi-?fi|login|unlock) codes?|combination|credentials|log-?in|bearer|token)\b"
    rf"{_OF_WHAT}(?i:{_IS})[\"'“‘]?(?=\S*\d|\S*[A-Z]\S*[A-Z])\S{{3,}}"
)


def refusal(text: str) -> Refusal | None:
    """Return the refusal if any detector finds a secret, or None."""
    if _PASSWORD.search(text) or _CODE.search(text) or _detects(_plugins(), text):
        return _SECRET
    quoted = " ".join(f'"{word}"' for word in _long_words(text))
    return _SECRET if _detects(_entropy_plugins(), quoted) else None


@cache
def _plugins() -> tuple[BasePlugin, ...]:
    return tuple(plugin() for plugin in _PLUGINS)


@cache
def _entropy_plugins() -> tuple[BasePlugin, ...]:
    return Base64HighEntropyString(limit=4.5), HexHighEntropyString(limit=3.0)


def _detects(plugins: Iterable[BasePlugin], text: str) -> bool:
    return any(True for plugin in plugins for _ in plugin.analyze_string(text))


def _long_words(text: str) -> list[str]:
    """Return unusually long words with digits: entropy is only measured for these."""
    words = (word.strip(".,;:!?()\"'") for word in text.split())
    return [w for w in words if len(w) >= _LONG_WORD and any(char.isdigit() for char in w)]
