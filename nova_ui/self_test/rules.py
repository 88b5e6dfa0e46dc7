"""The rules by number, each in a sentence, as `guardrails.md` of the design states them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nova_ui.domain.text import mark

SECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "A": mark("Rights: only those of the signed-in identity"),
        "B": mark("One tool list per assistant"),
        "C": mark("Confirmation before destructive actions"),
        "D": mark("Secrets stay out"),
        "E": mark("Limits per message"),
        "F": mark("Traceability"),
        "G": mark("History"),
        "H": mark("What a tool returns is data, not instructions"),
        "I": mark("Arguments become requests"),
    }
)

RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "A1": mark("The chat reads and writes Nova data through Nova's endpoints only."),
        "A2": mark("Every call carries the identity's own session; once that or a role is gone, the next is refused."),
        "A3": mark("The identity's roles decide again at every call, whatever the model was offered."),
        "A4": mark("A flow that writes is for administrators only, unless it is self-service."),
        "A5": mark("Pages and chats call the same endpoints, and both get the same answer."),
        "B1": mark("A call outside the assistant's list is refused."),
        "B2": mark("So is every indirect way: exports, flows, batches."),
        "B3": mark("All tools are possible only for an assistant open to administrators only."),
        "B4": mark("The Admin Chat always has all tools, is for administrators only and can't be weakened."),
        "B5": mark("For those to whom it is not open the assistant does not exist."),
        "B6": mark("Tool lists and settings with secrets can be changed in the interface only."),
        "B7": mark("A tool taken off is refused at once; one added is usable from the next message on."),
        "B8": mark("Unknown names and look-alikes are not on the list."),
        "C1": mark("Whatever deletes or can't be taken back is marked as destructive."),
        "C2": mark("A destructive call without a confirmation shows a card and does not run."),
        "C3": mark("It runs at the earliest with the identity's next message."),
        "C4": mark("A confirmation counts only in the immediately following message of the same identity."),
        "C5": mark("And for ten minutes at most."),
        "C6": mark("Tool and arguments must match the card exactly."),
        "C7": mark("The model can't confirm by itself, nor judge whether the person agreed."),
        "C8": mark("The button runs exactly the stored call, and the reply to it only reads."),
        "C9": mark("A turn runs at most one destructive action and leaves at most one card."),
        "C10": mark("Of many simultaneous presses exactly one wins."),
        "C11": mark("Rights, list, limits and secrets are tested again when the confirmed call runs."),
        "C12": mark("A refusal makes the card void."),
        "C13": mark("The card shows what will change and what goes with it."),
        "C14": mark("If the object changed meanwhile, the call does not run."),
        "C15": mark("Where the button or a typed name is demanded, nothing else confirms."),
        "D1": mark("No tool takes a secret as a parameter."),
        "D2": mark("No call carries a secret, nor clears one."),
        "D3": mark("No secret comes out in results, cards, exports, errors or history."),
        "D4": mark("Live secrets in arguments are refused, typed ones are masked."),
        "D5": mark("Stored secrets are encrypted, with the id of their key."),
        "E1": mark("At most 12 model calls per message; the last is asked for words only."),
        "E2": mark("At most one destructive action per message."),
        "E3": mark("The same call runs three times at most."),
        "E4": mark("A tool result has at most 12,000 characters."),
        "E5": mark("The results of a message have at most 60,000 characters."),
        "E6": mark("A budget for tokens or cost counts where one is set."),
        "F1": mark("What a tool call writes to the log says that it came from the chat."),
        "F2": mark("The filter by origin shows exactly these entries."),
        "F3": mark("The chat itself logs nothing."),
        "F4": mark("The origin can be neither forged nor dropped."),
        "F5": mark("The entries form a chain in which an altered one is found."),
        "G1": mark("Chats are kept and can be opened again."),
        "G2": mark("Everybody sees only their own, administrators included."),
        "G3": mark("Deleting is final, and frees no limit."),
        "G4": mark("Who loses access to an assistant can only delete the chats with it."),
        "H1": mark("Results reach the model in an envelope that they can't leave."),
        "H2": mark("Answers are shown without scripts, remote pictures, forms or hidden text."),
        "H3": mark("No result can invent a source."),
        "H4": mark("A tool that fails says so in plain words, and the turn goes on."),
        "I1": mark("No argument leads to another endpoint."),
        "I2": mark("No request ever goes out in somebody else's session."),
        "I3": mark("Input that is no sound JSON, or too large, is refused and never repaired."),
    }
)
