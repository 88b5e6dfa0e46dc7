"""What must hold at each step of the confirmation protocol, said without any of the product's code."""

from tests.exploration.protocol_state import LIMIT_MS, Action, Card, Doing, Run, State, TurnState

_AGREEING = frozenset({"Yes.", "ja, löschen", "yes"})


def find_broken_step(before: State, after: State) -> str | None:
    """Say which rule the step from `before` to `after` breaks, or None."""
    if len(after.runs) > len(before.runs):
        return _find_wrong_run(after, after.runs[-1])
    if before.rows == after.rows:
        return None
    was = dict(before.rows)
    is_open = 0
    for key, row in after.rows:
        if not isinstance(row, Card):
            continue
        is_open += row.closed is None
        old = was.get(key)
        if row.consumed_by is not None and (not isinstance(old, Card) or old.consumed_by is None):
            turn = was.get(f"turn:{row.consumed_by}")
            if isinstance(turn, TurnState) and (turn.is_stopped or turn.state != "running"):
                return "a card was used up for a turn that had been stopped or had ended"
        if isinstance(old, Card) and old.closed is not None and not _may_change(old, row, after):
            return f"the first decision does not stand: {old} became {row}"
    return "two cards are open at once (C9)" if is_open > 1 else None


def find_broken_end(state: State) -> str | None:
    """Say what is wrong once nothing more can happen, or None."""
    for place, thread in enumerate(state.threads):
        turn = _turn(state, place)
        used_up = next((card for card in _cards(state) if turn is not None and card.consumed_by == turn.id), None)
        has_run = any(run.thread == place for run in state.runs)
        wrongs = {
            f"action {place} waits for ever": thread.end is None and thread.action.doing is not Doing.RECOVER,
            "refused as expired at 10:00.000 or before (C5)": thread.end == "expired" and state.now_ms <= LIMIT_MS,
            f"turn {place} runs for ever": turn is not None and turn.state == "running",
            "an execution has left no trace": has_run and used_up is None,
        }
        wrong = next((words for words, is_so in wrongs.items() if is_so), None)
        if wrong is None and used_up is not None and turn is not None:
            wrong = _find_wrong_outcome(used_up, turn, has_run=has_run, has_crashed=thread.end == "crashed")
        if wrong is not None:
            return wrong
    for card in _cards(state):
        if card.closed is None and not card.is_shown:
            return f"{card} is open, and nobody was shown it (C2, C3)"
        if card.closed is None and any(turn.number > card.turn for turn in _turns(state)):
            return f"{card} is open, and a later message has passed (C4)"
    return _find_missing_run(state)


def _find_wrong_outcome(card: Card, turn: TurnState, *, has_run: bool, has_crashed: bool) -> str | None:
    if not has_crashed:
        return None if card.outcome == ("done" if has_run else "refused") else f"the outcome of {card} is wrong"
    if has_run and card.outcome not in {"unknown", "done"}:
        return f"an execution is shown as {card.outcome}"
    if card.outcome == "unknown" and not turn.told_unknown:
        return "nobody is told that the outcome is unknown (C10)"
    return None


def _find_missing_run(state: State) -> str | None:
    """A press of the button that nothing disturbs must run: a server that refuses everything proves nothing."""
    people = [thread for thread in state.threads if thread.action.doing is not Doing.RECOVER]
    is_alone = len(people) == 1 and state.crashed is None and state.now_ms <= LIMIT_MS
    if not is_alone or state.runs:
        return None
    (first,) = [card for card in _cards(state) if card.turn == 1]
    action = people[0].action
    agrees_in_words = action.text in _AGREEING and not first.button_only and not first.is_named
    claims_first = bool(action.claims) and action.claims[0] == (first.about, True)
    if action.doing is Doing.PRESS or (agrees_in_words and claims_first):
        return "an agreement that counts was not carried out"
    return None


def _find_wrong_run(state: State, run: Run) -> str | None:
    thread, turn = state.threads[run.thread], _turn(state, run.thread)
    used_up = [card for card in _cards(state) if turn is not None and card.consumed_by == turn.id]
    if turn is None or len(used_up) != 1:
        return "a call ran without a card that was used up before, durably (C2, C10)"
    (card,) = used_up
    consumed_ms = LIMIT_MS * 2 if card.consumed_ms is None else card.consumed_ms
    wrongs = {
        "two destructive actions in one message (C9)": [one.thread for one in state.runs].count(run.thread) > 1,
        "another call ran than the card showed (C6)": card.about != run.about,
        "a card ran twice (C10)": any(_consumed(state, other) == card.id for other in state.runs[:-1]),
        f"message {turn.number} ran what message {card.turn} was shown (C4)": turn.number != card.turn + 1,
        "an agreement later than 10:00.000 counted (C5)": consumed_ms > card.shown_ms + LIMIT_MS,
        "a card ran that nobody was shown (C2, C3)": not card.is_shown,
        f"{thread.action} is no agreement (C7, C12, C15)": not _agrees(thread.action, card),
    }
    return next((words for words, is_so in wrongs.items() if is_so), None)


def _agrees(action: Action, card: Card) -> bool:
    if action.doing is Doing.PRESS:
        return True
    if action.doing is Doing.PRESS_WRONG_NAME:
        return not card.is_named
    return action.doing is Doing.SAY and action.text in _AGREEING and not card.button_only and not card.is_named


def _consumed(state: State, run: Run) -> str | None:
    turn = _turn(state, run.thread)
    return next((card.id for card in _cards(state) if turn is not None and card.consumed_by == turn.id), None)


def _may_change(old: Card, new: Card, state: State) -> bool:
    if (old.closed, old.consumed_by, old.consumed_ms) == (new.closed, new.consumed_by, new.consumed_ms):
        return old.outcome in {new.outcome, "unknown"}
    was_refused = old.closed == "executed" and new.closed == "cancelled" and new.outcome == "refused"
    has_run = any(f"trn_{run.thread}" == old.consumed_by for run in state.runs)
    return was_refused and new.consumed_by == old.consumed_by and not has_run


def _cards(state: State) -> list[Card]:
    return [row for _, row in state.rows if isinstance(row, Card)]


def _turns(state: State) -> list[TurnState]:
    return [row for _, row in state.rows if isinstance(row, TurnState)]


def _turn(state: State, place: int) -> TurnState | None:
    row = dict(state.rows).get(f"turn:trn_{place}")
    return row if isinstance(row, TurnState) else None
