"""Text that a provider, a store and a chat template can all take: no special tokens, no broken characters."""

import re
from typing import Final

# What chat templates use to part messages. In data these would reach a local server as instructions.
_SPECIAL: Final = re.compile(
    r"<(?=[|\uff5c])"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])"
    r"|<(?=<?/?(?:SYS>|s>|im_start|im_end|start_of_turn>|end_of_turn>|tool_call>|tool_response>|think>))"
)
_UNUSABLE: Final = re.compile(r"[\x00\ud800-\udfff]")


def without_special_tokens(text: str) -> str:
    """Break up the special tokens in `text` by a space behind their first character."""
    return _SPECIAL.sub(lambda found: found[0] + " ", text)


def without_unusable_characters(text: str) -> str:
    """Put U+FFFD in place of NUL and lone surrogates, which neither UTF-8 nor every database can hold."""
    return _UNUSABLE.sub("\ufffd", text)
