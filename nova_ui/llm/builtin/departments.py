"""What a department may be called in the other language; asked only when the name as typed finds nobody."""

from typing import Final

from nova_ui.llm.builtin.words import fold

_SAME: Final = (
    ("Sales", "Vertrieb", "Verkauf"),
    ("Marketing",),
    ("Engineering", "Entwicklung", "Softwareentwicklung", "Development", "R&D"),
    ("IT Operations", "IT", "IT-Betrieb", "Information Technology"),
    ("Finance", "Finanzen", "Buchhaltung", "Finanzabteilung", "Accounting"),
    ("Human Resources", "HR", "Personal", "Personalabteilung"),
    ("Legal and Compliance", "Legal", "Recht", "Rechtsabteilung", "Compliance"),
    ("Customer Support", "Support", "Kundendienst", "Kundenservice", "Kundenbetreuung", "Customer Service"),
    ("Executive Office", "Geschäftsführung", "Geschäftsleitung", "Management", "Executive"),
    ("Purchasing", "Einkauf", "Procurement"),
    ("Production", "Produktion", "Manufacturing", "Fertigung"),
    ("Logistics", "Logistik"),
    ("Research", "Forschung"),
)


def other_names(department: str) -> tuple[str, ...]:
    """Return the other names of a department, in the order in which to try them."""
    wanted = fold(department)
    for names in _SAME:
        if wanted in {fold(name) for name in names}:
            return tuple(name for name in names if fold(name) != wanted)
    return ()
