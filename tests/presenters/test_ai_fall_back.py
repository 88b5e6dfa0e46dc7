"""The order of the models that stand in for others, as buttons change it."""

from collections.abc import Mapping

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaPreconditionFailed
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.ai_fall_back import FallBackPresenter


def a_profile(key: str, mode: str, *models: str) -> JsonObject:
    return {"key": key, "name": key.title(), "mode": mode, "models": [*models]}


class Configuration:
    """Keeps the order as the endpoint does; `moved_on` makes the next change come too late."""

    def __init__(self, *names: str) -> None:
        self.order: list[object] = [*names]
        self.may_widen = False
        self.version = 1
        self.moved_on = False
        self.calls: list[JsonObject] = []

    @property
    def shown(self) -> JsonObject:
        profiles = [a_profile("built-in", "built_in", "built-in"), a_profile("house", "local", "a", "b")]
        return {
            "default_profile": "built-in",
            "profiles": [*profiles, a_profile("world", "external", "c")],
            "fall_back": self.order,  # type: ignore[dict-item]  # names
            "fall_back_may_widen": self.may_widen,
        }

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: object = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> NovaAnswer:
        del path, query, idempotency_key
        assert endpoint == "PUT /administration/ai-configuration/fall-back"
        assert body is not None
        if self.moved_on or if_match != f'"{self.version}"':
            raise NovaPreconditionFailed("The object has changed meanwhile. Read it again.")
        self.calls.append(body)
        found = body["fall_back"]
        assert isinstance(found, list)
        self.order, self.may_widen = [*found], body["may_widen"] is True
        self.version += 1
        return NovaAnswer(status=200, body=self.shown, etag=f'"{self.version}"')


def over(nova: Configuration) -> FallBackPresenter:
    presenter = FallBackPresenter(nova)
    presenter.show(nova.shown, '"1"')
    return presenter


async def test_buttons_move_add_and_take_out() -> None:
    nova = Configuration("house", "world")
    presenter = over(nova)

    place = await presenter.move("world", -1)
    await presenter.add("built-in")
    await presenter.add("house/b")
    await presenter.remove("house")

    assert place == 1
    assert presenter.names == ("world", "house/b", "built-in")  # the built-in model stays last: it always answers
    assert len(nova.calls) == 4


async def test_nothing_moves_past_an_end() -> None:
    nova = Configuration("house", "world")
    presenter = over(nova)

    assert [await presenter.move("house", -1), await presenter.move("world", 1), await presenter.move("gone", 1)] == [
        None,
        None,
        None,
    ]
    assert nova.calls == []


async def test_data_goes_further_only_when_that_is_switched_on() -> None:
    nova = Configuration("world")
    presenter = over(nova)

    await presenter.widen(may_widen=True)
    await presenter.widen(may_widen=True)

    assert (presenter.may_widen, nova.calls) == (True, [{"fall_back": ["world"], "may_widen": True}])


async def test_a_change_that_came_too_late_is_said_and_changes_nothing() -> None:
    nova = Configuration("house", "world")
    presenter = over(nova)
    nova.moved_on = True

    moved = await presenter.move("world", -1)

    assert moved is None
    assert presenter.problem is not None
    assert presenter.names == ("house", "world")


def test_each_model_has_words_and_a_mode() -> None:
    presenter = over(Configuration("house/b", "gone"))
    words = presenter.words(Translators().for_language(Language.ENGLISH))

    assert words["house/b"] == "House · b"
    assert "" not in words
    assert [presenter.mode_of(name) for name in ("house/b", "world", "built-in", "gone")] == [
        "local",
        "external",
        "built_in",
        "",
    ]
