"""How a text, a moment or a number reads in one person's language."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Final, Literal

from babel import Locale
from babel.core import negotiate_locale
from babel.dates import LOCALTZ, format_date, format_datetime, format_time, format_timedelta
from babel.lists import format_list
from babel.numbers import format_decimal

from nova_ui.domain.identity import Language
from nova_ui.i18n.catalogue import LOCALE_FOLDER, Catalogue, load_catalogue

Value = object  # whatever a named value prints as; numbers and moments are formatted by the language

LOCALES: Final = {Language.ENGLISH: "en_GB", Language.GERMAN: "de_DE"}
KILO: Final = 1024


class Translator:
    """Speaks one language. A message without a translation is shown in English.

    Times are shown in `timezone`, the server's own unless told otherwise.
    """

    def __init__(self, language: Language, catalogue: Catalogue, *, timezone: tzinfo = LOCALTZ) -> None:
        self.language = language
        self._catalogue = catalogue
        self._locale = Locale.parse(LOCALES[language])
        self._timezone = timezone

    @property
    def timezone(self) -> tzinfo:
        """The zone in which times are shown, and days begin."""
        return self._timezone

    def __call__(self, message: str, /, **values: Value) -> str:
        """Translate `message` and fill its named values in.

        Raises:
            KeyError: values are given, and one that the message names is not among them.

        """
        return self._filled(self._catalogue.find(message) or message, values)

    def knows(self, message: str) -> bool:
        """Whether `message` can be shown in this language without falling back to another one."""
        return self.language is Language.ENGLISH or self._catalogue.find(message) is not None

    def plural(self, singular: str, plural: str, count: int, /, **values: Value) -> str:
        """Translate by number; `{count}` is filled in by itself."""
        form = 0 if count == 1 else 1  # the rule of English and of German alike
        found = self._catalogue.find_plural(singular, form) or (singular, plural)[form]
        return self._filled(found, {"count": count, **values})

    def day(self, moment: date | datetime) -> str:
        """Return the day, such as 30 Nov 2026."""
        if isinstance(moment, datetime):
            moment = self._local(moment).date()
        return format_date(moment, format="medium", locale=self._locale)

    def weekday(self, day: date) -> str:
        """Return the name of the day of the week."""
        return format_date(day, format="EEEE", locale=self._locale)

    def time_of_day(self, moment: datetime) -> str:
        """Return the time of day with seconds."""
        return format_time(self._local(moment), format="medium", locale=self._locale, tzinfo=self._timezone)

    def short_time(self, moment: datetime) -> str:
        """Return hour and minute."""
        return format_time(self._local(moment), format="short", locale=self._locale, tzinfo=self._timezone)

    def moment(self, moment: datetime) -> str:
        """Return day and time of day, such as 30 Nov 2026, 14:02:11."""
        return format_datetime(self._local(moment), format="medium", locale=self._locale, tzinfo=self._timezone)

    def precise(self, moment: datetime) -> str:
        """Return day and time to the millisecond with the time zone, for details."""
        local = self._local(moment)
        day = format_date(local.date(), format="medium", locale=self._locale)
        return f"{day}, {local:%H:%M:%S}.{local.microsecond // 1000:03d} {local.tzname() or ''}".rstrip()

    def ago(self, moment: datetime, now: datetime) -> str:
        """Return how long ago `moment` was, such as 3 minutes ago."""
        return format_timedelta(moment - now, add_direction=True, locale=self._locale, granularity="second")

    def number(self, value: float, *, decimals: int = 0) -> str:
        """Return a number with the language's separators and exactly `decimals` digits after the point."""
        pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
        return format_decimal(value, format=pattern, locale=self._locale)

    def seconds(self, duration_ms: int) -> str:
        """Return a duration in seconds with one decimal, such as 0.2 s."""
        return f"{self.number(duration_ms / 1000, decimals=1)} s"

    def size(self, count_bytes: int) -> str:
        """Return a number of bytes in B, KB or MB."""
        if count_bytes < KILO:
            return f"{count_bytes} B"
        if count_bytes < KILO * KILO:
            return f"{self.number(count_bytes / KILO, decimals=1)} KB"
        return f"{self.number(count_bytes / KILO / KILO, decimals=1)} MB"

    def listed(self, words: tuple[str, ...], *, style: Literal["standard", "or", "unit"] = "standard") -> str:
        """Return words as a list in a sentence: a, b and c."""
        return format_list(words, style=style, locale=self._locale) if words else ""

    def _local(self, moment: datetime) -> datetime:
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return aware.astimezone(self._timezone)

    def _filled(self, message: str, values: Mapping[str, Value]) -> str:
        if not values:
            return message
        return message.format_map({name: self._printed(value) for name, value in values.items()})

    def _printed(self, value: Value) -> str:
        if isinstance(value, bool) or value is None:
            return str(value)
        if isinstance(value, int):
            return self.number(value)
        if isinstance(value, float):
            return format_decimal(value, locale=self._locale)
        if isinstance(value, datetime):
            return self.moment(value)
        if isinstance(value, date):
            return self.day(value)
        return str(value)


class Translators:
    """All languages; made once at the start.

    Raises:
        ConfigurationError: a catalogue is broken.

    """

    def __init__(self, folder: Path = LOCALE_FOLDER, *, timezone: tzinfo = LOCALTZ) -> None:
        self._translators = {
            language: Translator(language, load_catalogue(language, folder), timezone=timezone) for language in Language
        }

    def for_language(self, language: Language) -> Translator:
        """Return the translator that speaks `language`."""
        return self._translators[language]

    def negotiate(self, accept_language: str | None) -> Language:
        """Choose a language for somebody not signed in by the browser's `Accept-Language`; English if in doubt."""
        wanted = [part.split(";")[0].strip().replace("-", "_") for part in (accept_language or "").split(",")]
        found = negotiate_locale([tag for tag in wanted if tag], [language.value for language in Language])
        return Language(found) if found else Language.ENGLISH
