"""Readable docs from the OpenAPI document: one plain page, no script, nothing from elsewhere."""

import base64
import hashlib
from html import escape
from typing import Any, Final

from nova_ui.api.marks import AUDIT, INTERFACE_ONLY, KIND, WHO

_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "code{font-family:ui-monospace,monospace}h2{margin-top:2.5rem}"
    "details{border-top:1px solid #8885;padding:.4rem 0}summary{cursor:pointer}"
    ".kind{display:inline-block;min-width:6.5rem}.destructive{color:#c22}"
    "pre{overflow:auto;padding:.6rem;border:1px solid #8885}"
)
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
DOCS_POLICY: Final = (
    f"default-src 'none'; object-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def render_docs(openapi: dict[str, Any]) -> str:
    """Return an HTML page that lists every operation with its marks, parameters and body."""
    areas: dict[str, list[str]] = {}
    for path, operations in openapi.get("paths", {}).items():
        for method, operation in operations.items():
            tag = (operation.get("tags") or ["Nova"])[0]
            areas.setdefault(tag, []).append(_operation(f"{method.upper()} {path}", operation))
    parts = [f"<h2>{escape(tag)}</h2>{''.join(operations)}" for tag, operations in areas.items()]
    title = escape(str(openapi["info"]["title"]))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} API</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
        f"<h1>{title} API</h1><p>{escape(str(openapi['info'].get('description', '')))} "
        f'The document itself: <a href="openapi.json">openapi.json</a>.</p>{"".join(parts)}</body></html>'
    )


def _operation(endpoint: str, operation: dict[str, Any]) -> str:
    kind = escape(str(operation.get(KIND, "")))
    notes = [f"who: {operation.get(WHO, '')}"]
    if operation.get(INTERFACE_ONLY):
        notes.append("interface only")
    if operation.get(AUDIT):
        notes.append(f"logs {', '.join(operation[AUDIT])}")
    rows = "".join(_parameter(one) for one in operation.get("parameters", []))
    description = escape(str(operation.get("description") or operation.get("summary", "")))
    return (
        f'<details><summary><span class="kind {kind}">{kind}</span> <code>{escape(endpoint)}</code> '
        f"{escape(str(operation.get('summary', '')))}</summary>"
        f"<p>{description}</p><p>{escape('; '.join(notes))}</p>"
        f"{f'<ul>{rows}</ul>' if rows else ''}{_body(operation)}</details>"
    )


def _parameter(parameter: dict[str, Any]) -> str:
    required = ", required" if parameter.get("required") else ""
    about = str(parameter.get("description", ""))
    place = f"{parameter['in']}{required}"
    return f"<li><code>{escape(str(parameter['name']))}</code> ({escape(place)}) {escape(about)}</li>"


def _body(operation: dict[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    names = [str(one.get("schema", {}).get("$ref", "")).rpartition("/")[2] for one in content.values()]
    shown = ", ".join(name for name in names if name)
    return f"<p>Body: <code>{escape(shown)}</code></p>" if shown else ""
